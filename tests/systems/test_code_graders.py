"""Programs propose issue codes beside a person's grades: never before the person graded, never as a grade."""

import json

import pytest

from lark_sheets.core.code_graders import Subject, beside, checks_from_plain, propose, provable
from lark_sheets.core.syntax_checks import code_in, syntax_fault
from tests.conftest import ROOT
from tests.factories import shipped
from tests.systems.conftest import json_of, run

LARKFIELD = shipped("larkfield")


def checks(name="larkfield"):
    import tomllib

    path = ROOT / "workbooks" / "checks" / f"{name}.toml"
    return checks_from_plain(tomllib.loads(path.read_text(encoding="utf-8")), shipped(name))


TICKET = {"language": "fr", "reference": "Frais remboursés. Catégorie : delivery.", "needs_human": "0"}
GOOD = {
    "reply": "Bonjour, votre colis est en route. Il arrivera lundi.",
    "category": "delivery",
    "language": "fr",
    "needs_human": False,
}


def answer(**changes):
    data = {**GOOD, **changes}
    return json.dumps({k: v for k, v in data.items() if v is not ...}, ensure_ascii=False)


def codes(text, **ticket):
    subject = Subject(text=text, language="fr", ticket={**TICKET, **ticket})
    return {p.code or p.check for p in propose(subject, LARKFIELD, checks())}


@pytest.mark.parametrize(
    ("text", "ticket", "expected"),
    [
        pytest.param(answer(), {}, set(), id="nothing to say"),
        pytest.param("", {}, {"empty"}, id="no text"),
        pytest.param(f"```json\n{answer()}\n```", {}, {"fence"}, id="a fence"),
        pytest.param(answer()[:-1], {}, {"invalid_json"}, id="broken"),
        pytest.param(answer(category=...), {}, {"invalid_json"}, id="a field is lacking"),
        pytest.param(answer(extra=1), {}, {"invalid_json"}, id="a field too many"),
        pytest.param(
            answer(category="parcels"), {}, {"invalid_json", "wrong_label"}, id="a value not allowed"
        ),
        pytest.param(answer(needs_human="no"), {}, {"invalid_json"}, id="a text where a yes or no belongs"),
        pytest.param(answer(needs_human=1), {}, {"invalid_json"}, id="1 is no yes"),
        pytest.param(answer(category="returns"), {}, {"wrong_label"}, id="another label than the key's"),
        pytest.param(answer(needs_human=True), {}, {"over_cautious"}, id="handed over for nothing"),
        pytest.param(answer(), {"needs_human": "1"}, {"answered_alone"}, id="answered alone"),
        pytest.param(answer(), {"needs_human": ""}, set(), id="the key is silent"),
        pytest.param(answer(language="en"), {}, {"wrong_language"}, id="the language field lies"),
        pytest.param(
            answer(reply="Bonjour, votre colis est en route."), {}, {"few_sentences"}, id="one sentence"
        ),
        pytest.param(
            answer(reply="Un ici. Deux là. Trois. Quatre. Cinq. Six."), {}, {"six_sentences"}, id="six"
        ),
        pytest.param(
            answer(reply="Votre colis est en route. Thank you for your patience."),
            {},
            {"english_phrase"},
            id="English end",
        ),
        pytest.param(
            answer(reply="Votre order est late, le tracking ne bouge pas. Il arrivera lundi."),
            {},
            {"mixed_sentence"},
            id="both languages in one sentence: shown, without a code",
        ),
    ],
)
def test_what_is_proposed(text, ticket, expected):
    assert codes(text, **ticket) == expected


def test_without_a_check_file_only_the_general_checks_run():
    subject = Subject(text=answer(category="parcels"), language="fr", ticket=TICKET)
    assert propose(subject, LARKFIELD) == ()


def test_a_check_file_that_does_not_fit_its_rubric_is_refused():
    plain = {
        "fields_code": "no_such_code",
        "right_when_top": ["beauty"],
        "compare": [{"field": "a", "column": "b"}],
    }
    with pytest.raises(ValueError, match="no_such_code, beauty"):
        checks_from_plain(plain, LARKFIELD)


# --- beside a person --------------------------------------------------------------------------------------------------


def held(text, grades, recorded=()):
    proposals = propose(Subject(text=text, language="fr", ticket=TICKET), LARKFIELD, checks())
    known = provable(LARKFIELD, checks())
    place = {"id": "x", "item": "S01", "label": "A", "run": "", "grader": "ana"}
    full = dict(zip(("accuracy", "completeness", "format", "abstention"), grades, strict=True))
    return beside(proposals, full, recorded, known, **place)


@pytest.mark.parametrize(
    ("grades", "recorded", "unrecorded", "unseen", "above"),
    [
        ((2, 2, 1, 2), ("fence",), (), (), {}),
        ((2, 2, 2, 2), (), ("fence",), (), {"format": (2, 1)}),
        ((2, 2, 1, 2), (), ("fence",), (), {}),
        ((2, 2, 0, 2), ("fence", "invalid_json"), (), ("invalid_json",), {}),
        ((2, 1, 1, 2), ("fence", "one_point_missing"), (), (), {}),
    ],
)
def test_a_grade_above_what_was_seen_and_codes_of_one_side(grades, recorded, unrecorded, unseen, above):
    """A code the checks cannot know (a missing point) is never held against the person."""
    found = held(f"```\n{answer()}\n```", grades, recorded)
    assert (found.unrecorded, found.unseen, found.above) == (unrecorded, unseen, above)
    assert found.differs == bool(unrecorded or unseen or above)


# --- does it parse? ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind", "fault"),
    [
        ('{"Version": "2012-10-17"}', "JSON", False),
        ('Here:\n```json\n{"a": 1}\n```\n', "json", False),
        ('{"a": 1,}', "json", True),
        ("def f(x):\n    return x\n", "Python", False),
        ("```python\ndef f(x)\n    return x\n```", "python", True),
        ("^i-[0-9a-f]{17}$", "regex", False),
        ("^(i-", "Regex", True),
        ("'\\d'", "python", False),
        ("not code at all", "haiku", False),
        ("[" * 100_000, "json", True),
        ("(" * 5_000 + ")" * 5_000, "python", True),
        ("", "json", True),
    ],
)
def test_whether_code_parses_without_ever_running_it(text, kind, fault):
    assert bool(syntax_fault(text, kind)) == fault


def test_the_first_fenced_block_is_the_code():
    assert code_in("a\n```\nx = 1\n```\nb\n```\ny\n```") == "x = 1\n"


def test_what_does_not_parse_caps_validity_and_proposes_no_code():
    rubric = shipped("aws-assistant")
    subject = Subject(text="{", language="", ticket={"type": "JSON"})
    [proposal] = propose(subject, rubric, checks("aws-assistant"))
    assert (proposal.code, dict(proposal.caps)) == ("", {"validity": 1})


# --- through the command ----------------------------------------------------------------------------------------------

ITEMS = [
    {
        "item": "S01",
        "text": "Où est mon colis?",
        "language": "fr",
        "must_mention": "lundi",
        "must_not_mention": "",
    },
    {
        "item": "S02",
        "text": "Et celui-ci?",
        "language": "fr",
        "must_mention": "",
        "must_not_mention": "mardi",
    },
]
FENCED = f"```\n{answer()}\n```"
RESPONSES = [{"item": i["item"], "run": r, "response": FENCED} for i in ITEMS for r in ("north", "south")]


def grade(item, run_name, levels, codes=""):
    names = ("accuracy", "completeness", "format", "abstention")
    return {
        "grader": "ana",
        "item": item,
        "run": run_name,
        **dict(zip(names, levels, strict=True)),
        "codes": codes,
    }


def test_nothing_is_shown_of_a_response_that_nobody_graded(desk, capsys):
    out = desk.campaign(
        "c", "larkfield", ITEMS, RESPONSES, [grade("S01", "north", (2, 2, 2, 2))], reveal=False
    )
    assert run("code-checks", out, "--json", desk.folder / "c.json", "--lang", "en") == 0
    found = json_of(desk.folder / "c.json")
    assert (found["graded"], found["waiting"]) == (1, 3)
    [difference] = found["differences"]
    assert difference["item"] == "S01"
    assert difference["above"] == {"format": {"grade": 2, "cap": 1}}
    assert difference["run"] is None
    assert found["words_by_run"] == {}
    text = (desk.folder / "c.json").read_text(encoding="utf-8")
    assert "Bonjour" not in text
    assert "north" not in text


def test_a_half_graded_response_waits(desk):
    out = desk.campaign(
        "c", "larkfield", ITEMS, RESPONSES, [grade("S01", "north", (2, "", 2, 2))], reveal=False
    )
    assert run("code-checks", out, "--json", desk.folder / "c.json") == 0
    assert json_of(desk.folder / "c.json")["graded"] == 0


def test_no_grade_and_no_byte_of_a_workbook_is_changed(desk):
    grades = [grade(i["item"], r, (2, 2, 2, 2)) for i in ITEMS for r in ("north", "south")]
    out = desk.campaign("c", "larkfield", ITEMS, RESPONSES, grades)
    before = {p: p.read_bytes() for p in out.rglob("*") if p.is_file()}
    assert run("code-checks", out) == 0
    assert {p: p.read_bytes() for p in out.rglob("*") if p.is_file()} == before


def test_a_check_file_of_ones_own(desk, capsys):
    grades = [grade(i["item"], r, (2, 2, 2, 2)) for i in ITEMS for r in ("north", "south")]
    out = desk.campaign("c", "larkfield", ITEMS, RESPONSES, grades, reveal=False)
    own = desk.folder / "mine.toml"
    own.write_text('right_when_top = ["beauty"]\n', encoding="utf-8")
    assert run("code-checks", out, "--checks", own, "--lang", "en") == 1
    assert "beauty" in capsys.readouterr().err
    assert run("code-checks", out, "--checks", desk.folder / "none.toml") == 2


@pytest.mark.xdist_group("demo")
def test_the_word_check_on_the_demo_errs_in_three_ways(demo, capsys):
    """Against people: 11 of 135 right answers rejected, 6 for other words and 5 for a phrase they deny; 20 wrong ones accepted.

    Six all of one run, as its answers use other words than the key's; five on one ticket, each by another run; and among the accepted
    is the invented rule of U03, which no list of words forbids.
    """
    assert run("code-checks", demo, "--json", "-", "--lang", "en") == 0
    found = json.loads(capsys.readouterr().out)
    words = found["words"]
    assert words["rejected_for"] == {"missing": 6, "unwanted": 0, "negated": 5}
    assert (words["right"], len(words["rejected_right"])) == (135, 11)
    by_run = {name: errors["rejected_for"] for name, errors in found["words_by_run"].items()}
    assert by_run["Gemini 3.1 Pro (preview)"] == {"missing": 6, "unwanted": 0, "negated": 0}
    denied = {r["response"].split("-")[0] for r in words["rejected_right"] if r["kinds"] == ["negated"]}
    assert denied == {"S11"}
    assert sum(errors["negated"] for errors in by_run.values()) == 5
    mistral = found["words_by_run"]["Mistral 7B (local)"]["accepted_wrong"]
    assert [r["codes"] for r in mistral if r["response"].startswith("U03")] == [["invented_rule"]]


@pytest.mark.xdist_group("demo")
def test_on_the_demo_programs_and_the_first_reader_agree_on_every_provable_code(demo, capsys):
    """The demo's answers have exactly the faults their codes name: 25 fences, 4 empty answers, 34 needless hand-overs ..."""
    assert run("code-checks", demo, "--json", "-") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["differences"] == []
    assert {c: t["both"] for c, t in found["codes"].items()} == {
        "answered_alone": 0, "empty": 4, "english_phrase": 5, "fence": 25, "invalid_json": 1, "over_cautious": 34,
        "six_sentences": 11, "text_around_json": 0, "wrong_label": 0, "wrong_language": 2,
    }  # fmt: skip
