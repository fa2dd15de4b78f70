"""Fixtures of the UI message stream: what our server sent in a scenario, as files that a front end can be tested with.

`scripts/capture_ui_stream.py` writes them; nobody writes one by hand. Ids, times, token counts and the pieces in which
text came differ from run to run, so a fixture is compared in its normal form.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.ai_sdk.driving import Chunk, Drive
from tests.ai_sdk.scenarios import Scenario

FOLDER = Path(__file__).resolve().parent.parent / "fixtures" / "ui_stream"
Fixture = dict[str, Any]

DONE = "data: [DONE]\n\n"
IDS = {"messageId", "toolCallId", "approvalId", "id", "transaction_id", "chatId", "runId"}
MEASURES = re.compile(r"timestamp|duration|seconds|millis|tokens", re.IGNORECASE)
"""Times, and the counts of tokens, which another word in a tool's description changes."""
NOTES = {
    "sse": "One HTTP response per [DONE]. What the client sends in between is not recorded.",
    "bidi": "One socket, one event per frame. After the finish-step that follows an approval request the server waits "
    "for the client's answer, which is not recorded.",
}


def file_of(scenario: Scenario) -> Path:
    return FOLDER / f"{scenario.name}.json"


def read(scenario: Scenario) -> Fixture:
    """The committed fixture. Raises FileNotFoundError."""
    return json.loads(file_of(scenario).read_text("utf-8"))


def fixture(drive: Drive, scenario: Scenario, source: str) -> Fixture:
    """What was sent in the drive's first turn, as a fixture."""
    turn = drive.turns[0]
    return {
        "description": scenario.description,
        "mode": scenario.mode,
        "source": source,
        "scenario": scenario.name,
        "note": NOTES[scenario.mode],
        "input": {"messages": turn[0].request["messages"], "trigger": turn[0].request["trigger"]},
        "output": {
            "rawEvents": [f"{event}\n\n" for exchange in turn for event in exchange.events],
            "expectedChunks": [chunk for exchange in turn for chunk in exchange.chunks],
            "expectedDoneCount": sum(exchange.done for exchange in turn),
            "expectedStreamCompletion": drive.status == "ready" and turn[-1].done == 1,
        },
    }


def responses(recorded: Fixture) -> list[list[str]]:
    """The events as a server replays them, one list per client message: up to a [DONE], or over BIDI to an open approval."""
    split: list[list[str]] = [[]]
    has_ask = False
    for event in recorded["output"]["rawEvents"]:
        split[-1].append(event.removesuffix("\n\n"))
        has_ask = has_ask or '"tool-approval-request"' in event
        waits = recorded["mode"] == "bidi" and has_ask and '"finish-step"' in event
        if event == DONE or waits:
            has_ask = False
            split.append([])
    return [events for events in split if events]


def normal(recorded: Fixture) -> Any:
    """The fixture without what differs from run to run: ids by first appearance, no measures, each text in one piece."""
    names: dict[str, str] = {}
    normalized = {key: recorded[key] for key in ("description", "mode", "scenario", "note")}
    output = recorded["output"]
    chunks = [*_joined(output["expectedChunks"])]
    for chunk in chunks:
        _name_ids(chunk, names)
    messages = [{**message, "id": ""} for message in recorded["input"]["messages"]]
    return normalized | {
        "input": recorded["input"] | {"messages": messages},
        "chunks": [_renamed(chunk, names) for chunk in chunks],
        "done": output["expectedDoneCount"],
        "completed": output["expectedStreamCompletion"],
    }


def _joined(chunks: list[Chunk]) -> Iterator[Chunk]:
    """With the pieces of a text or of a reasoning as one."""
    waiting: Chunk | None = None
    for chunk in chunks:
        if waiting and chunk["type"] == waiting["type"] and chunk["id"] == waiting["id"]:
            waiting = waiting | {"delta": waiting["delta"] + chunk["delta"]}
            continue
        if waiting:
            yield waiting
        waiting = chunk if chunk["type"] in ("text-delta", "reasoning-delta") else None
        if waiting is None:
            yield chunk
    if waiting:
        yield waiting


def _name_ids(value: Any, names: dict[str, str]) -> None:
    """Give each id its name: its key and its number."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in IDS and isinstance(inner, str):
                names.setdefault(inner, f"{key} {len(names) + 1}")
            else:
                _name_ids(inner, names)
    elif isinstance(value, list):
        for inner in value:
            _name_ids(inner, names)


def _renamed(value: Any, names: dict[str, str], key: str = "") -> Any:
    if MEASURES.search(key) and value is not None:
        return "measured"
    if isinstance(value, dict):
        return {name: _renamed(inner, names, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [_renamed(inner, names, key) for inner in value]
    if isinstance(value, str) and key in IDS:
        return names[value]
    if isinstance(value, str):  # a sentence may name an id, too
        for original, name in names.items():
            if len(original) > len("text-1"):
                value = value.replace(original, name)
    return value
