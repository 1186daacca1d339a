"""Agreement between readers, on count tables: see docs/statistics.md for formulas, sources and limits."""

from lark_sheets.core.agreement.breakdown import AllCriteria, on_all_criteria, pairwise
from lark_sheets.core.agreement.by_ticket import ByTicket, by_ticket
from lark_sheets.core.agreement.notes import Note, NoteId, notes_on, notes_on_passes
from lark_sheets.core.agreement.placing import PlacedNote, place_notes
from lark_sheets.core.agreement.readers import ReaderKind, reader_kind
from lark_sheets.core.agreement.states import State, Statistic
from lark_sheets.core.agreement.summary import Agreement, agreement, agreement_of
from lark_sheets.core.agreement.tables import CountTable, Readings, count

__all__ = [
    "Agreement",
    "AllCriteria",
    "ByTicket",
    "CountTable",
    "Note",
    "NoteId",
    "PlacedNote",
    "ReaderKind",
    "Readings",
    "State",
    "Statistic",
    "agreement",
    "agreement_of",
    "by_ticket",
    "count",
    "notes_on",
    "notes_on_passes",
    "on_all_criteria",
    "pairwise",
    "place_notes",
    "reader_kind",
]
