"""The rules of grading, pure: no file, no network, no spreadsheet, no clock."""
