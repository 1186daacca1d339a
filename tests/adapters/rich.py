"""A workbook with everything that people and Excel put into one, to see that nothing of it is lost."""

from __future__ import annotations

import base64
import io
import zipfile
from pathlib import Path

import xlsxwriter

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYPj/HwADAgH/p1rLrQAAAABJRU5ErkJggg=="
)
ROWS = 20
FIRST, LAST = 6, 25
"""Rows of the data of tblScores, header in row 5, columns A to G."""


def rich_workbook(path: Path) -> None:
    """Write it: table with formulas, lists, formats, notes, pictures, charts, sparklines, names, protection, a hidden sheet."""
    book = xlsxwriter.Workbook(path)
    sheet, lists = book.add_worksheet("Grading"), book.add_worksheet("Lists")
    book.add_worksheet("secret").very_hidden()
    lists.write_column("A1", [0, 1, 2])
    unlocked = book.add_format({"locked": False, "border": 1})
    columns = [
        {"header": name} for name in ("id", "letter", "accuracy", "completeness", "format", "abstention")
    ]
    data = [[f"S{n:02}", "ABCD"[n % 4], n % 3, 2, 2, 2] for n in range(ROWS)]
    sheet.add_table(
        f"A5:G{LAST}", {"name": "tblScores", "data": data, "columns": [*columns, {"header": "total"}]}
    )
    for row in range(FIRST, LAST + 1):
        sheet.write_formula(f"G{row}", f"=SUM(C{row}:F{row})", None, (row - FIRST) % 3 + 6)
        sheet.write_number(f"C{row}", (row - FIRST) % 3, unlocked)
    sheet.write_string("A1", "=not a formula", unlocked)
    sheet.write_rich_string("B1", "plain ", book.add_format({"bold": True}), "bold", " end")
    sheet.data_validation(f"C{FIRST}:F{LAST}", {"validate": "list", "source": "=Lists!$A$1:$A$3"})
    sheet.data_validation(f"B{FIRST}:B{LAST}", {"validate": "list", "source": ["A", "B", "C", "D"]})
    sheet.conditional_format(f"G{FIRST}:G{LAST}", {"type": "data_bar", "data_bar_2010": True})
    sheet.conditional_format(
        f"C{FIRST}:F{LAST}",
        {"type": "cell", "criteria": "==", "value": 0, "format": book.add_format({"bg_color": "#FFCCCC"})},
    )
    sheet.write_comment("B6", "a note of the grader")
    sheet.insert_textbox("K14", "read me")
    sheet.insert_image("K2", "dot.png", {"image_data": io.BytesIO(PNG), "description": "a dot"})
    sheet.add_sparkline("I6", {"range": "Grading!C6:F6"})
    sheet.add_sparkline(f"A{LAST}", {"range": f"Grading!C{LAST}:F{LAST}"})
    sheet.unprotect_range(f"C{FIRST}:F{LAST}", "typed")
    chart = book.add_chart({"type": "column"})
    chart.add_series({"values": f"=Grading!$G${FIRST}:$G${LAST}"})
    sheet.insert_chart("M2", chart)
    sheet.freeze_panes(5, 2)
    sheet.protect("secret")
    sheet.set_header("&L&G&P", {"image_left": "dot.png", "image_data_left": io.BytesIO(PNG)})
    sheet.merge_range("A2:C2", "merged")
    book.define_name("Weights", "=Lists!$A$1:$A$2")
    book.set_custom_property("lark", "abc")
    book.set_properties({"author": "Somebody", "manager": "Else"})
    book.close()
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("customXml/item1.xml", "<own><data>é</data></own>")
        archive.comment = b"a comment of the archive"
