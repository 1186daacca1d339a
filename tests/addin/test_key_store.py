"""API keys live in the system's key store and nowhere else."""

import importlib
import io
import json
import types

import pytest

from lark_sheets import wiring
from lark_sheets.adapters import key_store
from lark_sheets.cli import main
from lark_sheets.errors import MissingPiece

SECRET = "sk-very-secret"


@pytest.fixture
def store(monkeypatch, tmp_path):
    """A key store in memory, in place of the system's."""
    kept = {}
    library = types.SimpleNamespace(
        get_password=lambda name, user: kept.get((name, user)),
        set_password=lambda name, user, key: kept.__setitem__((name, user), key),
        delete_password=lambda name, user: kept.pop((name, user)),
    )
    real = importlib.import_module
    monkeypatch.setattr(
        key_store.importlib, "import_module", lambda name: library if name == "keyring" else real(name)
    )
    monkeypatch.setenv(wiring.HOME_VARIABLE, str(tmp_path))
    return kept


def test_a_key_is_kept_found_and_forgotten(store):
    assert key_store.stored_key("anthropic") == ""
    key_store.store_key("anthropic", SECRET)

    assert key_store.stored_key("anthropic") == SECRET
    assert key_store.stored_key("other") == ""
    assert key_store.forget_key("anthropic")
    assert not key_store.forget_key("anthropic")
    assert store == {}


def test_the_command_puts_it_there_and_never_into_a_file(store, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO(SECRET + "\n"))

    assert main(["addin", "key", "--model", "some-model", "--lang", "en"]) == 0

    assert list(store.values()) == [SECRET]
    assert SECRET not in "".join(p.read_text("utf-8") for p in tmp_path.rglob("*") if p.is_file())
    assert SECRET not in "".join(capsys.readouterr())
    assert json.loads((tmp_path / "settings.json").read_text("utf-8")) == {"judge_model": "some-model"}
    assert wiring.judge_model() == "some-model"

    assert main(["addin", "key", "--remove", "--lang", "en"]) == 0
    assert store == {}


def test_a_system_without_a_key_store_is_told(monkeypatch):
    def absent(name):
        raise ImportError(name)

    monkeypatch.setattr(key_store.importlib, "import_module", absent)

    assert key_store.stored_key("anthropic") == ""
    with pytest.raises(MissingPiece) as told:
        key_store.store_key("anthropic", SECRET)
    assert [p.code for p in told.value.problems] == ["no_key_store"]
    assert SECRET not in str(told.value)


def test_a_locked_key_store_holds_no_key_and_takes_none(monkeypatch):
    def locked(*words):
        raise RuntimeError("locked")

    library = types.SimpleNamespace(get_password=locked, set_password=locked, delete_password=locked)
    monkeypatch.setattr(key_store.importlib, "import_module", lambda name: library)

    assert key_store.stored_key("anthropic") == ""
    with pytest.raises(MissingPiece):
        key_store.store_key("anthropic", SECRET)
