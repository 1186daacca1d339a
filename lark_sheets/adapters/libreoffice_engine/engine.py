"""The engine as xlwings sees it, and the applications it has started."""

# ruff: noqa: D102  (a member without a docstring means what xlwings documents it to mean)
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from xlwings import base_classes  # noqa: TID253  (this module loads only when an engine is asked for)

from lark_sheets.adapters.libreoffice_engine import NAME, values
from lark_sheets.adapters.libreoffice_engine.books import Books
from lark_sheets.adapters.libreoffice_engine.cells import Range
from lark_sheets.adapters.libreoffice_engine.office import Office, properties, struct

Answer = Callable[[str, str, str], str]
"""Answers a message box: (text, title, buttons) -> the button's name, as a person would press it."""
_SILENT_ANSWERS = {"ok": "ok", "ok_cancel": "cancel", "yes_no": "no", "yes_no_cancel": "cancel"}
_BOXES = {"ok": 1, "ok_cancel": 2, "yes_no": 3, "yes_no_cancel": 4}
_PRESSED = {0: "cancel", 1: "ok", 2: "yes", 3: "no"}


class Engine:
    """What ``xlwings.Engine`` wraps."""

    name, type = NAME, "desktop"
    prepare_xl_data_element = staticmethod(values.prepared)
    clean_value_data = staticmethod(values.cleaned)

    def __init__(self) -> None:
        self.apps = Apps(self)


class Apps(base_classes.Apps):
    """The running applications, the active one first."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.running: list[App] = []

    def keys(self) -> list[int]:
        return [app.pid for app in self.running]

    def __iter__(self) -> Iterator[App]:
        return iter(list(self.running))

    def __len__(self) -> int:
        return len(self.running)

    def __getitem__(self, pid: int) -> App:
        for app in self.running:
            if app.pid == pid:
                return app
        raise KeyError(pid)

    def add(self, spec: Any = None, add_book: Any = None, xl: Any = None, visible: Any = None) -> App:
        del spec, xl
        app = App(self, visible=bool(visible))
        self.running.insert(0, app)
        if add_book:
            app.books.add()
        return app

    @staticmethod
    def cleanup() -> None:
        """Leave no process behind: each application ends with ours anyway."""


class App(base_classes.App):
    """One LibreOffice. Without a screen, message boxes are kept in ``told`` and answered by ``answer``."""

    display_alerts = enable_events = interactive = True
    hwnd = selection = None

    def __init__(self, apps: Apps, *, visible: bool) -> None:
        self._apps = apps
        self._visible = visible
        self.office = Office(visible=visible)
        self._books = Books(self)
        self.told: list[tuple[str, str, str]] = []
        self.answer: Answer = lambda text, title, buttons: _SILENT_ANSWERS[buttons]
        self.shown: list[str] = []
        """What the status bar said, in order."""
        self.copied: Range | None = None
        self._status: str | bool = False
        self._updating = True

    @property
    def engine(self) -> Engine:
        return self._apps.engine

    @property
    def api(self) -> Any:
        return self.office.desktop

    @property
    def books(self) -> Books:
        return self._books

    @property
    def pid(self) -> int:
        return int(self.office.process.pid)

    @property
    def version(self) -> str:
        return self.office.version

    @property
    def visible(self) -> bool:
        return self._visible

    @visible.setter
    def visible(self, visible: Any) -> None:
        """Do nothing: whether there are windows is settled when LibreOffice starts."""

    def activate(self, steal_focus: bool = False) -> None:
        del steal_focus
        self._apps.running.remove(self)
        self._apps.running.insert(0, self)

    def quit(self) -> None:
        """Close everything without saving and end."""
        if self in self._apps.running:
            self._apps.running.remove(self)
        for book in list(self.books.open_books):
            book.close()
        self.office.end()

    def kill(self) -> None:
        self.quit()

    # -- calculation and screen -----------------------------------------------------------------------------------------

    @property
    def calculation(self) -> str:
        automatic = all(book.document.isAutomaticCalculationEnabled() for book in self.books)
        return "automatic" if automatic else "manual"

    @calculation.setter
    def calculation(self, value: str) -> None:
        for book in self.books:
            book.document.enableAutomaticCalculation(value == "automatic")

    def calculate(self) -> None:
        for book in self.books:
            book.document.calculateAll()

    @property
    def screen_updating(self) -> bool:
        return self._updating

    @screen_updating.setter
    def screen_updating(self, value: bool) -> None:
        if value == self._updating:
            return
        self._updating = bool(value)
        for book in self.books:
            if value and book.document.hasControllersLocked():
                book.document.unlockControllers()
            elif not value:
                book.document.lockControllers()

    @property
    def status_bar(self) -> str | bool:
        return self._status

    @status_bar.setter
    def status_bar(self, value: str | bool) -> None:
        self._status = value or False
        if value:
            self.shown.append(str(value))
        for book in self.books:
            controller = book.document.CurrentController
            indicator = getattr(controller, "StatusIndicator", None) if controller else None
            if indicator is not None:
                indicator.start(str(value), 0) if value else indicator.end()

    @property
    def cut_copy_mode(self) -> str | None:
        return "copy" if self.copied else None

    @cut_copy_mode.setter
    def cut_copy_mode(self, value: bool) -> None:
        if not value:
            self.copied = None

    # -- asking and running ----------------------------------------------------------------------------------------------

    def alert(self, prompt: Any, title: Any, buttons: Any, mode: Any, callback: Any) -> str:
        del callback
        text, heading, kind = str(prompt or ""), str(title or ""), str(buttons or "ok")
        self.told.append((text, heading, kind))
        if not self._visible:
            return self.answer(text, heading, kind)
        box = struct("com.sun.star.awt.MessageBoxType", "WARNINGBOX" if mode == "critical" else "MESSAGEBOX")
        window = self.office.desktop.CurrentFrame.ContainerWindow
        shown = self.office.service("com.sun.star.awt.Toolkit").createMessageBox(
            window, box, _BOXES[kind], heading, text
        )
        return _PRESSED[shown.execute()]

    def run(self, macro: str, args: Any) -> Any:
        """Run a Basic (VBA) macro of the active book: "Module.Macro", also with the book's name before a "!"."""
        name = macro.rpartition("!")[2].strip("'")
        uri = f"vnd.sun.star.script:VBAProject.{name}?language=Basic&location=document"
        script = self.books.active.document.getScriptProvider().getScript(uri)
        return script.invoke(tuple(args), (), ())[0]

    def range(self, arg1: Any, arg2: Any = None) -> Any:
        return self.books.active.sheets.active.range(arg1, arg2)

    def execute(self, document: Any, command: str, **arguments: Any) -> None:
        """Send one of LibreOffice's own commands (".uno:Undo") to a document's window."""
        dispatcher = self.office.service("com.sun.star.frame.DispatchHelper")
        frame = document.CurrentController.Frame
        dispatcher.executeDispatch(frame, command, "", 0, properties(**arguments))
