"""A VBA project from readable source (MS-OVBA): its directory, its PROJECT text, its modules; no compiled code.

A project without compiled code is what the specification asks of a writer (2.3.4.1: version 0xFFFF, no performance cache); Excel
compiles it when it is opened. The module of xlwings in xlwings' own shipped add-ins is stored in the same way.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from lark_sheets.addin.build.compound_file import compound_file
from lark_sheets.addin.build.compression import compress, decompress

CODEPAGE = "cp1252"
PROJECT_ID = "{917DED54-440B-4FD1-A5C1-74ACF261E600}"
WORKBOOK_CLASS = "00020819-0000-0000-C000-000000000046"
SHEET_CLASS = "00020820-0000-0000-C000-000000000046"
_PLAIN_CLASS = "FCFB3D2A-A0FA-1068-A738-08002B3371B5"
_OF_CLASS = "Attribute VB_TemplateDerived = False\r\nAttribute VB_Customizable = False\r\n"
_REFERENCES = (
    (
        "stdole",
        "*\\G{00020430-0000-0000-C000-000000000046}#2.0#0#C:\\Windows\\System32\\stdole2.tlb#OLE Automation",
    ),
    (
        "Office",
        "*\\G{2DF8D04C-5BFA-101B-BDE5-00AA0044DE52}#2.0#0#C:\\Program Files\\Common Files\\Microsoft Shared\\OFFICE16\\MSO.DLL#Microsoft Office 16.0 Object Library",
    ),
)
"""Libraries that Excel itself puts into a new project; the second one knows what a ribbon control is."""
_DOCUMENT = (
    'Attribute VB_Name = "{name}"\r\nAttribute VB_Base = "0{{{guid}}}"\r\nAttribute VB_GlobalNameSpace = False\r\n'
    "Attribute VB_Creatable = False\r\nAttribute VB_PredeclaredId = True\r\nAttribute VB_Exposed = True\r\n"
    "Attribute VB_TemplateDerived = False\r\nAttribute VB_Customizable = True\r\n"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """One module: its name, its source as people read it, and whether it is plain, a class, or belongs to a document."""

    name: str
    text: str
    kind: Literal["plain", "class", "document"] = "plain"

    @classmethod
    def document(cls, name: str, guid: str) -> Module:
        """Return the empty module of the workbook or of a sheet."""
        return cls(name=name, text=_DOCUMENT.format(name=name, guid=guid), kind="document")

    def stored(self) -> bytes:
        """Return the source as the project stores it: Windows line ends, attributes first, a class without its file header."""
        text = self.text.replace("\r\n", "\n").replace("\n", "\r\n")
        if self.kind == "class":
            text = re.sub(r"(?s)^VERSION 1\.0 CLASS.*?END\r\n", "", text)
            if "VB_Base" not in text:  # what Excel adds to a class that it takes from a file
                base = f'Attribute VB_Base = "0{{{_PLAIN_CLASS}}}"\r\n'
                text = re.sub(r'(Attribute VB_Name = "[^"]*"\r\n)', lambda m: m[1] + base, text, count=1)
                text = re.sub(r"(Attribute VB_Exposed = \w+\r\n)", lambda m: m[1] + _OF_CLASS, text, count=1)
        if not text.startswith("Attribute VB_Name"):
            text = f'Attribute VB_Name = "{self.name}"\r\n{text}'
        return text.encode(CODEPAGE)


def vba_project(modules: Sequence[Module], *, name: str = "VBAProject") -> bytes:
    """Return the bytes of ``vbaProject.bin``.

    ``ValueError`` (of Unicode) when a source holds a character that VBA's code page has not.
    """
    streams = {"_VBA_PROJECT": bytes.fromhex("CC61FFFF000100"), "dir": _packed(_directory(modules, name))}
    streams |= {module.name: _packed(module.stored()) for module in modules}
    names = b"".join(
        module.name.encode(CODEPAGE) + b"\0" + module.name.encode("utf-16-le") + b"\0\0" for module in modules
    )
    return compound_file(
        {
            "PROJECT": _project_text(modules, name).encode(CODEPAGE),
            "PROJECTwm": names + b"\0\0",
            "VBA": dict(sorted(streams.items())),
        }
    )


def _packed(data: bytes) -> bytes:
    packed = compress(data)
    if decompress(packed) != data:
        raise AssertionError("the compression lost something")
    return packed


# -- dir (2.3.4.2) -------------------------------------------------------------------------------------------------------


def _record(number: int, data: bytes) -> bytes:
    return struct.pack("<HI", number, len(data)) + data


def _both(plain: int, wide: int, text: str) -> bytes:
    return _record(plain, text.encode(CODEPAGE)) + _record(wide, text.encode("utf-16-le"))


def _directory(modules: Sequence[Module], name: str) -> bytes:
    out = _record(0x01, struct.pack("<I", 1))  # system kind: Windows
    out += _record(0x02, struct.pack("<I", 0x409)) + _record(0x14, struct.pack("<I", 0x409))  # languages
    out += _record(0x03, struct.pack("<H", int(CODEPAGE[2:])))
    out += _record(0x04, name.encode(CODEPAGE))
    out += _both(0x05, 0x40, "") + _record(0x06, b"") + _record(0x3D, b"")  # description, help files
    out += _record(0x07, bytes(4)) + _record(0x08, bytes(4))  # help context, library flags
    out += struct.pack("<HIIH", 0x09, 4, 0x4FF6C4B8, 1)  # version of the project, any
    out += _both(0x0C, 0x3C, "")  # conditional constants
    for title, library in _REFERENCES:
        text = library.encode(CODEPAGE)
        out += _both(0x16, 0x3E, title) + _record(0x0D, struct.pack("<I", len(text)) + text + bytes(6))
    out += _record(0x0F, struct.pack("<H", len(modules))) + _record(0x13, b"\xff\xff")
    for module in modules:
        out += _both(0x19, 0x47, module.name) + _both(0x1A, 0x32, module.name) + _both(0x1C, 0x48, "")
        out += _record(
            0x31, bytes(4)
        )  # the source begins at the start of its stream: no compiled code before it
        out += _record(0x1E, bytes(4)) + _record(0x2C, b"\xff\xff")
        out += _record(0x21 if module.kind == "plain" else 0x22, b"") + _record(0x2B, b"")
    return out + _record(0x10, b"")


# -- PROJECT (2.3.1) -----------------------------------------------------------------------------------------------------


def _project_text(modules: Sequence[Module], name: str) -> str:
    words = {"document": "Document={}/&H00000000", "plain": "Module={}", "class": "Class={}"}
    lines = [f'ID="{PROJECT_ID}"']
    lines += [words[module.kind].format(module.name) for module in modules]
    lines += [
        f'Name="{name}"',
        'HelpContextID="0"',
        'VersionCompatible32="393222000"',
        f'CMG="{encrypted(bytes(4), 0x0F)}"',  # not protected
        f'DPB="{encrypted(bytes(1), 0x1D)}"',  # no password
        f'GC="{encrypted(bytes([0xFF]), 0x2B)}"',  # visible
        "",
        "[Host Extender Info]",
        "&H00000001={3832D640-CF90-11CF-8E43-00A0C911005A};VBE;&H00000000",
        "",
        "[Workspace]",
    ]
    lines += [f"{module.name}=0, 0, 0, 0, C" for module in modules]
    return "\r\n".join([*lines, ""])


def encrypted(data: bytes, seed: int, project_id: str = PROJECT_ID) -> str:
    """Return data as PROJECT hides it (2.4.3.2), in hexadecimal; ``seed`` is any byte."""
    key = sum(project_id.encode()) & 0xFF
    out = [seed, seed ^ 2, seed ^ key]
    plain, second, first = key, out[2], out[1]
    for byte in bytes((seed & 6) // 2) + struct.pack("<I", len(data)) + data:
        hidden = byte ^ ((first + plain) & 0xFF)
        out.append(hidden)
        first, second, plain = second, hidden, byte
    return "".join(f"{byte:02X}" for byte in out)


def decrypted(text: str) -> bytes:
    """Return what :func:`encrypted` hid (2.4.3.3)."""
    hidden = bytes.fromhex(text)
    seed, key = hidden[0], hidden[0] ^ hidden[2]
    plain, second, first = key, hidden[2], hidden[1]
    out = bytearray()
    for byte in hidden[3:]:
        value = byte ^ ((first + plain) & 0xFF)
        out.append(value)
        first, second, plain = second, byte, value
    ignored = (seed & 6) // 2
    length = struct.unpack_from("<I", out, ignored)[0]
    return bytes(out[ignored + 4 : ignored + 4 + length])
