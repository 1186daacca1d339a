"""The words that our own cells hold, by their language-free keys; read in either language."""

from __future__ import annotations

from lark_sheets.core.language import Words

STATES = {
    "to_grade": Words("à noter", "to grade"),
    "started": Words("commencé", "started"),
    "reason": Words("raison ?", "reason?"),
    "check": Words("à vérifier", "check"),
    "done": Words("fait", "done"),
}
"""What the state cell shows, by key."""

YES = Words("oui", "yes")
NO = Words("non", "no")
DISCUSS_FLAG = YES

CHANGE_KINDS = {
    "meaning": Words("sens changé", "meaning changed"),
    "covered": Words("couvert par le code", "covered by the code"),
    "wording": Words("formulation seulement", "wording only"),
}
"""What an edit of an anchor means, chosen by the coordinator; what follows differs for each."""

DISCUSS_OUTCOMES = {
    "kept": Words("repère maintenu", "anchor kept"),
    "sharpened": Words("repère précisé", "anchor sharpened"),
}
"""How a discussion may end: the grade agreed on, or a sharper anchor (a revision)."""
