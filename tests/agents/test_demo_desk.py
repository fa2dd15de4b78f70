"""The demo agent on a real server: chosen for a chat, talked with over the page's socket, gone with the server."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import httpx
import psutil
import pytest

from tests.support.desk_server import DeskProcess, LiveDesk, live_desk
from tests.support.waiting import come_true
from tests.support.ws_client import WsClient

pytestmark = pytest.mark.long

KEY = "sk-mark-of-a-key-22a9"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    with live_desk(tmp_path_factory.mktemp("desk")) as live:
        yield live


def demo_chat(url: str, agent: str = "demo") -> str:
    chat = httpx.post(f"{url}/api/chats", timeout=30).json()["id"]
    chosen = httpx.patch(f"{url}/api/chats/{chat}", json={"agent": agent}, timeout=30)
    assert chosen.status_code == 200, chosen.text
    return chat


def programs_below(pid: int) -> list[psutil.Process]:
    """The demo programs that a server started."""
    return [child for child in psutil.Process(pid).children(recursive=True) if is_demo(child)]


def is_demo(process: psutil.Process) -> bool:
    try:
        return any("demo.py" in word for word in process.cmdline())
    except psutil.Error:
        return False


def test_a_message_is_answered_word_by_word_and_a_question_is_put(desk: LiveDesk) -> None:
    with WsClient(desk.ws_url, f"?chat={demo_chat(desk.url)}") as client:
        client.hello()
        assert client.seen[-1]["content"]["agentName"] == "demo"
        client.say("eins zwei drei")
        messages = client.until_closed()
        deltas = [message for message in messages if message["type"] == "delta"]
        assert {message["kind"] for message in deltas} == {"output"}
        assert "eins zwei drei" in "".join(message["content"] for message in deltas)
        [text] = [message for message in messages if message["type"] == "text"]
        assert "eins zwei drei" in text["content"]
        assert messages[-1]["content"]["state"] == "finished"
        assert "eins zwei drei" in messages[-1]["content"]["text"]

        client.say("confirm lunch")
        ask = client.until("ask")["content"]
        assert (ask["kind"], ask["inputType"], ask["options"]) == ("input", "confirmation", ["y", "n"])
        assert "Continue? (y/n)" in ask["prompt"]
        client.send(type="answer", askId=ask["askId"], granted=True)
        closing = client.until_closed()
        assert closing[-1]["content"]["state"] == "finished"
        assert any(message["type"] == "ask_closed" for message in closing)


def test_the_program_stays_between_runs_and_a_crash_fails_one_with_its_code(desk: LiveDesk) -> None:
    with WsClient(desk.ws_url, f"?chat={demo_chat(desk.url)}") as client:
        client.hello()
        client.say("one")
        client.until_closed()
        [first] = programs_below(os.getpid())[-1:]
        client.say("two")
        client.until_closed()
        assert first.is_running()
        client.say("crash")
        messages = client.until_closed()
        error = next(message for message in messages if message["type"] == "error")
        assert error["code"] == "program_exited"
        assert "3" in error["content"]
        client.say("three")
        assert client.until_closed()[-1]["content"]["state"] == "finished"
        assert not first.is_running()


def test_a_chat_that_is_deleted_takes_its_program_along(desk: LiveDesk) -> None:
    chat = demo_chat(desk.url)
    before = {process.pid for process in programs_below(os.getpid())}
    with WsClient(desk.ws_url, f"?chat={chat}") as client:
        client.hello()
        client.say("one")
        client.until_closed()
        [mine] = [process for process in programs_below(os.getpid()) if process.pid not in before]
        assert httpx.delete(f"{desk.url}/api/chats/{chat}", timeout=30).status_code == 204
    come_true(lambda: not mine.is_running())


def test_agents_of_each_kind_take_turns_in_a_chat(desk: LiveDesk) -> None:
    """What the program was told is in the memory of who answers next; variables it never had are not missed."""
    chat = demo_chat(desk.url)
    with WsClient(desk.ws_url, f"?chat={chat}") as client:
        client.hello()
        for text in ("one", "two"):
            client.say(text)
            running = client.until("run", state="running")["content"]
            assert running["notes"] == []
            client.until_closed()
        httpx.patch(f"{desk.url}/api/chats/{chat}", json={"agent": "code"}, timeout=30)
        client.until("chat", agentName="code")
        client.say("How many rows are in titanic?")
        assert client.until("run", state="running")["content"]["notes"] == []
        closing = client.until_closed()[-1]["content"]
        assert closing["state"] == "finished" and "891" in closing["text"]


def test_other_front_ends_get_its_output_as_text(desk: LiveDesk) -> None:
    body = {"messages": [{"role": "user", "parts": [{"type": "text", "text": "vier fünf"}]}]}
    answer = httpx.post(f"{desk.url}/stream", params={"agent": "demo"}, json=body, timeout=60)
    assert answer.status_code == 200
    assert "text-delta" in answer.text
    assert answer.text.count("vier") >= 1
    assert '"modelVersion":""' in answer.text.replace(" ", "")


SPY = """
command: "{python} -I -u spy.py"
submit: "\\n"
echo: false
startup: {ready: "spy> $"}
idle: {strategy: pattern, pattern: "spy> $"}
"""
SPYING = """
import os, sys
while True:
    print("spy> ", end="", flush=True)
    if not sys.stdin.readline():
        break
    for name, value in sorted(os.environ.items()):
        print(name + "=" + value)
"""


def test_no_key_or_setting_of_the_server_reaches_a_program(tmp_path: Path, free_port: int) -> None:
    (tmp_path / "agents.toml").write_text(
        '[agents.spy]\nkind = "terminal"\nprofile = "spy.yaml"\n[agents.spy.env]\nGIVEN = "by the list"\n'
    )
    (tmp_path / "spy.yaml").write_text(SPY.replace("spy.py", str(tmp_path / "spy.py")))
    (tmp_path / "spy.py").write_text(SPYING)
    names = ("SMOLDESK_OPENAI_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "HF_TOKEN", "MY_PASSWORD")
    process = DeskProcess(tmp_path, free_port, dict.fromkeys(names, KEY) | {"SMOLDESK_MEMORY_RUNS": "7"})
    try:
        process.wait_until_up()
        with WsClient(process.ws_url, f"?chat={demo_chat(process.url, 'spy')}") as client:
            client.hello()
            client.say("tell")
            text = client.until_closed()[-1]["content"]["text"]
    finally:
        process.close()
    variables = {line.partition("=")[0] for line in text.splitlines()}
    assert {"PATH", "TERM", "GIVEN"} <= variables
    assert KEY not in text
    assert not variables & set(names)
    assert {name for name in variables if name.startswith("SMOLDESK_")} <= {
        "SMOLDESK_PROGRAM",
        "SMOLDESK_SERVER",
    }


STUBBORN = """
command: bash
args:
  - -c
  - |
    trap '' HUP TERM INT
    setsid bash -c "trap '' HUP TERM; sleep 1000; true" &
    while printf 'sh> '; read x; do echo $x; done
    sleep 1000
submit: "\\n"
echo: false
startup: {ready: "sh> $"}
idle: {strategy: pattern, pattern: "sh> $"}
stop_grace_seconds: 0.5
"""


@pytest.mark.parametrize("end", ["kill", "terminate"])
@pytest.mark.parametrize("agent", ["demo", "stubborn"])
def test_a_server_that_ends_leaves_no_program_behind(
    tmp_path: Path, free_port: int, agent: str, end: str
) -> None:
    """Neither one that ends with its terminal, nor one that ignores every signal it can and has a session elsewhere."""
    (tmp_path / "agents.toml").write_text('[agents.stubborn]\nkind = "terminal"\nprofile = "stubborn.yaml"\n')
    (tmp_path / "stubborn.yaml").write_text(STUBBORN)
    process = DeskProcess(tmp_path, free_port)
    try:
        process.wait_until_up()
        with WsClient(process.ws_url, f"?chat={demo_chat(process.url, agent)}") as client:
            client.hello()
            client.say("one")
            assert client.until_closed()[-1]["content"]["text"].strip() == "one"
            started = marked_by(process.process.pid)
            assert len(started) == (1 if agent == "demo" else 3)
            getattr(process, end)()
    finally:
        process.close()
    come_true(lambda: not any(map(lives, started)))


def marked_by(pid: int) -> list[psutil.Process]:
    """The programs of a server, and what they started."""
    below = psutil.Process(pid).children(recursive=True)
    [value] = {child.environ().get("SMOLDESK_SERVER") for child in below} - {None}
    every = [process for process in psutil.process_iter() if lives(process)]
    return [process for process in every if variable(process, "SMOLDESK_SERVER") == value]


def variable(process: psutil.Process, name: str) -> str | None:
    try:
        return process.environ().get(name)
    except psutil.Error:
        return None


def lives(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


LATE = """
command: bash
args: ["-c", "while printf 'sh> '; read x; do (until [ -e over ]; do sleep 0.1; done; echo later $x) & echo now $x; done"]
submit: "\\n"
echo: false
startup: {ready: "sh> $"}
idle: {strategy: pattern, pattern: "sh> $"}
"""


def test_what_a_program_writes_between_runs_is_kept_and_shown_as_a_notice(tmp_path: Path) -> None:
    (tmp_path / "agents.toml").write_text('[agents.late]\nkind = "terminal"\nprofile = "late.yaml"\n')
    (tmp_path / "late.yaml").write_text(LATE)
    with live_desk(tmp_path, agent="late") as live, WsClient(live.ws_url) as client:
        chat = client.hello()
        client.say("one")
        assert "later" not in client.until_closed()[-1]["content"]["text"]
        httpx.post(f"{live.url}/api/chats/{chat}/files", files={"file": ("over", b"x")}).raise_for_status()
        notice = client.next(30)
        while notice["type"] == "file":
            notice = client.next(30)
        assert (notice["type"], notice["tone"], notice["agent"]) == ("text", "notice", "late")
        assert "later one" in notice["content"]
        assert "runId" not in notice
        lines = httpx.get(f"{live.url}/api/chats/{chat}/events").text.splitlines()
    last = json.loads(lines[-1])
    assert last["event"]["type"] == "late_output"
    assert (last["event"]["agent"], last["run_id"]) == ("late", None)


def test_only_so_many_programs_run_at_once_and_an_idle_one_makes_room(tmp_path: Path) -> None:
    with live_desk(tmp_path, agent="demo", max_terminals=1) as live:
        first = WsClient(live.ws_url)
        second = WsClient(live.ws_url)
        with first, second:
            first.hello()
            second.hello()
            first.say("slow 100")
            first.until("delta")
            second.say("one")
            error = next(message for message in second.until_closed() if message["type"] == "error")
            assert error["code"] == "too_many_programs"
            run = next(message for message in first.seen if message["type"] == "run")["content"]["runId"]
            first.send(type="cancel", runId=run)
            assert first.until_closed()[-1]["content"]["state"] == "cancelled"
            second.say("two")
            assert second.until_closed()[-1]["content"]["text"].strip() == "two"


def test_an_idle_program_is_ended(tmp_path: Path) -> None:
    with (
        live_desk(tmp_path, agent="demo", terminal_idle_seconds=0.3) as live,
        WsClient(live.ws_url) as client,
    ):
        client.hello()
        client.say("one")
        client.until_closed()
        come_true(
            lambda: not [process for process in programs_below(os.getpid()) if in_folder(process, tmp_path)]
        )
        client.say("two")
        assert client.until_closed()[-1]["content"]["state"] == "finished"


def in_folder(process: psutil.Process, folder: Path) -> bool:
    try:
        return Path(process.cwd()).is_relative_to(folder)
    except psutil.Error:
        return False
