"""Everything the report says exists in French, with the same places to fill."""

import re

import pytest
from babel.messages.pofile import read_po

from lark_sheets.core.agreement import State
from lark_sheets.locales import FOLDER
from tests.report.factory import ROOT
from tests.report.messages import messages

SOURCES = [
    *sorted((ROOT / "lark_sheets" / "report").glob("*.py")),
    *sorted((ROOT / "lark_sheets" / "workbook").glob("results_*.py")),
]


def french() -> dict[tuple[str, str | None], str | tuple[str, ...]]:
    known = {}
    for path in (FOLDER / "fr").glob("*.po"):
        with path.open("rb") as stream:
            for message in read_po(stream, locale="fr"):
                if message.id:
                    key = message.id if isinstance(message.id, str) else message.id[0]
                    known[key, message.context] = message.string
    return known


KNOWN = french()
USED = sorted({message for path in SOURCES for message in messages(path)}, key=str)


def fields(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def test_the_report_says_something():
    assert len(USED) > 150


def forms(message) -> tuple[str, ...]:
    string = KNOWN.get((message.text, message.context)) or ""
    return (string,) if isinstance(string, str) else tuple(string[:2])


def test_every_message_is_translated_with_the_same_fields():
    wrong = [
        message
        for message in USED
        for form in forms(message)
        if not form or not fields(form) <= fields(message.text) | fields(message.plural or "")
    ]
    assert wrong == []


@pytest.mark.parametrize("state", list(State))
def test_every_name_of_an_undefined_statistic_is_translated(state):
    assert KNOWN.get((state.value, None)), state


def test_french_keeps_quebec_typography():
    """A no-break space before a colon, a percent sign and inside guillemets; none before ; ? !."""
    wrong = [
        form
        for message in USED
        for form in forms(message)
        if re.search(r" [:%»?!;]|« ", form) or re.search(r"\w:(?!\S)", form)
    ]
    assert wrong == []
