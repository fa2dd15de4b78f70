"""MCP servers that behave and that do not: what the desk takes of them, what it says of them, and what they cannot reach."""

import asyncio
import contextlib
import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from smoldesk.errors import BadInput, Stopped
from smoldesk.events import Ask
from smoldesk.sandbox.isolation import jail_here
from smoldesk.stopping import StopFlag
from smoldesk.store.asks import Answer
from smoldesk.tools.mcp_servers import McpServers, connection, stdio
from smoldesk.tools.mcp_servers.failures import McpFailed
from smoldesk.tools.mcp_servers.server_calls import MAX_PROGRESS_CHARACTERS, OpenCalls
from smoldesk.tools.mcp_servers.server_tools import McpTool
from tests.support.aio import run_async
from tests.tools.mcp_servers.support import ODD, Call, caller, entry, odd


def _stopped(call: Callable[..., Any], context: Call) -> None:
    """A call that hangs until it is stopped."""
    with contextlib.suppress(Stopped):
        call("odd_hang", context, mark="beside")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("desk")


@pytest.fixture(scope="module")
def servers(data: Path) -> Iterator[McpServers]:
    entries = [odd("odd", protocol="legacy", env={"KEY": "hidden-value"}), odd("liar", "lie")]
    mcp_servers = McpServers(entries, data, jail_here(data))
    yield mcp_servers
    mcp_servers.close()


@pytest.fixture(scope="module")
def call(servers: McpServers) -> Callable[..., Any]:
    return caller(servers)


def test_a_program_reaches_nothing_of_the_desk(
    call: Callable[..., Any], data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not jail_here(data).report().isolated:
        pytest.skip("no jail here")
    (data / "sources.key").write_text("the key")
    assert call("odd_look", path="environment") == "HOME KEY LANG PATH TMPDIR", (
        "its own, and no token of the desk"
    )
    assert "KEY=***" in call("odd_look", path="/proc/self/environ"), "it may say it, and nobody reads it"
    outside = ("/etc/shadow", str(data / "sources.key"), f"/proc/{os.getpid()}/environ", __file__)
    assert {call("odd_look", path=path) for path in outside} <= {
        "refused: FileNotFoundError",
        "refused: PermissionError",
        "refused: NotADirectoryError",
    }
    assert str(os.getpid()) not in call("odd_look", path="processes").split()
    call("odd_write", path=str(data / "planted"))
    assert not (data / "planted").exists()
    assert call("odd_write", path="own.txt") == "written" and (data / "mcp" / "odd" / "own.txt").exists()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        assert call("odd_connect", port=listening.getsockname()[1]).startswith("refused"), (
            "no network unless it was given"
        )


@pytest.mark.parametrize("where", ["", "mcp", ".."])
def test_no_entry_gives_a_server_the_desks_own_data(data: Path, where: str) -> None:
    with pytest.raises(BadInput, match="contains the desk's own data"):
        McpServers([entry("thief", command="sh", readable=[str(data / where)])], data, jail_here(data))


def test_the_desks_data_is_hidden_where_it_lies_within_what_a_program_reads(tmp_path: Path) -> None:
    """A program's own environment is read whole, and so is /usr: a desk's data may lie in there."""
    home, data = tmp_path / "env", tmp_path / "env" / "share" / "desk"
    (home / "bin").mkdir(parents=True)
    (home / "lib" / "node_modules").mkdir(parents=True)
    (data / "chats").mkdir(parents=True)
    (home / "readme").write_text("seen")
    (data / "sources.key").write_text("the key")
    looks = f"cat {home}/readme {data}/sources.key >&2; ls {data} | tr '\\n' ' ' >&2; touch own {data}/planted; exit 2"
    for program in (home / "bin" / "tool", data / "chats" / "tool"):
        program.write_text(f"#!/bin/sh\n{looks}")
        program.chmod(0o755)
    jail = jail_here(data)
    if not jail.report().isolated:
        pytest.skip("no jail here")
    planted = entry("planted", command=str(data / "chats" / "tool"))
    servers = McpServers([entry("tool", command=str(home / "bin" / "tool")), planted], data, jail)
    try:
        servers.begin(30)
        problem = servers.get("tool").problem
        assert "the key" not in problem and "chats" not in problem and not (data / "planted").exists()
        if jail.rung == "A":
            assert problem.endswith(": mcp.") and (data / "mcp" / "tool" / "own").exists(), problem
        assert servers.get("planted").problem == "Its program is in a folder of the desk's own data."
    finally:
        servers.close()


def test_what_lies_about_its_schema_is_told_and_harms_nobody(
    call: Callable[..., Any], servers: McpServers
) -> None:
    assert "'size' is a required property" in call("liar_wrong")
    assert call("liar_slow")["a"].endswith("!"), "a pattern that would be matched for years"
    rows = {item.tool: item for item in servers.offered(["liar_datasets"])["liar"]}
    assert "'banana'" in rows["broken"].problem and "does not describe" in rows["needs"].problem
    assert rows["datasets"].problem == "a tool is called 'liar_datasets' already", (
        "none hides one of the desk's"
    )
    assert rows["a b"].name == "liar_a_b" and rows["a.b"].name == "", (
        "of two of one name the second is left out"
    )
    assert "works as a task" in rows["task_required"].problem and not rows["task_optional"].problem
    assert call("liar_task_optional") == "3", "which it is called without"
    assert rows["union"].name == "liar_union", "one bad schema costs no other tool"
    assert "more than 200,000 characters" in rows["long19"].problem and rows["long0"].name == "liar_long0"
    names = [tool.name for tool in servers.tools(["liar_datasets"])]
    assert len(names) == len(set(names)) and "liar_datasets" not in names


def test_a_result_beyond_the_most_is_refused_in_words_and_the_server_goes_on(
    call: Callable[..., Any],
) -> None:
    assert (
        call("odd_large", megabytes=100)
        == "fault: The MCP server 'odd': the result has more than 32 MB and was not taken"
    )
    assert call("odd_shout", text="still there") == "STILL THERE"


class _Slow(Call):
    """Its person looks at the first question until the server has got most answers without them."""

    def __init__(self, received: Path) -> None:
        super().__init__()
        self._heard = received

    def ask(self, ask: Ask) -> Answer:
        self.asked.append(ask)
        deadline = time.monotonic() + 30
        while not self._heard.exists():
            assert time.monotonic() < deadline, "all questions of a flood are kept"
            time.sleep(0.02)
        return Answer(granted=False, value=None)


def test_a_flood_of_questions_progress_and_changes_is_not_kept(call: Callable[..., Any], data: Path) -> None:
    slow = _Slow(data / "mcp" / "liar" / "most")
    assert call("liar_flood", slow) == "all were answered"
    assert len(slow.asked) <= 20 and len(slow.said) <= 500
    assert all(share is None or 0 <= share <= 1 for _, share in slow.said)
    assert int(call("liar_lists")) < 30, "its lists are read once for many changes"
    assert call("liar_parts") == "fault: The result has 1,000 parts, and more than 200 are not taken."


def test_thirty_calls_at_once_each_get_their_own_result(call: Callable[..., Any]) -> None:
    by_name: dict[int, str] = {}

    def item(number: int) -> None:
        by_name[number] = call("odd_shout", Call(chat_id=f"c{number}"), text=f"n{number}")

    threads = [threading.Thread(target=item, args=(number,)) for number in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert by_name == {number: f"N{number}" for number in range(30)}


def test_a_server_that_asks_for_roots_is_told_the_folders_that_it_was_given(
    call: Callable[..., Any], data: Path, tmp_path: Path
) -> None:
    assert call("odd_roots") == "[]", "its arguments name paths: these are for its arguments to say"
    run = f"import runpy, sys; sys.argv[1:] = []; runpy.run_path({str(ODD)!r}, run_name='__main__')"
    inputs = {
        "command": sys.executable,
        "args": ["-c", run],
        "readable": [str(ODD)],
        "writable": [str(tmp_path)],
    }
    rooted = McpServers([entry("rooted", protocol="legacy", **inputs)], data, jail_here(data))
    try:
        assert caller(rooted)("rooted_roots") == f"['{tmp_path.as_uri()}']", "no file, and nothing else"
    finally:
        rooted.close()


def test_a_call_that_hangs_ends_in_words_and_a_stop_ends_it_at_once(
    call: Callable[..., Any], servers: McpServers, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as quick:
        odd = servers.get("odd")
        quick.setattr(odd, "entry", replace(odd.entry, timeout=1))
        assert call("odd_hang", mark="timed-out") == "fault: The MCP server 'odd' said nothing for 1 s."
    context = Call()
    threading.Timer(0.3, lambda: context.stop.set("enough")).start()
    with pytest.raises(Stopped):
        call("odd_hang", context, mark="stopped")
    deadline = time.monotonic() + 30
    while not all((data / "mcp" / "odd" / mark).exists() for mark in ("timed-out", "stopped")):
        assert time.monotonic() < deadline, "the server was not told that nobody waits"
        time.sleep(0.02)


def test_a_question_is_put_to_one_chat_only(call: Callable[..., Any]) -> None:
    yes = [Answer(granted=True, value=value) for value in ("blue", "2", "yes")]
    requested = Call(yes)
    assert call("odd_wish", requested) == "accept {'colour': 'blue', 'count': 2, 'sure': True}"
    assert [ask.input_type for ask in requested.asked] == ["text", "text", "selection"]
    other = Call(chat_id="another")
    waiting = threading.Thread(target=_stopped, args=(call, other))
    waiting.start()
    time.sleep(0.3)
    requested = Call()
    try:
        assert call("odd_wish", requested) == "cancel", "which chat is meant cannot be known"
        assert not requested.asked and not other.asked
        deadline = time.monotonic() + 30
        while not other.said and time.monotonic() < deadline:
            time.sleep(0.02)
        for one in (requested, other):
            assert "no person was asked" in one.said[0][0], "and that is said"
    finally:
        other.stop.set("enough")
        waiting.join(30)


def test_what_waits_for_its_run_is_bounded_and_a_question_of_a_call_that_fails_is_cancelled() -> None:
    """Calls that go on side by side are heard one after the other: what they say meanwhile is kept."""
    calls = OpenCalls()
    first, second = calls.begin("c"), calls.begin("c")

    def breaks(_params: Any) -> Any:
        raise TypeError("a schema that is none")

    async def scenario() -> str:
        requested = asyncio.ensure_future(calls.elicited(None, None))
        await asyncio.sleep(0)
        serve = first.tasks.get_nowait()
        assert serve is not None
        with pytest.raises(TypeError):
            serve(cast("Any", SimpleNamespace(elicit=breaks)))
        calls.over(first)  # as its failure ends it: the question may be the other one's
        return (await asyncio.wait_for(requested, 10)).action

    assert run_async(scenario()) == "cancel" and not second.is_over


def test_a_call_that_begins_as_its_server_ends_leaves_nothing_open(
    servers: McpServers, call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else no question could be put any more: calls of several chats would be open for good."""
    odd_one = servers.get("odd")
    lines: list[str] = []

    async def work(client: Any, progress: Any) -> str:
        await progress(1, 2, "x" * (3 * MAX_PROGRESS_CHARACTERS))
        return "done"

    asker = cast("Any", SimpleNamespace(progress=lambda text, _share: lines.append(text)))
    assert odd_one.call(work, "c", asker, StopFlag()) == "done"
    assert [len(item) for item in lines] == [MAX_PROGRESS_CHARACTERS], "however much a server says"
    ended = asyncio.new_event_loop()
    ended.close()
    monkeypatch.setattr(odd_one, "_loop", ended)
    monkeypatch.setattr(connection, "CLOSE_SECONDS", 0.0)  # how it ended will not be known
    with pytest.raises(McpFailed, match="ended during the call"):
        odd_one.start(work, "another")
    monkeypatch.undo()
    requested = Call([Answer(granted=True, value=value) for value in ("blue", "2", "yes")])
    assert call("odd_wish", requested).startswith("accept"), "its one open call is known"


def test_one_that_dies_is_started_again_and_one_that_keeps_dying_is_not(
    call: Callable[..., Any], servers: McpServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        connection, "AGAIN_SECONDS", 600.0
    )  # four starts take a busy machine more than a minute
    message = call("odd_die")
    assert "ended during the call. It is started again." in message and "exit code 3: out of ink" in message
    context = Call()
    assert call("odd_shout", context, text="a") == "A"
    assert context.said == [("The MCP server 'odd' had ended and is started again.\n", None)]
    for _ in range(connection.MAX_BEGINNINGS):
        message = call("odd_die")
    assert "does not run" in message or "not started again" in message
    servers.get("odd").restart()
    assert call("odd_shout", text="b") == "B", "a person restarts it"


@pytest.mark.parametrize(
    ("replies", "text"),
    [
        ("cat /dev/urandom", "which is not MCP"),
        ("cat > /dev/null", "did not begin to speak MCP within 1.5 s"),
    ],
)
def test_what_speaks_no_mcp_is_said_to(
    data: Path, replies: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stdio, "ENDS", 0.2)
    bad_entry = entry("bad", command="sh", args=["-c", replies])
    servers = McpServers([bad_entry], data, jail_here(data), start_seconds=1.5)
    try:
        servers.begin(30)
        bad = servers.get("bad")
        assert bad.state == "failed" and text in bad.problem, bad.problem
        assert "cannot be used now" in servers.problems()[0]
        started = time.monotonic()
        assert servers.tools([], 30) == [] and time.monotonic() - started < 1.4, "no later run waits for it"
    finally:
        servers.close()


def test_one_that_cannot_begin_says_why_and_what_its_jail_lacks(data: Path) -> None:
    """What runs a program says more behind its error; a script that lies elsewhere is the usual reason."""
    script = data.parent / "elsewhere" / "server.js"
    text = f"echo 'Error: Cannot find module {script}' >&2; echo '    at loader:1' >&2; echo 'Node.js v20' >&2; exit 1"
    servers = McpServers([entry("bad", command="sh", args=["-c", text, str(script)])], data, jail_here(data))
    try:
        servers.begin(30)
        problem = servers.get("bad").problem
        assert f"exit code 1: Error: Cannot find module {script}." in problem and "Node.js" not in problem
        assert problem.endswith(
            f"Its jail does not have {script}: name it under readable or writable in agents.toml."
        )
    finally:
        servers.close()


def test_a_path_that_every_jail_has_is_no_reason() -> None:
    inputs = ["/etc/hosts", "/bin/sh", "/dev/null", "/srv/data/x"]
    assert stdio.hidden_path_message(entry("one", command="sh", args=inputs), [Path("/srv/data")]) == ""


def test_a_description_that_was_cut_says_so_to_who_is_asked() -> None:
    """Who reads the beginning alone knows that there is more."""
    simple_namespace = SimpleNamespace(
        name="do",
        title=None,
        description="a" * 301,
        input_schema={},
        output_schema=None,
        annotations=None,
        meta=None,
    )
    tool = McpTool(cast("Any", SimpleNamespace(entry=entry("odd", command="sh"))), simple_namespace, {}, 60)
    assert tool.external_description == f"(By the MCP server odd:) {'a' * 300}…"


def test_what_a_server_needs_to_say_is_no_secret_of_its_entry() -> None:
    secret = {"GITHUB_PAT": "ghp_plain", "DB": "postgresql://u:p@h/d", "NOTION": "ntn0123456789abcdefgh"}
    plain = {"ZONE": "America/Argentina/Ushuaia", "AUTH_URL": "https://git.example.org/api", "AUTHOR": "Jane"}
    created = entry("some", command="sh", env={**secret, **plain})
    assert set(created.credentials()) == set(secret.values())
    existing = entry("there", url="http://a", headers={"Authorization": "Basic abc"})
    assert existing.credentials() == ["Basic abc", "Basic", "abc"]
    usual = {
        "Accept": "application/json",
        "Content-Type": "application/json",
        "User-Agent": "smoldesk-client",
    }
    assert entry("usual", url="http://a", headers=usual).credentials() == []
    proxied = entry("proxied", command="sh", env={"PROXY_AUTHORIZATION": "abc", "GIT_AUTHOR": "Jane"})
    assert proxied.credentials() == ["abc", "abc"]


def test_the_values_of_variables_are_in_no_words(data: Path) -> None:
    shout = entry(
        "sh", command="sh", args=["-c", "echo wrong key $KEY >&2; exit 2"], env={"KEY": "hidden-value"}
    )
    servers = McpServers([shout, entry("none", command="no-such-program")], data, jail_here(data))
    try:
        servers.begin(30)
        assert servers.get("sh").problem == "Its program ended: exit code 2: wrong key …."
        assert "no program 'no-such-program'" in servers.get("none").problem
    finally:
        servers.close()
