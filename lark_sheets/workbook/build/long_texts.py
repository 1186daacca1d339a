"""Texts that do not fit their cell: kept whole, in parts, on a sheet of their own.

Two cases. A text longer than a cell can hold (32,767 characters): the cell shows its beginning and says where the rest stands; the parts,
joined in their order without anything between them, are the text. A text that a cell holds but no row can show: the cell holds it whole, and
the parts are there to be read in comfort, under an id of another form.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lark_sheets.core.bookplan import SheetPlan
from lark_sheets.workbook import layout
from lark_sheets.workbook.build import styles
from lark_sheets.workbook.build.tables import Frame, put_table, row_height

SHOWN = 1_200
"""Characters of a text too long for a cell that its cell still shows."""
PART = 3_000
"""Characters of one part, so that the tallest row shows it."""
HEADER_ROW = 4


def utf16_units(text: str) -> int:
    """Return the length of a text as spreadsheets count it: characters beyond the basic plane count twice."""
    return len(text) + sum(character > "\uffff" for character in text)


def parts(text: str, size: int = PART) -> list[str]:
    """Cut a text into parts that a row can show; joined without anything between them they are the text again.

    Cuts fall after a line end, else after a blank, else where they must; never inside a pair of combining characters.
    """
    pieces: list[str] = []
    while text:
        cut = _cut(text, size)
        pieces.append(text[:cut])
        text = text[cut:]
    return pieces


def _cut(text: str, size: int) -> int:
    if len(text) <= size and styles.fits(text, _TEXT_WIDTH):
        return len(text)
    limit = min(size, len(text))
    while limit > 200 and not styles.fits(text[:limit], _TEXT_WIDTH):
        limit = limit * 3 // 4
    for mark in ("\n", " "):
        cut = text.rfind(mark, limit // 2, limit) + 1
        if cut > 0:
            return cut
    return limit


_TEXT_WIDTH = layout.TEXTS_TABLE.column("text").width


@dataclass(slots=True)
class LongTexts:
    """Collects the texts that the Texts sheet will hold, and says what a cell shows of them."""

    frame: Frame
    rows: list[dict[str, str | int]] = field(default_factory=list)
    first_row: dict[str, int] = field(default_factory=dict)

    def cell(
        self, text: str, whole_id: str, *, item: str, label: str, what: str, width: float
    ) -> tuple[str, str]:
        """Return what a cell shows of a text, and a link to the whole of it ("" when the cell shows it whole).

        ``whole_id`` is the id under which a text too long for a cell is kept; ``width`` that of the cell's column.
        """
        too_long = utf16_units(text) > layout.CELL_LIMIT
        if not too_long and styles.fits(text, width):
            return text, ""
        name = whole_id if too_long else layout.view_text_id(whole_id)
        link = self.frame.link(layout.TEXTS, self._keep(text, name, item, label, what), 2)
        if not too_long:
            return text, link
        note = self.frame.translate(
            "[…] Too long for a cell: the whole text stands on the sheet “{sheet}”, {item} {label}.",
            sheet=self.frame.name(layout.TEXTS),
            item=item,
            label=label,
        )
        return f"{text[:SHOWN]}\n{note}", link

    def _keep(self, text: str, name: str, item: str, label: str, what: str) -> int:
        if name not in self.first_row:
            self.first_row[name] = HEADER_ROW + 1 + len(self.rows)
            for number, piece in enumerate(parts(text), 1):
                self.rows.append(
                    {"id": name, "item": item, "label": label, "what": what, "part": number, "text": piece}
                )
        return self.first_row[name]

    def plan(self) -> SheetPlan | None:
        """Return the Texts sheet, or None when every text fits."""
        if not self.rows:
            return None
        frame = self.frame
        sheet = frame.sheet(layout.TEXTS, protected=True, freeze=(HEADER_ROW + 1, 1))
        sheet.repeated_rows = (HEADER_ROW, HEADER_ROW)
        sheet.put(1, 2, frame.translate("Long texts"), styles.TITLE)
        sheet.put(
            2,
            2,
            frame.translate("Texts that their cell cannot show whole, in parts; nothing is cut."),
            styles.QUIET_LINE,
        )
        sheet.put(3, 2, frame.translate("Back to grading"), styles.LINK_LINE, link=frame.link(layout.GRADING))
        put = put_table(
            sheet,
            layout.TEXTS_TABLE,
            self.rows,
            frame.language,
            top=HEADER_ROW,
            style=lambda key: styles.READ if key == "text" else styles.READ_CENTRED,
        )
        for number, row in enumerate(self.rows):
            sheet.row_heights[put.first + number] = row_height(layout.TEXTS_TABLE, row, 20)
        return sheet
