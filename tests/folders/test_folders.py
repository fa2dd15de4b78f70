"""The server's hand in a chat's folder: code owns that folder, and tries everything."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from smoldesk.errors import BadInput, NotFound
from smoldesk.folders import checked_name, free_name, opened_inside, place, remove_tree
from smoldesk.folders.stamps import regular_files
from smoldesk.store.files import LocalFiles
from tests.support.nested import nest

BAD_NAMES = [
    "",
    ".",
    "..",
    "../x",
    "a/b",
    "/etc/passwd",
    "a\\b",
    "a\0b",
    "a\nb",
    ".hidden",
    "x" * 300,
    "é" * 150,
    "\ud800",
]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_bad_name_is_refused_and_says_what_was_expected(name: str) -> None:
    with pytest.raises(BadInput) as caught:
        checked_name(name)
    assert caught.value.hint


@pytest.mark.parametrize("name", ["data.csv", "売上 2024.csv", "a b.tar.gz", "x" * 200])
def test_a_plain_name_is_kept(name: str) -> None:
    assert checked_name(name) == name


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret.txt"
    path.write_text("the key")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "chat"
    (folder / "sub").mkdir(parents=True)
    (folder / "sub" / "ok.txt").write_text("fine")
    return folder


def reads(folder: Path, relative: str) -> bytes:
    with opened_inside(folder, relative, 1000) as descriptor:
        return os.read(descriptor, 1000)


def test_a_file_below_is_read(folder: Path) -> None:
    assert reads(folder, "sub/ok.txt") == b"fine"


def test_a_link_to_a_secret_is_not_followed(folder: Path, secret: Path) -> None:
    (folder / "link").symlink_to(secret)
    with pytest.raises(NotFound):
        reads(folder, "link")


def test_a_linked_folder_is_not_followed(folder: Path, secret: Path) -> None:
    (folder / "dir").symlink_to(secret.parent)
    with pytest.raises(NotFound):
        reads(folder, "dir/secret.txt")


@pytest.mark.parametrize(
    "relative", ["../secret.txt", "sub/../../secret.txt", "/etc/passwd", "", "sub//ok.txt", "a\0b"]
)
def test_a_way_out_is_no_way(folder: Path, secret: Path, relative: str) -> None:
    with pytest.raises(NotFound):
        reads(folder, relative)


def test_a_fifo_and_a_folder_are_no_files(folder: Path) -> None:
    os.mkfifo(folder / "fifo")
    for relative in ("fifo", "sub"):
        with pytest.raises(NotFound):
            reads(folder, relative)


def test_a_file_over_the_limit_is_refused(folder: Path, tmp_path: Path) -> None:
    (folder / "big").write_bytes(b"x" * 1001)
    with pytest.raises(BadInput):
        reads(folder, "big")
    files = LocalFiles(tmp_path / "files")
    with pytest.raises(BadInput):
        files.keep(folder, "big", 1000)
    assert list((tmp_path / "files").iterdir()) == []


def test_placing_replaces_a_link_instead_of_writing_through_it(
    folder: Path, secret: Path, tmp_path: Path
) -> None:
    (folder / "data.csv").symlink_to(secret)
    source = tmp_path / "source"
    source.write_text("new")
    place(folder, "data.csv", source)
    assert secret.read_text() == "the key"
    assert (folder / "data.csv").read_text() == "new"
    assert not (folder / "data.csv").is_symlink()


def test_a_taken_name_gets_a_number(folder: Path) -> None:
    (folder / "a.csv").touch()
    assert free_name(folder, "a.csv") == "a (2).csv"
    (folder / "a (2).csv").symlink_to("nowhere")
    assert free_name(folder, "a.csv") == "a (3).csv"
    assert free_name(folder, "b.csv") == "b.csv"


def test_a_disk_that_fills_while_a_file_is_kept_holds_no_half_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plot.png").write_bytes(b"x" * 10)
    store = LocalFiles(tmp_path / "files")

    def full(descriptor: int, count: int) -> bytes:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "read", full)
        with pytest.raises(OSError, match="No space"):
            store.keep(tmp_path, "plot.png", 100)
    assert list((tmp_path / "files").iterdir()) == []


def test_a_file_that_cannot_be_placed_leaves_nothing_in_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "chat"
    folder.mkdir()
    with pytest.raises(OSError, match="gone"):
        place(folder, "a.csv", tmp_path / "gone")
    assert list(folder.iterdir()) == []


def test_a_folder_that_is_nested_deeper_than_pythons_stack_is_deleted(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("")
    folder = tmp_path / "chat"
    folder.mkdir()
    (folder / "link").symlink_to(outside)
    nest(folder, 1_500, "d")
    remove_tree(folder)
    assert not folder.exists() and (outside / "kept").exists()


LOCKED = """
import os, tempfile
from pathlib import Path
from smoldesk.folders import remove_tree
if os.getuid() == 0:  # whom no mode keeps out
    os.setgroups([])
    os.setuid(65534)
for mode in (0, 0o500):
    folder = Path(tempfile.mkdtemp())
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "a" / "b" / "secret").write_text("")
    for locked in (folder / "a" / "b", folder / "a", folder):
        locked.chmod(mode)
    remove_tree(folder)
    print(folder.exists())
"""


@pytest.mark.skipif(not hasattr(os, "O_PATH"), reason="O_PATH is Linux's")
def test_a_folder_that_code_has_locked_is_deleted_by_a_server_that_is_not_root() -> None:
    child = subprocess.run(
        [sys.executable, "-c", LOCKED], capture_output=True, text=True, timeout=120, check=False
    )
    assert child.stdout == "False\nFalse\n", child.stderr


@pytest.mark.skipif(not hasattr(os, "O_PATH"), reason="O_PATH is Linux's")
def test_a_link_in_the_place_of_a_folder_is_not_unlocked(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir(mode=0o755)
    folder = tmp_path / "chat"
    folder.mkdir()
    nest(folder, 1_200, "d")
    (folder / "link").symlink_to(outside)
    remove_tree(folder)
    assert not folder.exists() and outside.stat().st_mode & 0o777 == 0o755


def test_stamps_end_before_the_stack_and_say_so(tmp_path: Path) -> None:
    (tmp_path / "seen").write_text("")
    nest(tmp_path, 700, "d")
    stamps, is_complete = regular_files(tmp_path)
    assert ([*stamps], is_complete) == (["seen"], False)
    remove_tree(tmp_path)
