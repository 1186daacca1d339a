"""Lark Sheets: grade answers of language models in Excel, read in one PDF which to trust."""

__version__ = "0.1.0"
