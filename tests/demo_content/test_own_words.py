"""The texts are this project's own, and the files are as promised."""

import re

import pytest

from tests.demo_content.content import DEMO, items, table

FILES = sorted(path for path in DEMO.iterdir() if path.is_file())
RUN_OF_WORDS = 10


def words(text):
    return re.findall(r"[^\W_]+", text.lower())


def runs(text):
    found = words(text)
    return {tuple(found[i : i + RUN_OF_WORDS]) for i in range(len(found) - RUN_OF_WORDS + 1)}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_ten_words_in_a_row_come_from_a_lesson(path, shared):
    lessons = set().union(
        *(runs(lesson.read_text(encoding="utf-8")) for lesson in (shared / "seeds").glob("*.txt"))
    )
    assert lessons
    assert not runs(path.read_text(encoding="utf-8").replace("\\n", " ")) & lessons


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_files_are_utf8_with_unix_line_ends(path):
    raw = path.read_bytes()
    assert b"\r" not in raw
    assert not raw.startswith(b"\xef\xbb\xbf")
    assert raw.endswith(b"\n")
    raw.decode("utf-8")


def test_items_have_the_promised_columns_and_six_need_a_person():
    rows = table(DEMO / "items.csv")
    assert list(rows[0]) == [
        "item", "text", "language", "type", "stratum", "needs_human", "reference", "must_mention", "must_not_mention",
    ]  # fmt: skip
    assert {name for name, item in items().items() if item.needs_human} == {
        "U01",
        "U02",
        "U03",
        "U04",
        "D04",
        "M04",
    }
    assert {row["type"] for row in rows} == {"standard", "difficult", "person", "mixed"}


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_policy_is_nine_numbered_rules_on_one_page(language):
    text = (DEMO / f"policy_{language}.md").read_text(encoding="utf-8")
    assert re.findall(r"^(\d+)\. \*\*", text, re.MULTILINE) == [str(n) for n in range(1, 10)]
    assert len(words(text)) < 650


def test_both_policies_say_the_same_figures():
    figures = [
        sorted(re.sub(r"[^\d]", "", n) for n in re.findall(r"\d[\d.,\u00a0]*\d|\d", (DEMO / f"policy_{lang}.md").read_text(encoding="utf-8")))
        for lang in ("en", "fr")
    ]  # fmt: skip
    assert figures[0] == figures[1]
