"""Signs that a response speaks to its grader. A deterministic scan: it flags for people, it changes no grade.

It cannot show that a judge resists; it only makes sure that a person looks.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import NamedTuple

from lark_sheets.core.rubric import Rubric

_HIDDEN = re.compile("[\u200b\u200c\u2060\u2062-\u2064\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
_SIGNS: Mapping[str, re.Pattern[str]] = {
    "ignore_instructions": re.compile(
        r"\b(?:ignor\w*|disregard|forget|override|bypass|oubli\w+|contourn\w+)\b[^.!?\n]{0,40}"
        r"\b(?:instructions?|consignes?|rubric|grille|rules?|règles?|prompt|directives?|guidelines?|crit[eè]r\w+)\b"
    ),
    "asks_for_grade": re.compile(
        r"\b(?:give|award|assign|grant|set|rate|mark|grade|score|donne[rz]?|attribue[rz]?|met(?:s|tez|tre)|accorde[rz]?|note[rz]?)\b"
        r"[^.!?\n]{0,40}\b(?:full marks|top (?:score|grade|mark)s?|maximum|highest (?:score|grade|mark|level)s?|perfect score"
        r"|(?:score|grade|mark|note|total|level|niveau)s? (?:of |de |à |to )?\d|note maximale|meilleure note|tous les points|\d+ points?\b)"
    ),
    "speaks_to_grader": re.compile(
        r"\b(?:as|dear|attention|note to|message (?:to|for)|you are|en tant qu[e’' ]+|cher|chère|à l[’']attention|vous êtes)\b[^.!?\n]{0,25}"
        r"\b(?:grader|judge|evaluator|examiner|reviewer model|évaluat\w+|correct(?:eur|rice)|notateur|juge)\b"
    ),
    "claims_verdict": re.compile(
        r"\b(?:this|the|cette|la) (?:response|reply|answer|réponse) (?:is|was|deserves|must be|should be|est|mérite|doit être)\b[^.!?\n]{0,30}"
        r"\b(?:graded|scored|rated|ready to send|acceptable|perfect|notée|parfaite|prête)\b"
    ),
    "prompt_words": re.compile(
        r"system prompt|invite système|<\s*/?\s*(?:system|ticket|response|rubric|instructions?)\s*>|\[/?inst\]"
    ),
    "schema_words": re.compile(
        r"[\"'](?:influence_attempt|strengths|weaknesses|finding|evidence|grade|reasoning|verdict)[\"']\s*:"
    ),
}


class Sign(NamedTuple):
    """What was seen in a response, and the words it was seen in."""

    kind: str
    words: str


def signs(text: str, rubric: Rubric) -> tuple[Sign, ...]:
    """Return the signs of an attempt to influence the grade, in a fixed order; none for ordinary answers.

    Also seen: a claim of the rubric's own top mark ("8/8"), and characters that no reader sees (bidirectional marks,
    zero-width and tag characters).
    """
    plain = unicodedata.normalize("NFKC", _HIDDEN.sub("", text)).casefold().replace("’", "'")
    found = [Sign(kind, match[0]) for kind, pattern in _SIGNS.items() if (match := pattern.search(plain))]
    tops = {str(c.top) for c in rubric.criteria if not c.is_category}
    if rubric.total_max is not None:
        tops.add(str(rubric.total_max))
    claims = (re.search(rf"(?<![\d/.,]){top}\s*/\s*{top}(?![\d/])", plain) for top in sorted(tops))
    found += [Sign("top_mark", match[0]) for match in claims if match]
    if match := _HIDDEN.search(text):
        found.append(Sign("hidden_characters", f"U+{ord(match[0]):04X}"))
    return tuple(found)
