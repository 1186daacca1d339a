"""The layout of what the ribbon adds: the sheet on which a new campaign is set up, and the sheet for messages."""

from __future__ import annotations

from lark_sheets.core.language import Words
from lark_sheets.workbook.layout import Column, Sheet, Table

START = Sheet("start", Words("Nouvelle campagne", "New campaign"))
MESSAGES = Sheet("messages", Words("Messages Lark", "Lark messages"))


def _c(key: str, fr: str, en: str, width: float, *, hidden: bool = False, typed: bool = True) -> Column:
    return Column(key, Words(fr, en), width, hidden, typed)


SETTINGS_TABLE = Table(
    "tblSettings",
    START,
    (
        _c("key", "Clé", "Key", 10, hidden=True, typed=False),
        _c("setting", "Réglage", "Setting", 34, typed=False),
        _c("value", "Valeur", "Value", 34),
        _c("about", "À savoir", "Good to know", 78, typed=False),
    ),
)
GRADERS_TABLE = Table(
    "tblGraders",
    START,
    (
        _c("name", "Évaluateur", "Grader", 34),
        _c("languages", "Langue des réponses", "Language of the responses", 34),
        _c("model", "Famille, si c’est un modèle", "Family, if it is a model", 78),
    ),
    spare=8,
)
