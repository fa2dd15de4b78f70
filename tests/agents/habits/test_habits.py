"""Habits of models and servers, each played by a real HTTP server to a real desk: what a person sees at the end.

The habits are data, in the TOML files beside this one; README.md has their format.
"""

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

from smoldesk.tools.policy import DeskTool
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.openai_server import Chunks, Fails, OpenAIServer, Seen
from tests.support.tools import Noting
from tests.support.ws_client import Message, WsClient, of_type

HERE = Path(__file__).parent
HABITS: list[dict[str, Any]] = [
    habit for file in sorted(HERE.glob("*.toml")) for habit in tomllib.loads(file.read_text("utf-8"))["habit"]
]
AGENTS = """
[agents.code]
structured = false
[agents.structured]
kind = "code"
structured = true
[agents.tools]
"""
PIECE = 5
SHOWN = {"text", "code", "error"}
# Messages about the run that are no part of what it shows.
ABOUT = {
    "user_message",
    "run",
    "evidence",
    "delta",
    "debug",
    "printed",
    "tool",
    "model_call",
    "prompt_progress",
    "chat",
}


class Scene:
    """A desk, a provider that plays a habit, and the words that the tool `note` ran with."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self.replies: list[Mapping[str, Any]] = []
        self.live: LiveDesk
        self.provider: OpenAIServer

    def tools(self, _: Path) -> list[DeskTool]:
        return [Noting(self.ran)]

    def next(self, _: Seen) -> Chunks | Fails:
        return reply_of(self.replies.pop(0)) if self.replies else Fails(418, "the habit is over")


def reply_of(reply: Mapping[str, Any]) -> Chunks | Fails:
    """One reply as a server streams it."""
    if "status" in reply:
        return Fails(reply["status"], reply["message"], headers={"retry-after": "0"})
    text, reasoning = reply.get("text", ""), reply.get("reasoning", "")
    deltas: list[dict[str, Any]] = [{"reasoning_content": reasoning}] if reasoning else []
    deltas += [{"content": text[at : at + PIECE]} for at in range(0, len(text), PIECE)]
    if "refusal" in reply:
        deltas.append({"refusal": reply["refusal"]})
    for index, (name, arguments) in enumerate(reply.get("calls", [])):
        sent = arguments if isinstance(arguments, str) else json.dumps(arguments)
        function = {"name": name, "arguments": sent}
        deltas.append(
            {"tool_calls": [{"index": index, "id": f"c{index}", "type": "function", "function": function}]}
        )
    end = [] if reply.get("breaks") else [{"finish_reason": reply.get("finish", "stop")}]
    return Chunks(*({"delta": delta} for delta in deltas), *end, breaks=bool(reply.get("breaks")))


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    folder: Path = tmp_path_factory.mktemp("habits")
    (folder / "agents.toml").write_text(AGENTS)
    scene = Scene()
    with (
        OpenAIServer(scene.next) as scene.provider,
        live_desk(
            folder,
            None,
            scene.tools,
            model="openai:habitual",
            openai_base_url=scene.provider.base_url,
            model_retries=1,
            max_steps=4,
        ) as scene.live,
    ):
        yield scene


def seen_by_a_person(messages: list[Message]) -> list[str]:
    """What a run showed: type and content of texts, code and errors, the type of the rest."""
    return [
        f"{message['type']}: {message['content']}" if message["type"] in ("text", "code") else message["type"]
        for message in messages
        if message["type"] not in ABOUT
    ]


def streamed(messages: list[Message], kind: str) -> str:
    """What the page has of a kind when all pieces are there; a restart drops the step's text and code."""
    pieces: dict[tuple[int, str], str] = {}
    for delta in of_type(messages, "delta"):
        step = delta["step"]
        if delta.get("restart"):
            pieces[step, "text"] = pieces[step, "code"] = ""
        pieces[step, delta["kind"]] = pieces.get((step, delta["kind"]), "") + delta["content"]
    return "".join(text for (_, each), text in pieces.items() if each == kind)


@pytest.mark.parametrize("habit", HABITS, ids=[habit["name"] for habit in HABITS])
def test_a_habit_ends_as_a_person_would_want(scene: Scene, habit: dict[str, Any]) -> None:
    scene.ran.clear()
    scene.replies[:] = habit["replies"]
    before = len(scene.provider.requests)
    with WsClient(scene.live.ws_url) as client:
        chat_id = client.hello()
        chat = f"{scene.live.url}/api/chats/{chat_id}"
        httpx.patch(chat, json={"agent": habit.get("form", "code")}).raise_for_status()
        if habit.get("data"):
            files = {"file": ("sales.csv", b"n\n1\n2\n3\n")}
            httpx.post(f"{chat}/files", files=files, timeout=30).raise_for_status()
        messages = client.ask("go")
    check_page(messages, habit)
    assert scene.ran == habit.get("ran", [])
    requests = scene.provider.requests[before:]
    assert len(requests) == habit.get("requests", len(habit["replies"]))
    told = json.dumps(requests[-1].body["messages"], ensure_ascii=False)
    for text in habit.get("told", []):
        assert json.dumps(text, ensure_ascii=False)[1:-1] in told
    check_reload(scene, chat_id, messages)


def check_page(messages: list[Message], habit: dict[str, Any]) -> None:
    """The page shows what the habit says, and nothing of smolagents' parser."""
    closing = messages[-1]["content"]
    faults = [message for message in of_type(messages, "error") if message["code"] != "code_error"]
    shown = [each for each in messages if each not in faults and each["type"] != "file"]
    assert (closing["state"], [fault["code"] for fault in faults]) == (
        habit.get("closes", "finished"),
        [habit["error"]] if "error" in habit else [],
    )
    assert seen_by_a_person(shown) == habit["page"]
    marked = [message for message in of_type(messages, "text") if message.get("withoutCode")]
    assert bool(marked) == habit.get("without_code", False)
    assert "regex pattern" not in json.dumps(messages)
    assert "reasoning" not in habit or streamed(messages, "reasoning") == habit["reasoning"]
    assert "fault" not in habit or habit["fault"] in faults[0]["content"]
    written = streamed(messages, "code")
    ran = "".join(message["content"] for message in of_type(messages, "code") if "step" in message)
    cut = any(reply.get("finish") == "length" for reply in habit["replies"])
    # code that was cut is replaced by what ran; calls become code that was not streamed
    if written and not cut and habit.get("closes") != "failed":
        assert "".join(written.split()) in "".join(ran.split()).replace(
            "final_answer_variable", "final_answer"
        )


def check_reload(scene: Scene, chat_id: str, live: list[Message]) -> None:
    """A page that is loaded later gets the same messages."""
    with WsClient(scene.live.ws_url, f"?chat={chat_id}&after=0") as later:
        later.hello()
        again = later.until_closed()
    assert seen_by_a_person(again) == seen_by_a_person(live)
    for kind in ("text", "code", "reasoning"):
        assert streamed(again, kind) == streamed(live, kind)


def test_there_are_sixty_habits_with_a_source_each() -> None:
    assert len({habit["name"] for habit in HABITS}) == len(HABITS) >= 60
    assert all(habit["source"].startswith("https://") for habit in HABITS)
