"""The service for folders in buckets, as code in a child uses it: what it refuses, and stores that break their protocol."""

import base64
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from smoldesk.errors import BadInput, Stopped
from smoldesk.sandbox.children import Children
from smoldesk.stopping import StopFlag
from smoldesk.tables import CELL_OBJECTS, CHILD_PACKAGES, bucket_folder
from smoldesk.tables.inside.bucket_files import MAX_RANGE, SERVICE
from smoldesk.tables.object_folders import ObjectFolders
from tests.sandbox.conftest import Desk
from tests.support.odd_store import OddStore, odd_store

URL = "s3://bucket/data"
SALES = b"region,units\nnorth,3\nsouth,5\n"


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[OddStore]:
    monkeypatch.setattr(bucket_folder, "LISTED_SECONDS", 0.0)
    with odd_store() as store:
        store.objects["sales.csv"] = SALES
        yield store


def version(folders: ObjectFolders) -> int:
    return folders.stamps()[0][2]


def read(folders: ObjectFolders, stop: StopFlag | None = None, /, **changed: Any) -> bytes:
    request = {"do": "read", "url": f"{URL}/sales.csv", "version": version(folders), "offset": 7, "length": 5}
    text = folders.serve({**request, **changed}, stop or StopFlag())
    return base64.b64decode(str(text))


def test_code_reads_ranges_of_listed_objects_alone(store: OddStore) -> None:
    folders = ObjectFolders([URL])
    assert read(folders) == b"units"
    assert store.ranges == [(7, 12)]
    for changed in (
        {"url": "s3://bucket/other/sales.csv"},
        {"url": f"{URL}/../data/sales.csv"},
        {"url": f"{URL}//sales.csv"},
        {"url": f"{URL}/sales.csv\n"},
        {"url": "s3://other/data/sales.csv"},
        {"url": "/etc/passwd"},
        {"offset": -1},
        {"offset": len(SALES)},
        {"offset": 2**70},
        {"length": 0},
        {"length": -5},
        {"length": MAX_RANGE + 1},
        {"length": len(SALES)},
        {"offset": True, "length": 2**63},
        {"url": 5},
        {"version": "1"},
        {"do": "write"},
        {"do": ["list"]},
    ):
        with pytest.raises((FileNotFoundError, ValueError)):
            read(folders, **changed)
    assert store.ranges == [(7, 12)], "the store was not asked"


def test_a_changed_object_is_refused_and_then_read_anew(store: OddStore) -> None:
    folders = ObjectFolders([URL])
    before = version(folders)
    store.objects["sales.csv"] = SALES.replace(b"3", b"4")
    with pytest.raises(OSError, match="changed while it was read: run this again"):
        read(folders, version=before)
    assert read(folders) == b"units"
    assert folders.stamp_of(f"{URL}/sales.csv") == (len(SALES), version(folders)) != (len(SALES), before)
    store.fault = "another content"
    with pytest.raises(OSError, match="changed while it was read"):
        read(folders)


@pytest.mark.parametrize("fault", ["garbage", "short", "another range"])
def test_a_store_that_breaks_its_protocol_is_reported_in_words(store: OddStore, fault: str) -> None:
    folders = ObjectFolders([URL])
    known = version(folders)
    store.fault = fault
    with pytest.raises(OSError, match=r"could not be read: |changed while") as raised:
        read(folders, version=known)
    assert "secret-of" not in str(raised.value) and "127.0.0.1" not in str(raised.value)
    assert folders.is_away(f"{URL}/sales.csv") == ("could not" in str(raised.value))
    if fault == "garbage":
        assert folders.problems() and folders.stamps(), "the listing before is used"


def test_a_store_that_hangs_holds_up_no_other_and_a_stop_does_not_wait_for_it(
    store: OddStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bucket_folder, "PATIENCE", 0.1)
    folders = ObjectFolders([URL])
    known = version(folders)
    store.fault = "hang"
    stop = StopFlag()
    with ThreadPoolExecutor(8) as threads:
        hanging = [threads.submit(read, folders, stop, version=known) for _ in range(8)]
        with odd_store() as other:
            other.objects["sales.csv"] = SALES
            assert read(ObjectFolders([URL])) == b"units"
        stop.set("enough")
        assert {type(future.exception()) for future in hanging} == {Stopped}
    assert folders.stamps(), "the listing before is used"


def test_the_first_ten_thousand_objects_are_listed_and_the_first_forty_are_tables(
    store: OddStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bucket_folder, "MAX_LISTED", 2_300)
    store.objects = {f"{n:05}.csv": b"a\n1\n" for n in range(2_400)} | {"x" * 900: b"", "deep/a.csv": b""}
    folders = ObjectFolders([URL])
    assert [url for url, _, _ in folders.stamps()] == [f"{URL}/{n:05}.csv" for n in range(2_300)]
    store.objects = {"deep/a.csv": b"a\n", "x" * 900: b"a\n", "tab\x85.csv": b"a\n"}
    assert [url for url, _, _ in folders.stamps()] == [f"{URL}/deep/a.csv"]
    assert folders.tables() == []


@pytest.mark.parametrize(
    "url",
    [
        "s3://",
        "s3:///data",
        "s3://key:secret@bucket/data",
        "http://bucket/data",
        "s3://bucket?x=1",
        "s3://b\n/x",
    ],
)
def test_an_address_that_names_no_folder_in_a_bucket_is_refused(url: str) -> None:
    with pytest.raises(BadInput, match="invalid address of a folder in a bucket") as raised:
        ObjectFolders([url])
    assert "secret" not in str(raised.value) + raised.value.hint


@pytest.mark.parametrize(
    ("status", "reason"), [(404, "no such bucket"), (403, "denied access"), (401, "credentials")]
)
def test_a_store_that_refuses_stops_the_start(store: OddStore, status: int, reason: str) -> None:
    store.fault = str(status)
    with pytest.raises(BadInput, match=reason):
        ObjectFolders([URL])


def test_a_stop_ends_a_query_that_waits_for_a_store(store: OddStore, tmp_path: Path) -> None:
    folders = ObjectFolders([URL])
    children = Children(
        preload=(),
        packages=CHILD_PACKAGES,
        modules={CELL_OBJECTS: {"has_objects": True}},
        services={SERVICE: folders.serve},
        grace_seconds=20,
    )
    chat = Desk(children, str(tmp_path), tmp_path)
    query = f"duckdb.sql(\"SELECT units FROM '{URL}/sales.csv'\").fetchall()"
    assert chat.run(f"import duckdb\n{query}").output == "[(3,), (5,)]"
    store.fault = "hang"
    chat.host.on_print = lambda _text: chat.stop.set("enough")
    result = chat.run(f"print('now', flush=True)\n{query}")
    assert result.stopped and result.variables_intact
    store.fault = ""
    chat = chat.again()
    assert chat.run(query).output == "[(3,), (5,)]"
    chat.close()
    children.close()
