"""The one catalogue: ``*.po`` sources by area, compiled into one ``.mo`` file a language.

After an edit of a ``.po`` file run ``python -m lark_sheets.locales``; a test fails when the compiled
file is not what the sources give.
"""

from __future__ import annotations

import gettext
from functools import cache
from pathlib import Path

from lark_sheets.core.language import Language, Translator

DOMAIN = "lark_sheets"
FOLDER = Path(__file__).parent


@cache
def translator(language: Language) -> Translator:
    """Return the catalogue of ``language``; English messages are their own keys."""
    path = compiled(language)
    if path.exists():
        with path.open("rb") as stream:
            messages: gettext.NullTranslations = gettext.GNUTranslations(stream)
    else:
        messages = gettext.NullTranslations()
    return Translator(language, messages.gettext, messages.ngettext, messages.pgettext)


def compiled(language: str) -> Path:
    """Return where the compiled catalogue of a language lies."""
    return FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.mo"


def sources(language: str) -> list[Path]:
    """Return the ``.po`` files of a language, one per area of the product."""
    return sorted((FOLDER / language).glob("*.po"))
