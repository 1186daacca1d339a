"""Every worked example of docs/protocols runs, command by command, and says what the document says it says.

A block ```kind file=NAME``` is written to a file; a ```console``` block holds commands ("$ lark-sheets ...") and what they print. A command without
a printed answer only has to succeed; "requires=LIBRARY" skips the example where an optional library is missing; "(exit 1)" at its end is the exit code expected; "..." stands for anything.
"""

import doctest
import itertools
import re
import secrets
import shlex

import pytest

from lark_sheets.cli import main
from tests.conftest import ROOT

DOCUMENTS = sorted((ROOT / "docs" / "protocols").glob("*.md"))
BLOCK = re.compile(
    r"^```(?P<kind>\w+)(?: file=(?P<file>\S+))?(?: requires=(?P<requires>\w+))?\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
COMMAND = re.compile(r"^\$ lark-sheets (?P<words>.*?)(?:  +\(exit (?P<code>\d)\))?$")
CHECKER = doctest.OutputChecker()
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def commands(body):
    """Yield the words of each command, its exit code, and the lines that it prints."""
    found = []
    for line in body.splitlines(keepends=True):
        if match := COMMAND.match(line.rstrip("\n")):
            found.append((shlex.split(match["words"]), int(match["code"] or 0), []))
        else:
            found[-1][2].append(line)
    return [(words, code, "".join(lines)) for words, code, lines in found]


@pytest.mark.parametrize("path", DOCUMENTS, ids=[path.stem for path in DOCUMENTS])
def test_a_worked_example(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "workbooks").symlink_to(ROOT / "workbooks")  # as in a checkout
    monkeypatch.setenv("LARK_SHEETS_LANG", "en")
    salts = itertools.count(0x5A)
    monkeypatch.setattr(secrets, "token_hex", lambda size=16: f"{next(salts):02x}" * size)
    ran = 0
    for block in BLOCK.finditer(path.read_text(encoding="utf-8")):
        if block["file"]:
            (tmp_path / block["file"]).write_text(block["body"], encoding="utf-8")
        elif block["kind"] == "console":
            if block["requires"]:
                pytest.importorskip(block["requires"])
            for words, code, expected in commands(block["body"]):
                left = main(words)
                printed = capsys.readouterr()
                assert left == code, f"{words}: {printed.err}"
                shown = printed.out.replace(str(tmp_path), ".")
                assert not expected or CHECKER.check_output(expected, shown, FLAGS), (
                    f"{words}:\n{shown}\n{printed.err}"
                )
                ran += 1
    assert ran, "a protocol without a worked example"


def test_there_is_one_document_for_each_protocol():
    assert {
        "code-checks",
        "refusals",
        "comparing",
        "similarity",
        "export",
        "aws-assistant",
        "support-verdict",
    } <= {path.stem for path in DOCUMENTS}
