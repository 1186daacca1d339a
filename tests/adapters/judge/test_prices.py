"""The price table: edited by its owner, refused cell by cell, proposals never silent and never by a similar name."""

import datetime as dt
from fractions import Fraction

import pytest

from lark_sheets.adapters.prices import COLUMNS, price_table, propose, read_prices
from lark_sheets.core.judging.money import Price
from lark_sheets.core.judging.reasons import Mode
from lark_sheets.errors import DataError, MissingPiece

DAY = dt.date(2026, 11, 29)
ROW = {
    "provider": "anthropic",
    "model": "m-1",
    "mode": "live",
    "above_prompt_tokens": "",
    "input": "2",
    "output": "10.5",
    "cache_read": "0.1",
    "cache_write": "",
    "cache_write_hour": "",
    "currency": "",
    "source": "invoice",
    "as_of": "2026-10-01",
    "entered_by": "Grace",
}


def table(tmp_path, *rows):
    path = tmp_path / "prices.csv"
    lines = [",".join(COLUMNS)] + [",".join(row.values()) for row in rows]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def test_a_row_is_read_exactly(tmp_path):
    (price,) = read_prices(table(tmp_path, ROW))
    assert (price.input, price.output, price.cache_read) == (2, Fraction("10.5"), Fraction("0.1"))
    assert (price.cache_write, price.currency, price.above) == (None, "USD", 0)


def test_no_file_is_no_price(tmp_path):
    """Empty by default: nothing is known until its owner says so."""
    assert read_prices(tmp_path / "prices.csv") == ()
    assert read_prices(table(tmp_path)) == ()


def test_empty_rows_are_skipped(tmp_path):
    assert len(read_prices(table(tmp_path, ROW, dict.fromkeys(ROW, "")))) == 1


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("input", ""),
        ("input", "two"),
        ("output", "-1"),
        ("output", "1/0"),
        ("input", "nan"),
        ("cache_read", "cheap"),
        ("mode", "both"),
        ("model", ""),
        ("provider", ""),
        ("above_prompt_tokens", "1e5"),
        ("as_of", "01/10/2026"),
        ("as_of", ""),
    ],
)
def test_a_cell_that_cannot_stand_is_refused_by_its_place(tmp_path, column, value):
    with pytest.raises(DataError) as caught:
        read_prices(table(tmp_path, ROW, ROW | {column: value}))
    (fault,) = caught.value.problems
    assert (fault.code, fault.file, fault.found) == ("price_fault", "prices.csv", value)
    assert (fault.parameters["column"], fault.parameters["row"]) == (column, 3)


def test_all_faults_are_told_at_once(tmp_path):
    with pytest.raises(DataError) as caught:
        read_prices(table(tmp_path, ROW | {"input": "x", "mode": "y"}, ROW | {"output": "z"}))
    assert len(caught.value.problems) == 3


def test_what_is_written_is_read_back(tmp_path):
    prices = (
        Price(
            provider="p",
            model="m, with a comma",
            mode=Mode.BATCH,
            input=Fraction(1, 10),
            output=Fraction(5),
            above=100000,
            as_of="2026-01-01",
        ),
        Price(
            provider="p",
            model="m",
            mode=Mode.LIVE,
            input=Fraction(0),
            output=Fraction(5, 4),
            cache_write_hour=Fraction(4),
            as_of="2026-01-01",
            currency="CAD",
        ),
    )
    path = tmp_path / "prices.csv"
    path.write_text(price_table(prices), "utf-8")
    assert read_prices(path) == prices


class TestProposals:
    @pytest.fixture(autouse=True)
    def package(self):
        pytest.importorskip("genai_prices")

    def test_live_and_batch_with_their_source_and_date(self):
        live, batch = propose("anthropic", "claude-sonnet-5-5", today=DAY, entered_by="Grace")
        assert (live.input, live.output, live.mode) == (2, 10, Mode.LIVE)
        assert (batch.input, batch.output, batch.mode) == (1, 5, Mode.BATCH)
        assert live.source.startswith("genai-prices ")
        assert (live.as_of, live.entered_by) == ("2026-11-29", "Grace")

    def test_long_prompts_have_rows_of_their_own(self):
        rows = [
            p
            for p in propose("anthropic", "claude-haiku-5-5", today=DAY, entered_by="")
            if p.mode is Mode.LIVE
        ]
        assert [(p.above, p.input, p.output) for p in rows] == [
            (0, Fraction(1, 10), Fraction(1, 2)),
            (100000, Fraction(1, 2), Fraction(5, 2)),
        ]

    @pytest.mark.parametrize(
        "name", ["claude-sonnet-5-5-20991231", "claude-sonnet-5-5-next", "nobody-knows-this"]
    )
    def test_a_name_that_merely_begins_alike_has_no_price(self, name):
        """The package itself would take the first for the model without a date: a guess about money."""
        assert propose("anthropic", name, today=DAY, entered_by="") == ()


def test_without_the_package_its_remedy_is_told(monkeypatch):
    import lark_sheets.adapters.prices as module

    def missing(name):
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(module, "import_module", missing)
    with pytest.raises(MissingPiece) as caught:
        propose("anthropic", "m", today=DAY, entered_by="")
    assert caught.value.problems[0].parameters["extra"] == "genai-prices"
