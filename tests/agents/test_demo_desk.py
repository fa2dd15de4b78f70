"""The demo agent on a real server: chosen for a chat, talked with over the page's socket, gone with the server."""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from tests.support.desk_server import DeskProcess, LiveDesk, live_desk
from tests.support.ws_client import WsClient

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


def until(condition: Any, seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come to be so"
        time.sleep(0.02)


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
    until(lambda: not mine.is_running())


def test_agents_of_each_kind_take_turns_in_a_chat(desk: LiveDesk) -> None:
    """What the program was told is in the memory of who answers next; variables it never had are not missed."""
    chat = demo_chat(desk.url)
    with WsClient(desk.ws_url, f"?chat={chat}") as client:
        client.hello()
        for words in ("one", "two"):
            client.say(words)
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
    known = {line.partition("=")[0] for line in text.splitlines()}
    assert {"PATH", "TERM", "GIVEN"} <= known
    assert KEY not in text
    assert not known & set(names)
    assert {name for name in known if name.startswith("SMOLDESK_")} <= {"SMOLDESK_PROGRAM"}


@pytest.mark.parametrize("end", ["kill", "terminate"])
def test_a_server_that_ends_leaves_no_program_behind(tmp_path: Path, free_port: int, end: str) -> None:
    process = DeskProcess(tmp_path, free_port)
    try:
        process.wait_until_up()
        with WsClient(process.ws_url, f"?chat={demo_chat(process.url)}") as client:
            client.hello()
            client.say("one")
            client.until_closed()
            client.say("slow 100")
            client.until("delta")
            [program] = programs_below(process.process.pid)
            getattr(process, end)()
    finally:
        process.close()
    until(lambda: not program.is_running())
