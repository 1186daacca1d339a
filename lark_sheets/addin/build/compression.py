"""The compression of VBA source (MS-OVBA 2.4.1): chunks of 4,096 bytes, in each of them copies of what came before."""

from __future__ import annotations

CHUNK = 4096
_SIGNATURE = 0x01
_SHORTEST = 3
_MOST_TRIED = 64
"""Earlier places of the same three bytes that are tried, the nearest first."""


def compress(data: bytes) -> bytes:
    """Return a compressed container.

    ``ValueError`` for a last chunk that cannot be made smaller: the format would pad it with zeros. No text is like that.
    """
    out = bytearray([_SIGNATURE])
    for start in range(0, len(data), CHUNK):
        chunk = data[start : start + CHUNK]
        body = _compressed(chunk)
        if len(body) < CHUNK:
            out += (0xB000 | (len(body) - 1)).to_bytes(2, "little") + body
        elif len(chunk) == CHUNK:
            out += (0x3000 | (CHUNK - 1)).to_bytes(2, "little") + chunk
        else:
            raise ValueError("this chunk cannot be compressed, and an uncompressed one must be full")
    return bytes(out)


def _compressed(chunk: bytes) -> bytes:
    """Return the token sequences of one chunk: eight tokens behind a byte that says which of them are copies."""
    body = bytearray()
    places: dict[bytes, list[int]] = {}
    position = 0
    while position < len(chunk):
        flags_at = len(body)
        body.append(0)
        for bit in range(8):
            if position >= len(chunk):
                break
            length, offset = _longest(chunk, position, places)
            if length >= _SHORTEST:
                body[flags_at] |= 1 << bit
                body += _copy_token(position, length, offset)
            else:
                length = 1
                body.append(chunk[position])
            for seen in range(position, position + length):
                places.setdefault(chunk[seen : seen + _SHORTEST], []).append(seen)
            position += length
    return bytes(body)


def _bits_of_length(position: int) -> int:
    """Return how many bits of a copy token tell its length; the further into the chunk, the fewer (2.4.1.3.19.1)."""
    bits_of_offset = 4
    while (1 << bits_of_offset) < position:
        bits_of_offset += 1
    return 16 - bits_of_offset


def _longest(chunk: bytes, position: int, places: dict[bytes, list[int]]) -> tuple[int, int]:
    """Return length and distance of the longest earlier stretch that repeats here, 0 and 0 where there is none."""
    candidates = places.get(chunk[position : position + _SHORTEST], ())
    limit = min((1 << _bits_of_length(position)) - 1 + _SHORTEST, len(chunk) - position)
    best, distance = 0, 0
    for place in reversed(candidates[-_MOST_TRIED:]):
        length = 0
        while length < limit and chunk[place + length] == chunk[position + length]:
            length += 1
        if length > best:
            best, distance = length, position - place
            if length == limit:
                break
    return best, distance


def _copy_token(position: int, length: int, offset: int) -> bytes:
    return ((offset - 1) << _bits_of_length(position) | (length - _SHORTEST)).to_bytes(2, "little")


def decompress(data: bytes) -> bytes:
    """Return what a compressed container holds (2.4.1.3.1). ``ValueError`` when it is none."""
    if not data or data[0] != _SIGNATURE:
        raise ValueError("no compressed container")
    out = bytearray()
    position = 1
    while position < len(data):
        header = int.from_bytes(data[position : position + 2], "little")
        end = position + (header & 0x0FFF) + 3
        position += 2
        if not header & 0x8000:
            out += data[position : position + CHUNK]
        else:
            out += _decompressed(data[position:end])
        position = end
    return bytes(out)


def _decompressed(tokens: bytes) -> bytes:
    chunk = bytearray()
    position = 0
    while position < len(tokens):
        flags = tokens[position]
        position += 1
        for bit in range(8):
            if position >= len(tokens):
                break
            if not flags >> bit & 1:
                chunk.append(tokens[position])
                position += 1
                continue
            token = int.from_bytes(tokens[position : position + 2], "little")
            bits = _bits_of_length(len(chunk))
            offset, length = (token >> bits) + 1, (token & ((1 << bits) - 1)) + _SHORTEST
            for _ in range(length):
                chunk.append(chunk[-offset])
            position += 2
    return bytes(chunk)
