"""ZIP members copied as they lie, still compressed: what is not replaced comes out byte for byte, in the same order."""

from __future__ import annotations

import hashlib
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from typing import BinaryIO

from lark_sheets.adapters.books.package import folded_bytes

_LIMIT = 0xFFFFFFFF


def rewrite(source: zipfile.ZipFile, target: BinaryIO, changed: Mapping[str, bytes]) -> None:
    """Write the archive anew: members named in ``changed`` with new content, all others with the bytes they have.

    Names, order, dates, attributes and comments stay. ``ValueError`` when a name is not there or the archive is beyond 4 GiB.
    """
    members = source.infolist()
    if missing := set(changed) - {info.filename for info in members}:
        raise ValueError(f"not in the archive: {sorted(missing)}")
    directory = []
    for info in members:
        if info.filename in changed:
            content = changed[info.filename]
            packer = zlib.compressobj(6, zlib.DEFLATED, -15)
            folded = packer.compress(content) + packer.flush()
            method, check, size = zipfile.ZIP_DEFLATED, zlib.crc32(content), len(content)
        else:
            folded, method, check, size = (
                folded_bytes(source, info),
                info.compress_type,
                info.CRC,
                info.file_size,
            )
        offset = target.tell()
        if max(offset, size, len(folded)) >= _LIMIT:
            raise ValueError("larger than 4 GiB")
        name = info.orig_filename.encode("utf-8" if info.flag_bits & 0x800 else "cp437")
        flags = info.flag_bits & ~0x08  # sizes stand in the header, not behind the data
        date, time = _dos_time(info.date_time)
        common = struct.pack("<4H3L2H", flags, method, time, date, check, len(folded), size, len(name), 0)
        target.write(struct.pack("<4sH", b"PK\x03\x04", 20) + common + name)
        target.write(folded)
        tail = struct.pack("<3H2L", len(info.comment), 0, info.internal_attr, info.external_attr, offset)
        directory.append(
            struct.pack("<4s2B", b"PK\x01\x02", 20, info.create_system)
            + struct.pack("<H", 20)
            + common
            + tail
            + name
            + info.comment
        )
    start = target.tell()
    target.write(b"".join(directory))
    size = target.tell() - start
    end = struct.pack(
        "<4s4H2LH", b"PK\x05\x06", 0, 0, len(directory), len(directory), size, start, len(source.comment)
    )
    target.write(end + source.comment)


def fingerprints(archive: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    """Yield each member's name and the SHA-256 of its method, check sum, size and compressed bytes, in order."""
    for info in archive.infolist():
        head = f"{info.compress_type} {info.CRC} {info.file_size} ".encode()
        yield info.filename, hashlib.sha256(head + folded_bytes(archive, info)).hexdigest()


def _dos_time(moment: tuple[int, int, int, int, int, int]) -> tuple[int, int]:
    year, month, day, hour, minute, second = moment
    return (year - 1980) << 9 | month << 5 | day, hour << 11 | minute << 5 | second // 2
