"""Files that are deleted while a backup is taken, and files in a bucket."""

from pathlib import Path

import pytest

from smoldesk.backup.databases import Contents, SqliteDatabase
from smoldesk.store import chats
from smoldesk.store.data_dir import DataDir
from smoldesk.store.store import Store
from tests.backup.conftest import CONTENT, add_file
from tests.support.backing_up import Commands, file_ids_of
from tests.support.bucket import Bucket, a_bucket


def test_a_chat_deleted_after_the_copy_of_the_database_is_not_in_the_backup(
    tmp_path: Path, desk: Path, smoldesk: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store.open(DataDir(desk))
    gone, stays = (store.submit(chats.new_chat).result().id for _ in range(2))
    for chat_id in (gone, stays):
        add_file(store, chat_id, f"{chat_id}.csv")
    dump = SqliteDatabase.dump
    dumps: list[Contents] = []

    def dumped(database: SqliteDatabase, target: Path) -> Contents:
        dumps.append(dump(database, target))
        if len(dumps) == 1:
            for file_id in store.submit(lambda tx: chats.delete_chat(tx, gone)).result():
                store.files.discard(file_id)
        return dumps[-1]

    monkeypatch.setattr(SqliteDatabase, "dump", dumped)
    code, output = smoldesk("backup", tmp_path / "b", "--data-dir", desk)
    store.close()
    assert (code, len(dumps)) == (0, 2), output
    assert smoldesk("restore", tmp_path / "b", "--data-dir", tmp_path / "there")[0] == 0
    restored = {path.name for path in (tmp_path / "there" / "files").iterdir()}
    assert restored == file_ids_of(tmp_path / "there") == file_ids_of(desk)


def test_files_of_a_bucket_come_back_into_another_one(
    tmp_path: Path, smoldesk: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    with a_bucket() as bucket:
        store = Store.open(DataDir(tmp_path / "here"), files_url=bucket.url)
        chat_id = store.submit(chats.new_chat).result().id
        file_id = add_file(store, chat_id, "a.csv")
        with store.folders.changing(chat_id) as folder:
            (folder / "売上 %.csv").write_bytes(CONTENT)
        store.close()
        for path in (*(tmp_path / "here" / "files").iterdir(), folder / "売上 %.csv"):
            path.unlink()  # as at a server that has not read them
        monkeypatch.setenv("SMOLDESK_FILES_URL", bucket.url)
        code, output = smoldesk("backup", tmp_path / "b", "--data-dir", tmp_path / "here")
        assert code == 0, output
        assert "; 0 files were new" in smoldesk("backup", tmp_path / "b", "--data-dir", tmp_path / "here")[1]
        code, output = smoldesk("restore", tmp_path / "b", "--data-dir", tmp_path / "there")
        assert (code, "in the bucket" in output) == (2, True), "this one is not empty"

        other = Bucket()
        try:
            monkeypatch.setenv("AWS_ENDPOINT_URL", other.address)
            monkeypatch.setenv("SMOLDESK_FILES_URL", other.url)
            code, output = smoldesk("restore", tmp_path / "b", "--data-dir", tmp_path / "there")
            assert code == 0, output
            store = Store.open(DataDir(tmp_path / "there"), files_url=other.url)
            assert store.files.fetch(file_id).read_bytes() == CONTENT + b"a.csv"
            assert (store.folders.opened(chat_id) / "売上 %.csv").read_bytes() == CONTENT
            store.close()
            code, output = smoldesk("doctor", "--deep", "--data-dir", tmp_path / "there")
            assert code == 0, output
        finally:
            other.stop()
