"""Build the add-in: ``python -m lark_sheets.addin`` writes the files of ``built`` anew; the same sources give the same bytes."""

from __future__ import annotations

from lark_sheets.addin import BUILT, addin_name, panel_name
from lark_sheets.addin.build import build_addin, build_panel
from lark_sheets.core.language import LANGUAGES


def main() -> None:
    """Write every built file."""
    BUILT.mkdir(exist_ok=True)
    for language in LANGUAGES:
        for name, data in (
            (addin_name(language), build_addin(language)),
            (panel_name(language), build_panel(language)),
        ):
            (BUILT / name).write_bytes(data)
            print(f"{name}  {len(data)} bytes")


if __name__ == "__main__":
    main()
