"""`python -m lark_sheets` is the command `lark-sheets`."""

import sys

from lark_sheets.cli import main

if __name__ == "__main__":
    sys.exit(main())
