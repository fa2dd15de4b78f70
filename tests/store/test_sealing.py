"""Key files: several keys in one, rotation while servers use it, and files that do not fit."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from smoldesk.cli.main import main
from smoldesk.desk import build_desk
from smoldesk.errors import DeskError
from smoldesk.store.sealed_rows import check_key_file, sealed_texts
from smoldesk.store.sealing import CannotUnseal, Seal, add_key
from smoldesk.store.sources import StoredSource, add_source
from tests.support.desk_server import settings_for

ADDRESS = "postgresql://reader:hunter2@db/shop"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    add_key(tmp_path / "keys")
    return tmp_path / "keys"


def test_the_first_key_seals_and_all_open(file: Path) -> None:
    old = Seal(file)
    sealed = old.seal(ADDRESS)
    assert add_key(file) == 2
    file.write_text(f"# rotated in spring\n\n{file.read_text()}")
    again = old.seal(ADDRESS)
    assert Seal(file).unseal(sealed) == Seal(file).unseal(again) == ADDRESS
    first = next(line for line in file.read_text().splitlines() if line and line[0] != "#")
    file.write_text(first)
    assert Seal(file).unseal(again) == ADDRESS
    with pytest.raises(CannotUnseal):
        Seal(file).unseal(sealed)


def test_a_server_opens_what_another_one_sealed_with_a_key_that_was_added_meanwhile(file: Path) -> None:
    here, there = Seal(file), Seal(file)
    assert here.unseal(there.seal("one")) == "one"
    add_key(file)
    assert here.unseal(there.seal("two")) == "two"


def test_servers_that_start_together_make_one_key(tmp_path: Path) -> None:
    seals = [Seal(tmp_path / "keys") for _ in range(8)]
    sealed: list[str] = []
    threads = [threading.Thread(target=lambda one=one: sealed.append(one.seal("x"))) for one in seals]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {Seal(tmp_path / "keys").unseal(text) for text in sealed} == {"x"} and len(sealed) == 8
    assert [path.name for path in tmp_path.iterdir()] == ["keys"]


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda file: file.unlink(), "does not exist"),
        (lambda file: file.write_text("# none yet\n"), "is empty"),
        (lambda file: file.write_text(file.read_text() + "hunter2\n"), "has no key in line 2"),
        (lambda file: file.write_bytes(b"\xff\x00" * 20), "has no key in line 1"),
        (lambda file: file.write_text("x" * 20_000), "is larger than"),
        (lambda file: (file.unlink(), file.mkdir()), "cannot be read"),
        (lambda file: (file.unlink(), file.symlink_to("/dev/zero")), "is larger than"),
    ],
)
def test_a_desk_does_not_start_with_a_file_that_holds_something_else(
    file: Path, tmp_path: Path, spoil: Callable[[Path], object], words: str
) -> None:
    spoil(file)
    with pytest.raises(DeskError, match=words) as fault:
        build_desk(settings_for(tmp_path / "data", key_file=file))
    assert "hunter2" not in str(fault.value)
    build_desk(settings_for(tmp_path / "data")).close()  # the directory was given back


def test_a_desk_does_not_start_with_a_key_that_sealed_nothing_of_it_and_nothing_is_lost(
    file: Path, tmp_path: Path
) -> None:
    settings = settings_for(tmp_path / "data", key_file=file)
    desk = build_desk(settings)
    stored = StoredSource("shop", "postgresql://reader@db/shop", Seal(file).seal(ADDRESS), False)
    desk.store.submit(lambda tx: add_source(tx, stored)).result()
    desk.close()
    right = file.read_text()
    file.unlink()
    add_key(file)
    with pytest.raises(DeskError, match="does not open 1 of 1 sealed texts: the database 'shop'") as fault:
        build_desk(settings)
    assert fault.value.code == "wrong_key_file" and "hunter2" not in str(fault.value)
    file.write_text(file.read_text() + right)
    desk = build_desk(settings)
    desk.open()
    assert desk.sources.databases.names() == ["shop"]
    desk.close()


def test_keys_are_rotated_by_two_commands_and_the_old_one_can_go(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SMOLDESK_KEY_FILE", str(file))
    settings = settings_for(tmp_path / "data", key_file=file)
    desk = build_desk(settings)
    old, strange = Seal(file), Seal(tmp_path / "other")
    for name, seal in (("shop", old), ("lost", strange)):
        stored = StoredSource(name, "postgresql://reader@db/shop", seal.seal(ADDRESS), False)
        desk.store.submit(lambda tx, stored=stored: add_source(tx, stored)).result()
    command = ["--data-dir", str(tmp_path / "data")]
    assert main(["keys", "add", *command]) == 0
    assert "has 2 keys" in capsys.readouterr().out
    assert main(["keys", "reseal", *command]) == 2, "SQLite has one writer"
    assert "Another smoldesk uses" in capsys.readouterr().err
    desk.close()
    assert main(["keys", "reseal", *command]) == 1
    output = capsys.readouterr().out
    assert "Sealed 1 texts" in output and "the database 'lost': left as it is" in output
    file.write_text(file.read_text().splitlines()[0])
    monkeypatch.delenv("SMOLDESK_KEY_FILE")  # to look
    desk = build_desk(settings_for(tmp_path / "data"))
    texts = desk.store.read(sealed_texts)
    with pytest.raises(DeskError, match="1 of 2 sealed texts: the database 'lost'"):
        check_key_file(texts, Seal(file))
    desk.close()


@pytest.mark.parametrize("exists", [True, False])
def test_a_link_to_a_key_file_is_neither_replaced_nor_followed(file: Path, exists: bool) -> None:
    link = file.with_name("link")
    link.symlink_to(file if exists else file.with_name("none"))
    before = file.read_text()
    with pytest.raises(DeskError, match="'link' is a link"):
        add_key(link)
    assert link.is_symlink() and file.read_text() == before
    assert {path.name for path in file.parent.iterdir()} == {"keys", "link"}
    if exists:
        assert Seal(link).unseal(Seal(file).seal(ADDRESS)) == ADDRESS, "reading through a link works"
