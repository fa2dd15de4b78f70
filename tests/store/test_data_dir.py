"""What a server that was killed leaves unfinished is gone when the next one takes the data directory, and nothing else."""

import os
import time
from pathlib import Path

import pytest

from smoldesk.errors import DeskError
from smoldesk.store.data_dir import DataDir


def test_what_a_killed_server_left_unfinished_goes_and_nothing_else(tmp_path: Path) -> None:
    data, outside = DataDir(tmp_path / "data"), tmp_path / "outside"
    outside.mkdir()
    (outside / "mine").touch()
    stored = [data.chats / "c_1", data.chats / "verify-now", data.cache / "shared"]
    remaining = [
        data.cache / "report-1",
        data.cache / "plan-1",
        data.chats / "verify-old",
        data.chats / "shapes-old",
    ]
    for folder in (*stored, *remaining):
        folder.mkdir()
        (folder / "file").write_text("1")
    files = [data.cache / ".export-1.abc", data.cache / "export-1"]
    for file in files:
        file.write_text("half")
    (data.cache / "import-1").symlink_to(outside)
    long_ago = time.time() - 90_000
    for folder in (data.chats / "c_1", *remaining[2:]):
        os.utime(folder, (long_ago, long_ago))
    data.claim()
    assert not any(path.exists() for path in (*remaining, *files))
    assert not (data.cache / "import-1").is_symlink()
    assert all((path / "file").exists() for path in stored)
    assert (outside / "mine").exists()

    (data.cache / "export-2").write_text("of the server that runs")
    with pytest.raises(DeskError):
        DataDir(tmp_path / "data").claim()
    assert (data.cache / "export-2").exists()
    data.release()
