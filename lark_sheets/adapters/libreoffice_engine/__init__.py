"""An xlwings engine on LibreOffice: what is written against xlwings runs in a real spreadsheet program where there is no Excel.

``activate()`` registers it; then plain ``xw.App()`` and ``xw.Book(path)`` start LibreOffice without a screen, on a private pipe and in
a profile of its own, so that nobody's open LibreOffice is touched. It serves our tests and people who use LibreOffice.

Missing, and told by ``NotImplementedError``: pictures, charts, shapes, comments, fonts, autofilters, page set-up, conditional formats.
Value types are LibreOffice's, not those of Excel's own interface.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import xlwings

NAME = "libreoffice"


def activate() -> xlwings.Engine:
    """Register the engine with xlwings, once, make it the active one, and return it.

    Raises :class:`~lark_sheets.errors.MissingPiece` where LibreOffice or its Python bridge is not installed.
    """
    import xlwings

    from lark_sheets.adapters.libreoffice_engine.engine import Engine
    from lark_sheets.adapters.libreoffice_engine.office import bridge

    bridge()
    for known in xlwings.engines:
        if known.name == NAME:
            known.activate()
            return known
    engine = xlwings.Engine(impl=Engine())
    xlwings.engines.add(engine)
    engine.activate()
    return engine
