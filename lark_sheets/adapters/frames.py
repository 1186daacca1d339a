"""Tables for analysts through pandas: CSV, JSON lines and Parquet, with whole numbers that stay whole where a value is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from lark_sheets.adapters import replace_whole
from lark_sheets.core.problems import problem
from lark_sheets.core.tidy import Column, Value
from lark_sheets.errors import MissingPiece

if TYPE_CHECKING:
    from pandas import DataFrame

TYPES = {"text": "string", "whole": "Int64", "truth": "boolean"}
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


class PandasFrames:
    """Tables as files (implements :class:`lark_sheets.ports.Frames`)."""

    def write(self, rows: Sequence[Mapping[str, Value]], columns: Sequence[Column], path: Path) -> None:
        """Write a table in the format of its file's name.

        In CSV and TSV a text that starts like a formula gets an apostrophe in front, since a spreadsheet that opens the file would
        compute it; JSON lines and Parquet hold every text as it is.

        Raises:
            MissingPiece: Parquet without the library that writes it, or a locked file.
        """
        frame = _frame(rows, columns)
        kind = path.suffix.lower()
        if kind == ".parquet":
            replace_whole(path, lambda file: _parquet(frame, file))
        elif kind == ".jsonl":
            text = frame.to_json(orient="records", lines=True, force_ascii=False)
            replace_whole(path, lambda file: file.write(text.encode()))
        else:
            separator = "\t" if kind == ".tsv" else ","
            # The byte order mark tells a spreadsheet that opens the file which encoding it has.
            text = "\ufeff" + _disarmed(frame, columns).to_csv(
                index=False, sep=separator, lineterminator="\r\n"
            )
            replace_whole(path, lambda file: file.write(text.encode()))


def _frame(rows: Sequence[Mapping[str, Value]], columns: Sequence[Column]) -> DataFrame:
    import pandas as pd

    frame = pd.DataFrame({c.name: pd.Series([row[c.name] for row in rows], dtype="object") for c in columns})
    return frame.astype({c.name: TYPES[c.kind] for c in columns})


def _disarmed(frame: DataFrame, columns: Sequence[Column]) -> DataFrame:
    def safe(value: Any) -> Any:
        return "'" + value if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value

    changed = frame.copy()
    for column in columns:
        if column.kind == "text":
            changed[column.name] = changed[column.name].map(safe, na_action="ignore").astype("string")
    return changed


def _parquet(frame: DataFrame, file: BinaryIO) -> None:
    try:
        frame.to_parquet(file, index=False)
    except ImportError as fault:
        raise MissingPiece(
            problem("missing_extra", found="pyarrow", feature="Parquet", how="pip install pyarrow")
        ) from fault
