"""`smoldesk export`, `import` and `replay`: with a desk that runs, and without one."""

import json
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from pydantic import SecretStr

from smoldesk.cli.main import main
from smoldesk.cli.replay import alone
from smoldesk.settings import Settings
from tests.export.conftest import Sample
from tests.export.logs import lines_of, messages, named_alike
from tests.support.aio import aside

pytestmark = pytest.mark.usefixtures("logged_as_before")


def test_a_chat_goes_from_a_running_desk_to_another_folder_and_plays_alike(
    sample: Sample, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    here = ["--data-dir", str(sample.live.desk.data_dir.root)]
    assert aside(lambda: main(["export", sample.chat_id, *here])) == 0
    log = Path(capsys.readouterr().out.strip())
    assert log.name == "売上 script alert(1) script.jsonl", "a title is no path"
    assert lines_of(log)[1:] == lines_of(sample.log)[1:]

    assert aside(lambda: main(["import", str(log), "--data-dir", "other"])) == 0
    chat_id = capsys.readouterr().out.strip()
    assert aside(lambda: main(["export", chat_id, "--data-dir", "other", "-o", "again.jsonl"])) == 0
    assert len(lines_of(Path("again.jsonl"))) == len(lines_of(log)) + 1
    capsys.readouterr()

    assert aside(lambda: main(["replay", str(log), "--json"])) == 0
    lines = capsys.readouterr().out.splitlines()
    played = named_alike(lines)
    assert played == [json.loads(line) for line in lines], "ids are the same each time"
    assert played[2:] == messages(sample.live.url, sample.chat_id)[2:]


def test_a_replay_listens_where_it_is_told_to_and_not_where_the_desk_does(tmp_path: Path) -> None:
    desk = Settings(host="0.0.0.0", port=8000, token=SecretStr("x" * 32))
    local = alone(desk, tmp_path, ("127.0.0.1", 0))
    assert (local.host, local.port, local.data_dir) == ("127.0.0.1", 0, tmp_path)


def _ends_midway() -> httpx2.Client:
    """A client of a desk that ends while it gives a file."""

    def pieces() -> Iterator[bytes]:
        yield b"half"
        raise httpx2.ReadError("reset")

    class Half(httpx2.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            return pieces()

    def answer(request: httpx2.Request) -> httpx2.Response:
        if request.url.path.endswith("/export"):
            return httpx2.Response(200, stream=Half())
        return httpx2.Response(200, json={"title": "chat"})

    return httpx2.Client(base_url="http://127.0.0.1:9", transport=httpx2.MockTransport(answer))


def test_what_cannot_be_is_said_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(sample.log.read_bytes()[:-40])
    existing = ["--data-dir", str(tmp_path / "data")]
    assert aside(lambda: main(["import", str(cut), *existing])) == 2
    assert "The log is cut" in capsys.readouterr().err
    assert aside(lambda: main(["import", str(cut), "--partial", *existing])) == 0
    assert "The log is cut: the chat ends after" in capsys.readouterr().err
    assert aside(lambda: main(["replay", str(tmp_path / "none.jsonl")])) == 2
    assert aside(lambda: main(["export", "c_none", *existing])) == 2
    assert "There is no chat" in capsys.readouterr().err
    here = ["--data-dir", str(sample.live.desk.data_dir.root)]
    assert aside(lambda: main(["export", sample.chat_id, *here, "-o", "."])) == 2
    assert "The file cannot be written: Is a directory." in capsys.readouterr().err
    monkeypatch.setattr("smoldesk.cli.logs.running", lambda _: "http://127.0.0.1:9")
    monkeypatch.setattr("smoldesk.cli.logs.client_of", lambda *_: _ends_midway())
    assert aside(lambda: main(["export", sample.chat_id, "-o", str(tmp_path / "half.jsonl")])) == 2
    assert "The desk does not answer." in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["cut.jsonl"]
