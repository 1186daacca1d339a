"""The built add-in: made of the sources that people read, whole in the eyes of every reader of its format that could be had here."""

import hashlib
import importlib
import io
import re
import shutil
import struct
import subprocess
import zipfile
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree as ET

import olefile
import pytest
from hypothesis import given, settings, strategies as st
from openxml_audit import FileFormat, OpenXmlValidator

from lark_sheets import addin
from lark_sheets.addin.build import (
    SETTINGS,
    build_addin,
    build_panel,
    modules,
    project_of,
    ribbon,
    texts_of_ribbon,
)
from lark_sheets.addin.build.compound_file import compound_file
from lark_sheets.addin.build.compression import CHUNK, compress, decompress
from lark_sheets.addin.build.parts import part
from lark_sheets.addin.build.vba_project import decrypted, encrypted
from lark_sheets.locales import translator

LANGUAGES = ("fr", "en")
BUILT = [build(language) for language in LANGUAGES for build in (addin.addin_name, addin.panel_name)]
OURS = {name: addin.source(f"{name}.bas") for name in addin.MODULES}
NAMESPACE = "{http://schemas.microsoft.com/office/2006/01/customui}"


def windows(text):
    return text.replace("\r\n", "\n").replace("\n", "\r\n")


# -- the sources -----------------------------------------------------------------------------------------------------


def macros():
    return dict(
        re.findall(
            r"Public Sub (\w+)\((?:control As IRibbonControl)?\)\n    (.+)\nEnd Sub", "".join(OURS.values())
        )
    )


def test_each_macro_is_one_line_and_starts_one_function_that_exists():
    for name, line in macros().items():
        if name.startswith("Lark"):
            target = re.fullmatch(r'RunPython "import (lark_sheets\.ribbon); \1\.(\w+)\(\)"', line)
            assert target, (name, line)
            assert callable(getattr(importlib.import_module(target[1]), target[2]))


def test_each_callback_of_the_ribbon_is_a_macro_that_calls_a_macro():
    callbacks = set(re.findall(r'onAction="LarkRibbon\.(\w+)"', addin.source("ribbon.xml")))
    found = macros()

    assert callbacks == {name for name in found if name.startswith("On")}
    assert {found[name] for name in callbacks} <= set(found)
    assert {found[name] for name in callbacks} == {name for name in found if name.startswith("Lark")}


def test_the_ribbon_has_six_buttons_with_labels_tips_and_icons():
    root = ET.fromstring(ribbon(translator("en")))
    groups = root.iter(f"{NAMESPACE}group")
    large = [child for group in groups for child in group]

    assert len(large) == 6
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    for button in root.iter(f"{NAMESPACE}button"):
        assert all(button.get(name) for name in ("label", "screentip", "supertip", "imageMso", "onAction"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_ribbon_speaks_one_language(language):
    text = ribbon(translator(language))
    said = {
        element.get(name)
        for element in ET.fromstring(text).iter()
        for name in ("label", "screentip", "supertip")
    }

    missing = [t for t in texts_of_ribbon() if language == "fr" and t in said and translator("fr")(t) == t]
    assert missing == []
    assert ("Rapport" in said) is (language == "fr")


def test_no_setting_of_a_workbook_or_beside_one_can_name_the_program_to_run():
    """Every setting that xlwings' module asks for, but the place of its own log, stands in the add-in's sheet, asked first."""
    text = files("xlwings").joinpath("xlwings.bas").read_text("utf-8")
    asked = {name.upper() for name in re.findall(r'GetConfig\("([^"]+)"', text)}

    assert asked - {name.upper() for name in SETTINGS} <= {
        "TEMP DIR",
        "INTERPRETER",
        "SHOW_ERROR_POPUPS",
        "DEBUG UDFS",
    }
    assert "ActiveWorkbook" not in text
    assert SETTINGS["ADD_WORKBOOK_TO_PYTHONPATH"] is False


# -- the built files -------------------------------------------------------------------------------------------------


def test_the_same_sources_give_the_shipped_bytes():
    """`python -m lark_sheets.addin` after a change of a source, a translation or of xlwings."""
    for language in LANGUAGES:
        assert build_addin(language) == addin.built(addin.addin_name(language))
        assert build_panel(language) == addin.built(addin.panel_name(language))


@pytest.mark.filterwarnings("ignore")  # its own libraries are deprecated here and there
@pytest.mark.parametrize("name", BUILT)
def test_olevba_reads_back_our_sources(name):
    from oletools.olevba import VBA_Parser

    parser = VBA_Parser(name, data=addin.built(name))
    found = {Path(module).stem: source for _, _, module, source in parser.extract_macros()}
    parser.close()

    assert {each: windows(found[each]) for each in OURS} == {
        each: windows(text) for each, text in OURS.items()
    }
    assert windows(found["xlwings"]) == windows(files("xlwings").joinpath("xlwings.bas").read_text("utf-8"))


@pytest.mark.parametrize("name", BUILT)
def test_nothing_is_left_for_excel_to_repair(name, tmp_path):
    path = tmp_path / name
    path.write_bytes(addin.built(name))

    assert [
        str(error) for error in OpenXmlValidator(FileFormat.MICROSOFT_365).validate(str(path)).errors
    ] == []


@pytest.mark.parametrize("name", BUILT)
def test_the_container_has_no_fault(name):
    project = project_of(addin.built(name))
    with olefile.OleFileIO(io.BytesIO(project), raise_defects=olefile.DEFECT_UNSURE) as file:
        assert file.parsing_issues == []
        assert file.openstream("VBA/_VBA_PROJECT").read() == bytes.fromhex("CC61FFFF000100")


POI = [Path("/usr/share/java") / f"{name}.jar" for name in
       ("poi", "poi-ooxml", "poi-ooxml-schemas", "commons-collections4", "commons-codec", "commons-compress", "commons-math3", "xmlbeans")]  # fmt: skip


def test_apache_poi_reads_the_same_sources(tmp_path):
    """A reader with no line in common with olevba (Debian: libapache-poi-java and a JDK; left out where they are not installed)."""
    if not shutil.which("java") or not POI[0].exists():
        pytest.skip("no Apache POI here")
    path = tmp_path / "addin.xlam"
    path.write_bytes(addin.built(addin.addin_name("en")))
    reader = Path(__file__).with_name("ReadMacros.java")
    command = ["java", "-cp", ":".join(map(str, POI)), str(reader), str(path)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    found = dict(line.split(" ", 1) for line in run.stdout.splitlines())

    for module in modules(["Sheet1"]):
        source = module.stored()
        assert found[module.name] == f"{len(source)} {hashlib.sha256(source).hexdigest()}"


def test_the_addin_is_an_addin_and_carries_its_ribbon():
    data = addin.built(addin.addin_name("en"))
    types = part(data, "[Content_Types].xml").decode()

    assert "application/vnd.ms-excel.addin.macroEnabled.main+xml" in types
    assert 'Target="customUI/customUI.xml"' in part(data, "_rels/.rels").decode()
    ET.fromstring(part(data, "customUI/customUI.xml"))


def test_another_python_changes_the_settings_and_nothing_else():
    shipped = addin.built(addin.addin_name("en"))
    path = "C:\\Users & Söhne\\Lark <1>\\python.exe"
    made = build_addin("en", project_of(shipped), path)

    with zipfile.ZipFile(io.BytesIO(shipped)) as before, zipfile.ZipFile(io.BytesIO(made)) as after:
        assert before.namelist() == after.namelist()
        changed = [name for name in before.namelist() if before.read(name) != after.read(name)]
    assert changed == ["xl/sharedStrings.xml"]
    strings = ET.fromstring(part(made, "xl/sharedStrings.xml"))
    assert path in ["".join(item.itertext()) for item in strings]


# -- beside the files that xlwings ships, which Excel loads every day ----------------------------------------------------


def streams(data):
    with olefile.OleFileIO(io.BytesIO(project_of(data))) as file:
        return {"/".join(path): file.openstream(path).read() for path in file.listdir()}


def records(directory):
    """The records of the project's directory: number and content."""
    found, position = [], 0
    while position < len(directory):
        number, size = struct.unpack_from("<HI", directory, position)
        size = 6 if number == 0x09 else size  # its size field tells four, and six follow
        found.append((number, directory[position + 6 : position + 6 + size]))
        position += 6 + size
    return found


XLWINGS = files("xlwings").joinpath("addin/xlwings.xlam").read_bytes()


def test_the_directory_has_the_records_of_xlwings_own_addin_in_the_same_order():
    ours, theirs = (
        records(decompress(streams(data)["VBA/dir"])) for data in (addin.built(BUILT[0]), XLWINGS)
    )
    head = [number for number, _ in theirs].index(0x19)

    assert [number for number, _ in ours][:head] == [number for number, _ in theirs][:head]
    kinds = {
        tuple(n for n, _ in theirs[start : start + 11] if n not in (0x21, 0x22))
        for start in module_starts(theirs)
    }
    assert {
        tuple(n for n, _ in ours[start : start + 11] if n not in (0x21, 0x22))
        for start in module_starts(ours)
    } == kinds


def module_starts(found):
    return [position for position, (number, _) in enumerate(found) if number == 0x19]


def test_the_empty_modules_are_those_of_xlwings_own_addin():
    ours, theirs = streams(addin.built(BUILT[0])), streams(XLWINGS)
    offsets = dict(zip(
        (c.decode() for n, c in records(decompress(theirs["VBA/dir"])) if n == 0x19),
        (struct.unpack("<I", c)[0] for n, c in records(decompress(theirs["VBA/dir"])) if n == 0x31), strict=True,
    ))  # fmt: skip

    assert offsets["Main"] == 0, "their module with RunPython is stored as all of ours are: source alone"
    assert theirs["VBA/_VBA_PROJECT"] == ours["VBA/_VBA_PROJECT"]
    for name in ("ThisWorkbook", "Sheet1", "Dictionary"):
        assert decompress(theirs[f"VBA/{name}"][offsets[name] :]) == decompress(ours[f"VBA/{name}"]), name


def test_the_hidden_words_of_the_project_say_what_an_unprotected_one_says():
    text = streams(files("xlwings").joinpath("quickstart_addin_ribbon.xlam").read_bytes())["PROJECT"].decode(
        "cp1252"
    )
    ours = streams(addin.built(BUILT[0]))["PROJECT"].decode("cp1252")

    for word in ("CMG", "DPB", "GC"):
        found = [decrypted(re.search(rf'{word}="(\w+)"', each)[1]) for each in (text, ours)]
        assert found[0] == found[1]


# -- the formats -----------------------------------------------------------------------------------------------------


@given(st.one_of(st.text(max_size=9_000), st.text(alphabet="ab ", max_size=13_000)))
@settings(max_examples=60)
def test_compression_gives_back_any_text(text):
    data = text.encode("utf-8")
    try:
        packed = compress(data)
    except ValueError:  # a short last chunk that does not compress: refused, never padded
        assert len(data) % CHUNK
        return

    assert decompress(packed) == data


@pytest.mark.parametrize("size", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK])
def test_compression_at_the_edges_of_chunks(size):
    data = bytes(range(32, 127)) * (size // 95 + 1)

    assert decompress(compress(data[:size])) == data[:size]


def test_decompression_reads_the_example_of_the_specification():
    """MS-OVBA 3.2.2. Which of two equally long copies is named is free, so that ours need not be the same bytes."""
    packed = bytes.fromhex(
        "01 2F B0 00 23 61 61 61 62 63 64 65 82 66 00 70 61 67 68 69 6A 01 38 08 61 6B 6C 00 30 6D 6E 6F"
        "70 06 71 02 70 04 10 72 73 74 75 76 10 77 78 79 7A 00 3C"
    )
    text = b"#aaabcdefaaaaghijaaaaaklaaamnopqaaaaaaaaaaaarstuvwxyzaaa"

    assert decompress(packed) == text
    assert len(compress(text)) == len(packed)


@given(st.binary(max_size=40), st.integers(0, 255))
def test_what_the_project_hides_can_be_read(data, seed):
    assert decrypted(encrypted(data, seed)) == data


@given(
    st.dictionaries(
        st.text("abcdefgh", min_size=1, max_size=9), st.binary(max_size=9_000), min_size=1, max_size=12
    )
)
@settings(max_examples=40)
def test_the_container_gives_back_every_stream(content):
    by_upper = {name.upper(): name for name in content}
    tree = {name: content[name] for name in by_upper.values()}
    with olefile.OleFileIO(
        io.BytesIO(compound_file({"Folder": tree, **tree})), raise_defects=olefile.DEFECT_UNSURE
    ) as file:
        for name, data in tree.items():
            assert file.openstream(name).read() == data
            assert file.openstream(f"Folder/{name}").read() == data
