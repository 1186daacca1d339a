"""The real buttons, pressed in a real spreadsheet program: form button, macro, RunPython, Python, cells.

LibreOffice cannot run xlwings' own module, so that a short one takes its place: it hands the command to this process, which runs it as
the command line of xlwings would.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import xlwings  # noqa: TC002

from lark_sheets.adapters.libreoffice_engine.office import bridge
from lark_sheets.addin.build import modules
from lark_sheets.addin.build.parts import MACRO_TYPE, workbook_file
from lark_sheets.addin.build.vba_project import vba_project
from lark_sheets.locales import translator

SERVICE = "org.larksheets.Runner"
RUNNER = f"""Attribute VB_Name = "xlwings"
Public Function RunPython(command As String)
    Dim runner
    Set runner = CreateUnoService("{SERVICE}")
    runner.trigger command
End Function
"""


class Buttons:
    """The workbook with form buttons, opened in LibreOffice; ``commands`` are what its macros asked Python to run."""

    def __init__(self, app: xlwings.App, folder: Path, language: str = "en") -> None:
        from lark_sheets.addin.build import _configuration, _panel

        project = vba_project(modules(["Sheet1", "Sheet2"], runner=RUNNER))
        sheets = [_panel(translator(language)), _configuration("python", "Sheet2", visible=False)]
        path = folder / "buttons.xlsm"
        path.write_bytes(workbook_file(sheets, project, content_type=MACRO_TYPE))
        self.commands: list[str] = []
        _serve(app, self.commands)
        self.app = app
        self.book = app.books.open(str(path))

    @property
    def scripts(self) -> dict[str, str]:
        """The script that each button runs, by its caption."""
        forms = self.book.sheets[0].api.DrawPage.Forms
        found = {}
        for form in (forms.getByIndex(n) for n in range(forms.Count)):
            for number in range(form.Count):
                for event in form.getScriptEvents(number):
                    found[form.getByIndex(number).Label] = event.ScriptCode
        return found

    def press(self, caption: str, on: xlwings.Book | None = None) -> None:
        """Press a button, ``on`` being the workbook in front."""
        script = self.book.api.getScriptProvider().getScript(self.scripts[caption])
        (on or self.book).activate()
        script.invoke((), (), ())


def _serve(app: xlwings.App, commands: list[str]) -> None:
    """Put the service that the macros call into LibreOffice; one of an earlier test is replaced."""
    bridge()
    import unohelper
    from com.sun.star.lang import XServiceInfo, XSingleComponentFactory
    from com.sun.star.task import XJobExecutor

    class Runner(unohelper.Base, XJobExecutor):
        def trigger(self, command: str) -> None:
            commands.append(command)
            exec(command, {})

    class Factory(unohelper.Base, XSingleComponentFactory, XServiceInfo):
        def createInstanceWithContext(self, context: Any) -> Any:
            return Runner()

        def createInstanceWithArgumentsAndContext(self, arguments: Any, context: Any) -> Any:
            return Runner()

        def getImplementationName(self) -> str:
            return SERVICE

        def supportsService(self, name: str) -> bool:
            return name == SERVICE

        def getSupportedServiceNames(self) -> tuple[str, ...]:
            return (SERVICE,)

    manager = app.impl.office.context.ServiceManager
    former = _SERVED.pop(id(app.impl), None)
    if former is not None:
        manager.remove(former)
    factory = Factory()
    manager.insert(factory)
    _SERVED[id(app.impl)] = factory


_SERVED: dict[int, Any] = {}
