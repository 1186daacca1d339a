"""The report: every number and sentence ready before a template sees it."""
