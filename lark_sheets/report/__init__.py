"""The report: every number and sentence ready, so that templates neither count nor choose words."""
