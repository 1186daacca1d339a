"""Make the pictures of the README anew from a demo: ``python docs/pictures/make.py``.

Needs LibreOffice (soffice) and poppler (pdftoppm), both installed by ``run.py test`` on Debian. Pictures are cropped, reduced to
few colours and stay small.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
COLOURS = 48
GRADING_PAGE = 4
"""Page of the printed grader workbook on which grading starts: guide, rubric and practice come first."""


def run(*words: str | Path, cwd: Path = ROOT) -> None:
    """Run a command, quietly, and fail with its message."""
    subprocess.run([str(word) for word in words], cwd=cwd, check=True, stdout=subprocess.DEVNULL)


def page(pdf: Path, number: int, dpi: int, folder: Path) -> Image.Image:
    """Return one page of a PDF as a picture."""
    target = folder / f"{pdf.stem}-{number}"
    run("pdftoppm", "-r", str(dpi), "-f", str(number), "-l", str(number), "-singlefile", "-png", pdf, target)
    return Image.open(target.with_suffix(".png")).convert("RGB")


def trimmed(picture: Image.Image, margin: int = 12) -> Image.Image:
    """Return a picture without its white border, but for a small margin."""
    box = picture.point(lambda value: 255 - value).getbbox() or (0, 0, *picture.size)
    left, top, right, bottom = box
    wider = (max(0, left - margin), max(0, top - margin), right + margin, bottom + margin)
    return picture.crop((*wider[:2], min(picture.width, wider[2]), min(picture.height, wider[3])))


def save(picture: Image.Image, name: str, width: int) -> None:
    """Save a picture at a width, with few colours."""
    height = round(picture.height * width / picture.width)
    small = picture.resize((width, height), Image.Resampling.LANCZOS)
    small.quantize(COLOURS, dither=Image.Dither.NONE).save(HERE / name, optimize=True)
    print(f"{name}: {width} x {height}, {(HERE / name).stat().st_size // 1024} kB")


def make(language: str, folder: Path) -> None:
    """Make the pictures of one language."""
    demo = folder / language
    run(sys.executable, "-m", "lark_sheets", "demo", "--out", demo, "--lang", language)
    profile = f"-env:UserInstallation=file://{folder}/profile"
    book = demo / "graders" / "reader-1.xlsx"
    run("soffice", "--headless", profile, "--convert-to", "pdf", "--outdir", folder / language, book)
    sheet = trimmed(page(demo / "reader-1.pdf", GRADING_PAGE, 150, folder))
    save(
        sheet.crop((0, 0, sheet.width, min(sheet.height, round(sheet.width * 0.52)))),
        f"workbook-{language}.png",
        1200,
    )
    report = page(demo / "report.pdf", 1, 110, folder)
    save(report.crop((0, 0, report.width, round(report.height * 0.82))), f"report-{language}.png", 760)


def main() -> None:
    """Make all pictures."""
    with tempfile.TemporaryDirectory() as name:
        for language in ("en", "fr"):
            make(language, Path(name))


if __name__ == "__main__":
    main()
