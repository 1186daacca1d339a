"""Compile the ``.po`` sources into the catalogue: ``python -m lark_sheets.locales``."""

from __future__ import annotations

import io

from lark_sheets.locales import FOLDER, compiled, sources


def compile_catalogue(language: str) -> bytes:
    """Return the ``.mo`` bytes that the sources of a language give.

    Raises ``ValueError`` when two areas translate one message differently.
    """
    from babel.messages.catalog import Catalog
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    whole = Catalog(locale=language, charset="utf-8", fuzzy=False)
    whole.mime_headers = [
        ("Content-Type", "text/plain; charset=utf-8"),
        ("Plural-Forms", "nplurals=2; plural=(n > 1);"),
    ]
    for path in sources(language):
        with path.open("rb") as stream:
            part = read_po(stream, locale=language)
        for message in part:
            if not message.id:
                continue
            key = message.id if isinstance(message.id, str) else message.id[0]
            known = whole.get(key, message.context)
            if known is not None and known.string != message.string:
                raise ValueError(
                    f"{path.name}: {key!r} is translated as {message.string!r} and {known.string!r}"
                )
            whole.add(message.id, message.string, context=message.context)
    target = io.BytesIO()
    write_mo(target, whole)
    return target.getvalue()


def main() -> None:
    """Write the compiled catalogue of every language that has sources."""
    for folder in sorted(path for path in FOLDER.iterdir() if path.is_dir() and sources(path.name)):
        target = compiled(folder.name)
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(compile_catalogue(folder.name))
        print(target.relative_to(FOLDER))


if __name__ == "__main__":
    main()
