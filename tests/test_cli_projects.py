"""`smoldesk projects`, as a person types it: with a server on the data directory, and without one."""

import json
from pathlib import Path

import httpx
import pytest

from smoldesk.cli.main import dispatch, parser, read_settings
from smoldesk.cli.projects import printable
from smoldesk.errors import DeskError
from smoldesk.store.data_dir import DataDir
from tests.support.aio import aside
from tests.support.desk_server import LiveDesk, live_desk

TOKEN = "correct-horse-battery-staple"

pytestmark = pytest.mark.usefixtures("logged_as_before")


class Shell:
    """Types commands into this process, in an empty folder."""

    def __init__(self, capsys: pytest.CaptureFixture[str], data_dir: Path) -> None:
        self.capsys = capsys
        self.data_dir = data_dir
        self.said = ""

    def __call__(self, action: str, *arguments: str, code: int = 0) -> str:
        """What it printed."""
        options = parser().parse_args(["projects", action, *arguments, "--data-dir", str(self.data_dir)])
        self.said, ended = "", 2
        try:
            ended = aside(lambda: dispatch(options, read_settings(options)))
        except DeskError as fault:
            self.said = str(fault)
        assert ended == code, self.said
        return self.capsys.readouterr().out

    def data(self, action: str, *arguments: str) -> dict[str, object]:
        return json.loads(self(action, *arguments, "--json"))


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.chdir(tmp_path)
    return Shell(capsys, tmp_path / "data")


def walk_through(shell: Shell) -> None:
    """Every action once."""
    first = shell("add", "Quarterly report").strip()
    second = shell.data("add", "計画")["id"]
    assert [line.split()[0] for line in shell("list").splitlines()] == [first, second]
    lines = dict(line.split(None, 1) for line in shell("add-agent", first, "Planner").splitlines())
    assert lines["project_id"] == first
    assert len(lines["passkey"]) >= 24
    person = shell.data("add-agent", first, "Naoko", "--kind", "human")
    assert person.keys() == {"id", "passkey"}
    report = shell("show", first)
    assert "Quarterly report" in report
    assert f"{lines['agent_id']}  ai     Planner" in report
    assert lines["passkey"] not in report + shell("list") + shell("show", first, "--json")
    assert str(second) in shell("join", str(second), lines["agent_id"])
    assert "Planner" in shell("show", str(second))
    assert shell("remove-agent", first, lines["agent_id"]) == "Removed.\n"
    assert "(removed)" in shell("show", first)
    assert shell("remove", first) == "Removed.\n"
    shell("show", first, code=2)
    assert f"There is no project '{first}'." in shell.said
    assert [line.split()[0] for line in shell("list").splitlines()] == [second]


def test_projects_are_kept_without_a_server(shell: Shell) -> None:
    assert shell("list") == "There is no project yet.\n"
    walk_through(shell)


def test_the_server_that_has_the_data_directory_is_asked(shell: Shell) -> None:
    with live_desk(shell.data_dir) as live:
        walk_through(shell)
        created = shell("add", "seen on the page").strip()
        assert created in [item["id"] for item in listed(live)]
    assert created in shell("list"), "and it is there when the server has gone"


def listed(live: LiveDesk) -> list[dict[str, str]]:
    return httpx.get(f"{live.url}/api/projects", timeout=30).json()["projects"]


def test_a_server_with_a_token_is_asked_with_it(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    with live_desk(shell.data_dir, token=TOKEN):
        shell("list", code=2)
        assert "token" in shell.said.lower()
        monkeypatch.setenv("SMOLDESK_TOKEN", TOKEN)
        assert shell("list") == "There is no project yet.\n"
        assert TOKEN not in shell.said


def test_a_proxy_is_not_told_the_token(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    monkeypatch.setenv("SMOLDESK_TOKEN", TOKEN)
    with live_desk(shell.data_dir, token=TOKEN):
        assert shell("list") == "There is no project yet.\n"


def test_a_data_directory_that_something_else_has_is_refused(shell: Shell) -> None:
    shell("list")
    used = DataDir(shell.data_dir)
    used.serve_at("http://127.0.0.1:1")  # of a server that was killed
    used.claim()
    try:
        shell("list", code=2)
        assert "Another smoldesk uses the data directory" in shell.said
        used.serve_at("http://127.0.0.1:1")
        shell("list", code=2)
        assert "does not answer" in shell.said
    finally:
        used.release()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "p_nothing"], "There is no project 'p_nothing'."),
        (["show", "../chats"], "There is no project '../chats'."),
        (["add", "   "], "Expected 1 to 200 characters."),
        (["add", "x" * 201], "200"),
        (["add-agent", "p_nothing", "Planner"], "There is no project 'p_nothing'."),
    ],
)
def test_what_is_refused_is_said_in_a_line(shell: Shell, arguments: list[str], message: str) -> None:
    assert shell(*arguments, code=2) == ""
    assert message in shell.said
    assert len(shell.said.splitlines()) == 1


def test_a_name_does_not_steer_the_terminal(shell: Shell) -> None:
    shell("add", "\x1b[31mred\u202e\x07")
    report = shell("list")
    assert "<U+001B>[31mred<U+202E><U+0007>" in report
    assert "\x1b" not in report
    assert printable("テスト é") == "テスト é"
