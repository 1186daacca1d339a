"""One library each: spreadsheets, tables, PDF, the judge. Adapters do not know each other."""
