"""The workbook: its one layout, how a campaign becomes sheets, and how sheets become a campaign."""
