"""The ledger in one SQLite file beside the campaign."""

from lark_sheets.adapters.ledger.store import SqliteLedger

__all__ = ["SqliteLedger"]
