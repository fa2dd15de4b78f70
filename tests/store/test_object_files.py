"""Files and chats' folders in a bucket (moto's S3 server): two servers without a shared disk have the same."""

import os
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import pytest

from smoldesk.errors import DeskError, Stopped
from smoldesk.folders import remove_tree, stamps
from smoldesk.folders.stamps import stamp_of, touched
from smoldesk.store.data_dir import DataDir
from smoldesk.store.object_files import ObjectFiles
from smoldesk.store.objects import Objects
from smoldesk.store.synced_folders import SyncedFolders
from tests.support.bucket import Bucket, a_bucket


@pytest.fixture
def bucket() -> Iterator[Bucket]:
    with a_bucket() as made:
        yield made


@dataclass
class Server:
    """What one server has: its own disk, and the bucket."""

    files: ObjectFiles
    folders: SyncedFolders

    def write(self, name: str, content: str) -> None:
        with self.folders.changing("c_1") as folder:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(content)

    def content(self) -> dict[str, str]:
        folder = self.folders.opened("c_1")
        return {
            str(path.relative_to(folder)): path.read_text()
            for path in sorted(folder.rglob("*"))
            if path.is_file() and not path.is_symlink()
        }


def server(folder: Path, bucket: Bucket) -> Server:
    data_dir, objects = DataDir(folder), Objects(bucket.url)
    return Server(ObjectFiles(data_dir.files, objects), SyncedFolders(data_dir, objects))


@pytest.fixture
def pair(bucket: Bucket, tmp_path: Path) -> tuple[Server, Server]:
    return server(tmp_path / "a", bucket), server(tmp_path / "b", bucket)


def test_a_file_stored_at_one_server_is_read_and_deleted_at_the_other(
    pair: tuple[Server, Server], bucket: Bucket
) -> None:
    here, there = pair
    large = os.urandom(20 << 20)  # in parts
    file_id = here.files.keep_bytes(large, 1 << 30)
    assert there.files.existing_path(file_id).read_bytes() == large
    double = there.files.double(file_id)
    there.files.discard(file_id)
    assert here.files.existing_path(double).read_bytes() == large
    assert not there.files.fetch(file_id).exists()
    assert bucket.keys() == [f"below/files/{double}"]


def test_what_a_cell_does_in_the_folder_is_there_at_the_other_server(pair: tuple[Server, Server]) -> None:
    here, there = pair
    strange = {"データ.csv": "a\n1\n", "out/deep/50% #1?.txt": "x", "[a] ~\\b": "y", "line\nbreak": "z"}
    for name, content in strange.items():
        here.write(name, content)
    assert there.content() == strange

    there.write("データ.csv", "a\n2\n")
    with there.folders.changing("c_1") as folder:
        (folder / "out/deep/50% #1?.txt").unlink()
    expected = strange | {"データ.csv": "a\n2\n"}
    del expected["out/deep/50% #1?.txt"]
    assert here.content() == expected
    assert not (here.folders.opened("c_1") / "out").exists()


def test_a_name_that_both_servers_gave_keeps_both_files(pair: tuple[Server, Server]) -> None:
    here, there = pair
    with here.folders.changing("c_1") as folder:
        (folder / "new.csv").write_text("here")
        there.write("new.csv", "there")  # an upload, while a cell of the other server works
    assert sorted(there.content().values()) == ["here", "there"]
    assert there.content() == here.content()
    assert here.content()["new.csv"] == "there"


def test_caches_and_links_stay_at_their_server_and_links_lead_nowhere(
    pair: tuple[Server, Server], tmp_path: Path
) -> None:
    here, there = pair
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key").write_text("secret")
    with here.folders.changing("c_1") as folder:
        (folder / ".tables").mkdir()
        (folder / ".tables" / "cached").write_text("mine")
        (folder / "link").symlink_to(secret / "key")
        (folder / "linked").symlink_to(secret)
        os.mkfifo(folder / "pipe")
    assert there.content() == {}

    there.write("linked/key", "changed")
    here.folders.opened("c_1")  # `linked` is a link there: what comes must not follow it
    assert (secret / "key").read_text() == "secret"


def test_a_store_that_is_away_is_named_and_nothing_is_lost(
    pair: tuple[Server, Server], bucket: Bucket
) -> None:
    here, there = pair
    here.write("kept.txt", "1")
    bucket.stop()
    with pytest.raises(DeskError, match="object store could not be used") as fault:
        here.files.keep_bytes(b"data", 100)
    assert fault.value.code == "object_store_away"
    assert "AWS" not in str(fault.value) and "127.0.0.1" not in str(fault.value)
    with pytest.raises(DeskError, match="object store"):
        here.write("late.txt", "2")
    bucket.start()
    # moto's server keeps its objects, since it runs in this process.
    with here.folders.changing("c_1") as folder:
        (folder / "late.txt").write_text("2")
    assert there.content() == {"kept.txt": "1", "late.txt": "2"}


def test_a_lost_disk_and_a_lost_answer_delete_and_rename_nothing(
    pair: tuple[Server, Server], bucket: Bucket, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The client of the store tries again after a lost answer, and finds its own object."""
    here, there = pair
    here.write("one.txt", "1")
    remove_tree(tmp_path / "a" / "chats")  # but not what this server noted about it
    (tmp_path / "a" / "chats").mkdir()
    here.write("two.txt", "2")
    assert there.content() == {"one.txt": "1", "two.txt": "2"}

    def lose_answer(self: Objects, key: str, content: bytes) -> str | None:
        put_new(self, key, content)
        raise DeskError("The object store could not be used.", code="object_store_away")

    put_new = Objects.put_new
    with monkeypatch.context() as patch:
        patch.setattr(Objects, "put_new", lose_answer)
        with pytest.raises(DeskError):
            here.write("three.txt", "3")
    here.write("four.txt", "4")
    assert here.content() == {"one.txt": "1", "two.txt": "2", "three.txt": "3", "four.txt": "4"}
    assert there.content() == here.content()


def test_the_fault_of_a_cell_is_reported_not_that_of_the_store(
    pair: tuple[Server, Server], bucket: Bucket
) -> None:
    here, _ = pair
    with pytest.raises(Stopped), here.folders.changing("c_1") as folder:
        (folder / "new.txt").write_text("1")
        bucket.stop()
        raise Stopped("stopped")
    bucket.start()


def test_a_folder_of_too_many_files_deletes_none_of_the_others(
    pair: tuple[Server, Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = pair
    for name in "abc":
        here.write(name, name)
    with monkeypatch.context() as patch:
        patch.setattr(stamps, "MAX_FILES", 2)
        here.write("a", "changed")
    assert sorted(there.content()) == ["a", "b", "c"]


def test_a_file_that_got_a_new_time_alone_gets_one_at_the_other_server(pair: tuple[Server, Server]) -> None:
    """The desk marks a file so, when it is to be read with other options."""
    here, there = pair
    here.write("d.csv", "old")
    times = [(there.folders.opened("c_1") / "d.csv").stat().st_mtime_ns]
    for after in (1.1, 0):  # S3 tells when an object was written in full seconds
        time.sleep(after)
        if after:
            with here.folders.changing("c_1") as folder:
                os.utime(folder / "d.csv")
        times.append((there.folders.opened("c_1") / "d.csv").stat().st_mtime_ns)
    assert times[0] < times[1] == times[2]


def test_a_server_takes_the_new_time_of_a_file_that_it_wrote_itself(pair: tuple[Server, Server]) -> None:
    here, there = pair
    here.write("d.csv", "old")
    first = (here.folders.opened("c_1") / "d.csv").stat().st_mtime_ns
    there.folders.opened("c_1")
    time.sleep(1.1)  # S3 tells when an object was written in full seconds
    with there.folders.changing("c_1") as folder:
        os.utime(folder / "d.csv")
    assert (here.folders.opened("c_1") / "d.csv").stat().st_mtime_ns > first


def test_a_file_is_touched_only_as_it_was_when_the_list_was_made(tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("listed")
    listed = stamp_of(tmp_path, "d.csv")
    new = touched(tmp_path, "d.csv", listed)
    assert new is not None and new == stamp_of(tmp_path, "d.csv") != listed
    assert touched(tmp_path, "d.csv", listed) is None
    assert touched(tmp_path, "none.csv", listed) is None


def test_reading_during_a_cell_takes_new_files_and_no_changes(pair: tuple[Server, Server]) -> None:
    """A person types while a cell runs: what the cell read stays the base of what it writes."""
    here, there = pair
    for name in ("d.csv", "e.csv"):
        here.write(name, "v1")
    there.folders.opened("c_1")
    with there.folders.changing("c_1") as folder:
        read = (folder / "d.csv").read_text()
        here.write("d.csv", "v2")
        here.write("e.csv", "v2")
        here.write("new.csv", "new")
        assert (there.folders.reading("c_1", "new.csv") / "new.csv").read_text() == "new"
        with there.folders.changing("c_1") as again:  # an upload meanwhile
            (again / "upload.csv").write_text("up")
        (folder / "d.csv").write_text(f"{read} and the cell")
    contents = here.content()
    assert contents == there.content()
    assert (contents.pop("d.csv"), contents.pop("e.csv")) == ("v2", "v2")
    assert sorted(contents.values()) == ["new", "up", "v1 and the cell"]


def test_an_upload_during_a_cell_leaves_what_the_cell_works_on_to_its_end(
    pair: tuple[Server, Server],
) -> None:
    here, there = pair
    here.write("d.csv", "v1")
    there.folders.opened("c_1")
    with there.folders.changing("c_1") as folder:
        (folder / "d.csv").write_text("v1 half")
        here.write("d.csv", "v2")
        with there.folders.changing("c_1") as again:
            (again / "upload.csv").write_text("up")
        assert here.content() == {"d.csv": "v2", "upload.csv": "up"}
        there.folders.reading("c_1", "x")  # a person types
        assert (folder / "d.csv").read_text() == "v1 half"
        (folder / "d.csv").write_text("v1 and the cell")
    contents = here.content()
    assert contents["d.csv"] == "v2"
    assert sorted(contents.values()) == ["up", "v1 and the cell", "v2"]


def test_a_file_that_comes_in_replaces_none_that_a_cell_made_meanwhile(
    pair: tuple[Server, Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = pair
    there.folders.opened("c_1")
    read_into = Objects.read_into
    with there.folders.changing("c_1") as folder:
        here.write("out.csv", "of the other server")

        def slow(objects: Objects, key: str, target: IO[bytes]) -> str:
            tag = read_into(objects, key, target)
            (folder / "out.csv").write_text("of the cell")
            return tag

        with monkeypatch.context() as patch:
            patch.setattr(Objects, "read_into", slow)
            there.folders.reading("c_1", "x")
        assert (folder / "out.csv").read_text() == "of the cell"
    contents = here.content()
    assert contents["out.csv"] == "of the other server"
    assert sorted(contents.values()) == ["of the cell", "of the other server"]


def test_a_bucket_that_does_not_answer_holds_up_no_reading(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{silent.getsockname()[1]}")
        patch.setenv("AWS_ACCESS_KEY_ID", "x")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "x")
        patch.setenv("AWS_REGION", "us-east-1")
        folders = SyncedFolders(DataDir(tmp_path), Objects("s3://bucket/below"))
        reading = threading.Thread(target=folders.reading, args=("c_1",), daemon=True)
        reading.start()
        reading.join(60)  # requests of cells wait five minutes
        assert not reading.is_alive()


def test_a_folder_is_read_as_it_is_here_while_the_bucket_is_away(
    pair: tuple[Server, Server], bucket: Bucket
) -> None:
    here, there = pair
    here.write("d.csv", "old")
    there.folders.opened("c_1")
    here.write("late.csv", "new")
    assert (there.folders.reading("c_1", "late.csv") / "late.csv").exists()
    bucket.stop()
    try:
        assert (there.folders.reading("c_1", "no.csv") / "d.csv").read_text() == "old"
    finally:
        bucket.start()


def test_a_change_here_and_there_during_a_cell_keeps_both(pair: tuple[Server, Server]) -> None:
    here, there = pair
    here.write("d.csv", "old")
    here.write("gone.csv", "old")
    with here.folders.changing("c_1") as folder:  # a long cell of a server that is taken for dead
        there.write("d.csv", "there")
        there.write("gone.csv", "there")
        (folder / "d.csv").write_text("here, longer")
        (folder / "gone.csv").unlink()
    assert here.content()["d.csv"] == there.content()["d.csv"] == "there"
    assert here.content()["gone.csv"] == "there"
    assert sorted(there.content().values()) == ["here, longer", "there", "there"]


def test_a_name_too_long_for_the_bucket_or_its_copy_stops_nothing(pair: tuple[Server, Server]) -> None:
    here, there = pair
    here.write("語" * 70 + "/" + "語" * 70, "long")  # 1,260 characters, percent-encoded
    name = "n" * 250
    here.write(name, "1")
    there.content()
    with here.folders.changing("c_1") as folder:
        (folder / name).write_text("here, longer")
        there.write(name, "there")
    assert there.content()[name] == "there"
    assert sorted(there.content().values()) == ["here, longer", "there"]


def test_a_deleted_chat_leaves_no_object(pair: tuple[Server, Server], bucket: Bucket) -> None:
    here, there = pair
    here.write("a/b.txt", "1")
    assert there.content()
    there.folders.remove("c_1")
    assert bucket.keys() == []


@pytest.mark.parametrize("url", ["/srv/files", "file:///srv/files", "s3://", "http://host/bucket"])
def test_an_address_without_a_bucket_is_refused_in_words(url: str) -> None:
    with pytest.raises(DeskError, match="SMOLDESK_FILES_URL") as fault:
        Objects(url)
    assert "s3://bucket/folder" in str(fault.value)
