"""The locks: complete, hashed, without an address, and free of licences that a user would inherit."""

from __future__ import annotations

import ast
import importlib.metadata
import re
import sys
import tomllib

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
RUN, TEST, ORACLES = "run", "test", "oracles"


def lock_text(name: str) -> str:
    return (ROOT / "requirements" / f"{name}.txt").read_text("utf-8")


def pins(name: str) -> list[Requirement]:
    """Return the pinned requirements of a lock, with their markers, without their hashes."""
    whole = lock_text(name).replace("\\\n", " ")
    return [Requirement(line.split(" --hash=")[0].strip()) for line in whole.splitlines() if line.strip()]


def versions(name: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for pin in pins(name):
        found.setdefault(canonicalize_name(pin.name), set()).add(str(pin.specifier).removeprefix("=="))
    return found


def imported(node: ast.AST) -> list[str]:
    """Return the top-level modules that a statement imports from elsewhere."""
    if isinstance(node, ast.Import):
        return [alias.name.split(".")[0] for alias in node.names]
    return [(node.module or "").split(".")[0]] if isinstance(node, ast.ImportFrom) and not node.level else []


@pytest.mark.parametrize(
    ("lock", "asked"),
    [
        (RUN, PROJECT["project"]["dependencies"]),
        (TEST, PROJECT["project"]["dependencies"] + PROJECT["dependency-groups"]["test"]),
        (ORACLES, PROJECT["dependency-groups"]["oracles"]),
    ],
)
def test_a_lock_holds_what_the_project_asks_for(lock, asked):
    """A dependency added or raised in pyproject.toml without `make lock` is seen here."""
    locked = versions(lock)

    missing = [
        text
        for text in asked
        for wanted in [Requirement(text)]
        if not all(
            wanted.specifier.contains(version)
            for version in locked.get(canonicalize_name(wanted.name), {"none"})
        )
    ]

    assert missing == []


def test_every_library_that_the_package_imports_is_asked_for():
    """What another library happens to bring today may be gone tomorrow."""
    extras = [text for texts in PROJECT["project"]["optional-dependencies"].values() for text in texts]
    asked = {
        canonicalize_name(Requirement(text).name) for text in [*PROJECT["project"]["dependencies"], *extras]
    }
    brings = importlib.metadata.packages_distributions()

    undeclared = {
        f"{path.relative_to(ROOT)}:{node.lineno}": module
        for path in (ROOT / "lark_sheets").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        for module in imported(node)
        if module not in sys.stdlib_module_names | {"lark_sheets"}
        and not asked & {canonicalize_name(name) for name in brings.get(module, [])}
    }

    assert undeclared == {}


@pytest.mark.parametrize("lock", [RUN, TEST])
def test_a_lock_holds_all_that_its_packages_want(lock):
    """`run.py` installs a lock without asking what its packages want besides: the lock has it, and no newer release comes in."""
    locked = versions(lock)
    here = [pin for pin in pins(lock) if pin.marker is None or pin.marker.evaluate()]
    bare = {canonicalize_name(pin.name) for pin in here}

    unmet = {
        f"{name}: {text}"
        for name in bare
        for text in importlib.metadata.requires(name) or []
        for wanted in [Requirement(text)]
        if (wanted.marker is None or wanted.marker.evaluate({"extra": ""}))
        and not any(
            wanted.specifier.contains(version) for version in locked.get(canonicalize_name(wanted.name), ())
        )
    }

    assert bare
    assert unmet == set()


def test_the_test_lock_holds_the_run_lock():
    """One environment serves both: the tests run on exactly the versions that people get."""
    tests = versions(TEST)

    assert {name: found for name, found in versions(RUN).items() if tests.get(name) != found} == {}


@pytest.mark.parametrize("lock", [RUN, TEST, ORACLES])
def test_every_pin_is_exact_and_hashed(lock):
    entries = re.split(r"\n(?=\S)", lock_text(lock).strip())

    assert [entry for entry in entries if "==" not in entry or "--hash=sha256:" not in entry] == []


@pytest.mark.parametrize("lock", [RUN, TEST, ORACLES])
def test_a_lock_holds_no_address(lock):
    assert (
        re.findall(r"\w+://\S+|--(?:extra-)?index-url|--find-links|^-\w|@ ", lock_text(lock), re.MULTILINE)
        == []
    )


# --- licences ---------------------------------------------------------------------------------------------------------

# People who install Lark Sheets get these libraries. The GPL and the AGPL would then bind what they build on it. The LGPL
# and the MPL bind changes to the library itself only, and a library that offers several licences lets us choose.
BINDING = re.compile(r"\b(A?GPL|GNU (Affero )?General Public)", re.IGNORECASE)


def binding_licences(expression: str, classifiers: list[str]) -> list[str]:
    """Return the licences that would bind our users; empty when there is none, or another one may be chosen."""
    if expression:
        choices = re.split(r"\s+OR\s+|/", expression)
        return [] if any(not BINDING.search(choice) for choice in choices) else choices
    found = [name for name in classifiers if BINDING.search(name)]
    return [] if len(found) < len(classifiers) else found


@pytest.mark.parametrize(
    ("expression", "classifiers", "binding"),
    [
        ("MIT", [], False),
        ("GPL-3.0-or-later", [], True),
        ("AGPL-3.0-only", [], True),
        ("LGPL-3.0-only", [], False),
        ("MPL-2.0", [], False),
        ("MIT OR GPL-2.0-only", [], False),
        ("GPL-2.0-or-later AND MIT", [], True),
        ("", ["GNU General Public License v3 (GPLv3)"], True),
        ("", ["GNU Lesser General Public License v3 (LGPLv3)"], False),
        ("", ["GNU Affero General Public License v3"], True),
        ("", ["GNU General Public License v2 (GPLv2)", "Mozilla Public License 1.1 (MPL 1.1)"], False),
    ],
)
def test_binding_licences_are_told_from_others(expression, classifiers, binding):
    assert bool(binding_licences(expression, classifiers)) is binding


def installed_licence(name: str) -> tuple[str, list[str]]:
    """Return a library's licence as its metadata tell it: the expression or short name, and the classifiers."""
    metadata = importlib.metadata.metadata(name)
    classifiers = [
        c.rsplit(" :: ", 1)[1] for c in metadata.get_all("Classifier", []) if c.startswith("License :: ")
    ]
    text = metadata.get("License-Expression") or ("" if classifiers else metadata.get("License") or "")
    return text.strip().split("\n")[0], [c for c in classifiers if c != "OSI Approved"]


def run_libraries() -> list[str]:
    return sorted({pin.name for pin in pins(RUN) if pin.marker is None or Marker(str(pin.marker)).evaluate()})


@pytest.mark.parametrize("name", run_libraries())
def test_no_library_of_the_run_binds_its_users(name):
    """Every library that people get states a licence, and none is under the GPL or the AGPL alone."""
    expression, classifiers = installed_licence(name)

    assert expression or classifiers, f"{name} states no licence"
    assert binding_licences(expression, classifiers) == []
