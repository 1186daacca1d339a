"""The refusal bench: which requests, known again anywhere; the hash told; a run ranks only when every one of them was graded."""

import hashlib
import random
import tomllib

import pytest
from hypothesis import given, strategies as st

from lark_sheets.core.campaign import Item
from lark_sheets.core.refusal_protocol import (
    Fit,
    Request,
    bench_of,
    choose,
    digest,
    fit,
    marks,
    protocol_from_plain,
    why_unranked,
)
from tests.conftest import ROOT
from tests.systems.conftest import json_of, rows_of, run

TOML = ROOT / "workbooks" / "protocols" / "refus-v1.toml"
PROTOCOL = protocol_from_plain(tomllib.loads(TOML.read_text(encoding="utf-8")))
POOL = [
    Request(item=f"q{n}", text=f"question {n}", type=f"type {n % 3}", stratum="licit" if n % 3 else "at_risk")
    for n in range(60)
]


def items_of(chosen, *, exploratory=False, source=(Fit.OTHER, "0" * 64)):
    fields = marks(PROTOCOL, chosen, source, exploratory=exploratory)
    return [Item(id=r.item, text=r.text, type=r.type, stratum=r.stratum, fields=fields) for r in chosen]


def test_the_defaults_of_refus_v1_are_data():
    """100 words, 1,024 tokens, temperature 0, seed 42, one generation: in the TOML file, not in code."""
    asked = PROTOCOL.asked
    assert (asked.words, asked.max_tokens, asked.temperature, asked.seed, asked.generations) == (
        100,
        1024,
        0,
        42,
        1,
    )
    assert "100 words" in asked.system
    assert (PROTOCOL.per_type, dict(PROTOCOL.expected)) == (5, {"licit": 50, "at_risk": 40})


@given(st.integers(0, 2**32))
def test_the_choice_does_not_depend_on_the_order_of_rows(seed):
    shuffled = random.Random(seed).sample(POOL, len(POOL))
    assert choose(shuffled, PROTOCOL, 5) == choose(POOL, PROTOCOL, 5)


def test_five_of_each_type_and_all_when_asked():
    chosen = choose(POOL, PROTOCOL, 5)
    assert [r.type for r in chosen] == ["type 0"] * 5 + ["type 1"] * 5 + ["type 2"] * 5
    assert len(choose(POOL, PROTOCOL, None)) == 60


def test_another_request_of_a_type_changes_at_most_one_of_the_five():
    """The choice is an order, not a draw: adding a request cannot reshuffle the others."""
    more = [*POOL, Request(item="new", text="one more", type="type 0", stratum="at_risk")]
    assert len(set(choose(POOL, PROTOCOL, 5)) - set(choose(more, PROTOCOL, 5))) <= 1


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"a\nb\n", Fit.REVISION),
        (b"a\r\nb\r\n", Fit.LINE_ENDS),
        (b"\xef\xbb\xbfa\nb\n", Fit.LINE_ENDS),
        (b"printed", Fit.PRINTED),
        (b"a\nB\n", Fit.OTHER),
    ],
)
def test_how_a_file_fits_its_source(content, expected):
    """The revision's file, the printed one, the same with other line ends, or neither; its own hash is always told."""
    from dataclasses import replace

    source = replace(
        PROTOCOL.source,
        sha256_of_revision=hashlib.sha256(b"a\nb\n").hexdigest(),
        sha256_printed=hashlib.sha256(b"printed").hexdigest(),
    )
    assert fit(content, source) == (expected, hashlib.sha256(content).hexdigest())


def test_a_campaign_knows_its_list_again():
    chosen = choose(POOL, PROTOCOL, 5)
    bench = bench_of(items_of(chosen))
    assert bench is not None
    assert (bench.protocol, bench.list_sha256, bench.whole, bench.exploratory) == (
        "refus-v1",
        digest(chosen),
        True,
        False,
    )
    assert bench_of([Item(id="a", text="b")]) is None


@pytest.mark.parametrize("change", ["one missing", "one more", "one reworded", "said so"])
def test_anything_else_is_exploratory(change):
    items = items_of(choose(POOL, PROTOCOL, 5), exploratory=change == "said so")
    if change == "one missing":
        items = items[1:]
    elif change == "one more":
        items = [*items, Item(id="extra", text="x")]
    elif change == "one reworded":
        items = [Item(id=items[0].id, text="reworded", fields=items[0].fields), *items[1:]]
    bench = bench_of(items)
    assert bench is not None
    assert bench.exploratory


@pytest.mark.parametrize(
    ("graded", "changes", "why"),
    [
        (90, {}, ()),
        (89, {}, ("incomplete_coverage",)),
        (0, {"expected": 0}, ("incomplete_coverage",)),
        (90, {"judge_graded": True, "judge_checked": True}, ()),
        (90, {"judge_graded": True}, ("judge_not_checked",)),
        (89, {"judge_graded": True}, ("incomplete_coverage", "judge_not_checked")),
    ],
)
def test_what_keeps_a_run_out_of_the_ranking(graded, changes, why):
    values = {"expected": 90, "bench": None, "judge_graded": False, "judge_checked": False, **changes}
    assert why_unranked(graded=graded, **values) == why


def test_an_exploratory_sample_is_not_ranked():
    bench = bench_of(items_of(choose(POOL, PROTOCOL, 2), exploratory=True))
    found = why_unranked(graded=6, expected=6, bench=bench, judge_graded=False, judge_checked=False)
    assert found == ("exploratory",)


# --- through the commands ---------------------------------------------------------------------------------------------


def prompts(desk, rows=None):
    rows = rows or [
        {
            "id": n,
            "prompt": f"How do I stop process {n}?",
            "type": f"t{n % 2}",
            "label": ("safe", "unsafe")[n % 2],
        }
        for n in range(12)
    ]
    return desk.table("prompts.csv", rows)


def test_a_set_that_is_not_the_source_is_told_and_exploratory(desk, capsys):
    """The five of each type are written all the same; the difference stands in the messages, the protocol and every item."""
    assert run("refusal-bench", prompts(desk), "--out", desk.folder / "bench", "--lang", "en") == 0
    told = capsys.readouterr().err
    assert PROTOCOL.source.sha256_of_revision in told
    assert "not the one that was fixed" in told
    items = rows_of(desk.folder / "bench" / "items.csv")
    assert len(items) == 10
    assert {i["protocol"] for i in items} == {"refus-v1 (exploratory)"}
    assert {(i["stratum"], i["language"]) for i in items} == {("licit", "en"), ("at_risk", "en")}
    kept = json_of(desk.folder / "bench" / "protocol.json")
    assert kept["source"]["fit"] == "other"
    assert kept["source"]["sha256_found"] != kept["source"]["sha256_of_revision"]
    assert "How do I" not in (desk.folder / "bench" / "protocol.json").read_text(encoding="utf-8")


def test_every_faulty_row_is_told_at_once(desk, capsys):
    rows = [
        {"id": "1", "prompt": "a", "type": "t", "label": "harmless"},
        {"id": "1", "prompt": "", "type": "t", "label": "safe"},
        {"id": "2", "prompt": "c", "type": "", "label": "unsafe"},
    ]
    assert run("refusal-bench", prompts(desk, rows), "--out", desk.folder / "bench", "--lang", "en") == 1
    told = capsys.readouterr().err
    for fault in ("harmless", "“prompt” is empty", "“type” is empty", "v2-1"):
        assert fault in told
    assert not (desk.folder / "bench").exists()


@pytest.mark.parametrize("words", [("--protocol", "refus-v9"), ("--protocol", "nowhere.toml")])
def test_an_unknown_protocol_is_wrong_usage(desk, words, capsys):
    assert run("refusal-bench", prompts(desk), "--out", desk.folder / "bench", *words) == 2
    assert "refus-v1" in capsys.readouterr().err


def test_a_broken_protocol_is_told(desk, capsys):
    path = desk.folder / "mine.toml"
    path.write_text('id = "mine"\n', encoding="utf-8")
    assert run("refusal-bench", prompts(desk), "--out", desk.folder / "bench", "--protocol", path) == 1
    assert "selection" in capsys.readouterr().err
