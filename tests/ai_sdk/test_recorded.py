"""The committed fixtures: each is what the server sends today, keeps the checklists, is read by the real clients, and shows
what spec/reference/ui_stream_fixtures.md says of it. The scenarios are played, too.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.ai_sdk import recorded
from tests.ai_sdk.checks import problems
from tests.ai_sdk.driving import Chunk, Player, Version, drive, read_streams, tool_name
from tests.ai_sdk.recorded import FOLDER, Fixture
from tests.ai_sdk.replaying_server import replaying
from tests.ai_sdk.scenarios import SCENARIOS, Scenario

each_scenario = pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
FIELDS = ["description", "mode", "source", "scenario", "note", "input", "output"]
OUTPUT = ["rawEvents", "expectedChunks", "expectedDoneCount", "expectedStreamCompletion"]


def kinds(fixture: Fixture) -> list[str]:
    return [chunk["type"] for chunk in fixture["output"]["expectedChunks"]]


def test_there_is_a_fixture_for_each_scenario_and_no_other() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == {scenario.name for scenario in SCENARIOS}


@each_scenario
def test_a_fixture_has_its_fields_and_its_events_are_its_chunks(scenario: Scenario) -> None:
    fixture = recorded.read(scenario)
    assert list(fixture) == FIELDS
    assert list(fixture["output"]) == OUTPUT
    assert (fixture["scenario"], fixture["mode"]) == (scenario.name, scenario.mode)
    raw = fixture["output"]["rawEvents"]
    assert all(event.startswith("data: ") and event.endswith("\n\n") for event in raw)
    payloads = [event[len("data: ") :].strip() for event in raw]
    chunks = [json.loads(payload) for payload in payloads if payload != "[DONE]"]
    assert chunks == fixture["output"]["expectedChunks"]
    assert payloads.count("[DONE]") == fixture["output"]["expectedDoneCount"]
    assert payloads[-1] == "[DONE]"


@each_scenario
def test_a_fixture_is_what_the_server_sends_today(play: Player, scenario: Scenario) -> None:
    today = recorded.fixture(play(scenario, 6), scenario, "today")
    assert recorded.normal(today) == recorded.normal(recorded.read(scenario))


@each_scenario
def test_a_fixture_keeps_the_checklist_of_its_mode(scenario: Scenario) -> None:
    fixture = recorded.read(scenario)
    came, output = kinds(fixture), fixture["output"]
    assert output["expectedStreamCompletion"] is True
    ask_count = came.count("tool-approval-request")
    if scenario.mode == "sse":
        assert output["expectedDoneCount"] == (2 if ask_count else 1)
        assert not {"start-step", "finish-step"} & set(came)
        return
    assert output["expectedDoneCount"] == 1
    assert came.count("start-step") == came.count("finish-step") == ask_count
    for place, kind in enumerate(came):
        if kind == "tool-approval-request":
            assert (came[place - 1], came[place + 1]) == ("start-step", "finish-step")
    closed = [
        kind for kind in came if kind in ("tool-input-start", "tool-output-available", "tool-output-error")
    ]
    assert all(kind == "tool-input-start" for kind in closed[::2]), "one call at a time"
    assert all(kind != "tool-input-start" for kind in closed[1::2]), "one call at a time"


@each_scenario
def test_a_fixture_keeps_the_checklist_of_approvals(scenario: Scenario) -> None:
    fixture = recorded.read(scenario)
    chunks = fixture["output"]["expectedChunks"]
    calls = list(dict.fromkeys(chunk["toolCallId"] for chunk in chunks if "toolCallId" in chunk))
    for call, (_, state) in zip(calls, scenario.states, strict=True):
        chunk_types = [chunk["type"] for chunk in chunks if chunk.get("toolCallId") == call]
        chunk_types = [kind for kind in chunk_types if kind != "tool-input-delta"]
        asks = ["tool-approval-request"] if scenario.answers or scenario.expires else []
        assert chunk_types == ["tool-input-start", "tool-input-available", *asks, f"tool-{state}"]


@each_scenario
def test_a_replayed_fixture_brings_the_newest_client_to_its_end(
    node_path: Path, free_port: int, scenario: Scenario
) -> None:
    fixture = recorded.read(scenario)
    parts = recorded.responses(fixture)
    if scenario.expires:  # nobody answers, and the rest comes by itself
        parts = [[event for part in parts for event in part]]
    with replaying(parts, free_port) as server:
        came = drive(node_path, scenario.played(server.url, 7))
    assert problems(came, scenario) == []
    delivered = [f"{event}\n\n" for exchange in came.exchanges for event in exchange.events]
    assert delivered == fixture["output"]["rawEvents"]


@pytest.mark.parametrize("version", ["first", 6, 7])
def test_each_release_reads_every_fixture(node_path: Path, version: Any) -> None:
    recordings = [
        ["".join(f"{event}\n\n" for event in part) for part in recorded.responses(recorded.read(scenario))]
        for scenario in SCENARIOS
    ]
    for scenario, reading in zip(SCENARIOS, read_streams(node_path, version, recordings), strict=True):
        assert reading.errors == [], scenario.name
        assert reading.message is not None
        tools = [part for part in reading.message["parts"] if part["type"].startswith("tool-")]
        assert [(part["type"][len("tool-") :], part["state"]) for part in tools] == list(scenario.states)


WALLET = 1000
"""USD in a new chat's wallet."""


@pytest.mark.parametrize("version", [6, 7])
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_a_scenario_comes_to_its_end(play: Player, scenario: Scenario, version: Version) -> None:
    assert problems(play(scenario, version), scenario) == []


@pytest.mark.parametrize("version", [6, 7])
@pytest.mark.parametrize(
    "scenario",
    [scenario for scenario in SCENARIOS if scenario.states[0][0] == "process_payment"],
    ids=lambda scenario: scenario.name,
)
def test_a_denied_payment_left_no_trace(play: Player, scenario: Scenario, version: Version) -> None:
    played = play(scenario, version)

    *first, later = [part for part in played.calls if tool_name(part) == "process_payment"]
    assert len(first) == len(scenario.states)
    total = sum(part["input"]["amount"] for part in first)
    paid = sum(part["input"]["amount"] for part in first if part["state"] == "output-available")
    assert total == (80 if len(first) == 2 else 30)
    assert later["input"]["amount"] == 1
    assert later["output"]["wallet_balance"] == WALLET - paid - 1


PAGE = Path(__file__).resolve().parent.parent.parent / "spec" / "reference" / "ui_stream_fixtures.md"
ROW = re.compile(r"^\| ([\w-]+) \| (S [^|]+) \| ([a-z, -]+) \|$", re.MULTILINE)
DECISION = re.compile(r"^\| ([a-z-]+) \| [A-Z][^|]+\. \|$", re.MULTILINE)
ROWS = {name: (turn, shows.split(", ")) for name, turn, shows in ROW.findall(PAGE.read_text("utf-8"))}
CLIENT_TOOLS = {"get_location"}


def features_of(chunks: list[Chunk], done: int) -> set[str]:
    """The decisions that can be seen in a recording."""
    kinds = [chunk["type"] for chunk in chunks]
    asks = [place for place, kind in enumerate(kinds) if kind == "tool-approval-request"]
    if not asks:
        return {"at-once"}
    features = {"phases"} if done == 2 else {"one-stream"}
    if all(kinds[place - 1] == "start-step" and kinds[place + 1] == "finish-step" for place in asks):
        features.add("closed-step")
    if len(asks) > 1:
        features.add("together" if kinds[asks[0] + 1] == "tool-approval-request" else "one-by-one")
    tools = {chunk["toolCallId"]: chunk["toolName"] for chunk in chunks if "toolName" in chunk}
    for chunk in chunks:
        if chunk["type"] == "tool-output-available":
            features.add("client-run" if tools[chunk["toolCallId"]] in CLIENT_TOOLS else "server-run")
        if chunk["type"] == "tool-output-error":
            features.add(_why(chunk["errorText"]))
    return features


def _why(reason: str) -> str:
    if reason.startswith("User denied the tool call"):
        return "denied"
    return "expired" if reason.startswith("Approval request timed out") else reason


def test_the_page_has_a_row_for_each_scenario_with_its_turn() -> None:
    assert {name: turn for name, (turn, _) in ROWS.items()} == {
        scenario.name: scenario.legend for scenario in SCENARIOS
    }


def test_the_page_explains_each_decision_it_names() -> None:
    named = {decision for _, shows in ROWS.values() for decision in shows}
    assert named == set(DECISION.findall(PAGE.read_text("utf-8")))


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_a_fixture_shows_the_decisions_of_its_row(scenario: Scenario) -> None:
    output = recorded.read(scenario)["output"]
    features = features_of(output["expectedChunks"], output["expectedDoneCount"])
    assert features == set(ROWS[scenario.name][1])
