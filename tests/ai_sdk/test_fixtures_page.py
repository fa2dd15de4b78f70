"""spec/reference/ui_stream_fixtures.md says which decision each fixture shows, and the fixture shows it."""

import re
from pathlib import Path

import pytest

from tests.ai_sdk import recorded
from tests.ai_sdk.driving import Chunk
from tests.ai_sdk.scenarios import SCENARIOS, Scenario

PAGE = Path(__file__).resolve().parent.parent.parent / "spec" / "reference" / "ui_stream_fixtures.md"
ROW = re.compile(r"^\| ([\w-]+) \| (S [^|]+) \| ([a-z, -]+) \|$", re.MULTILINE)
DECISION = re.compile(r"^\| ([a-z-]+) \| [A-Z][^|]+\. \|$", re.MULTILINE)
ROWS = {name: (turn, shows.split(", ")) for name, turn, shows in ROW.findall(PAGE.read_text("utf-8"))}
CLIENT_TOOLS = {"get_location"}


def shown(chunks: list[Chunk], done: int) -> set[str]:
    """The decisions that can be seen in a recording."""
    kinds = [chunk["type"] for chunk in chunks]
    asks = [place for place, kind in enumerate(kinds) if kind == "tool-approval-request"]
    if not asks:
        return {"at-once"}
    found = {"phases"} if done == 2 else {"one-stream"}
    if all(kinds[place - 1] == "start-step" and kinds[place + 1] == "finish-step" for place in asks):
        found.add("closed-step")
    if len(asks) > 1:
        found.add("together" if kinds[asks[0] + 1] == "tool-approval-request" else "one-by-one")
    tools = {chunk["toolCallId"]: chunk["toolName"] for chunk in chunks if "toolName" in chunk}
    for chunk in chunks:
        if chunk["type"] == "tool-output-available":
            found.add("client-run" if tools[chunk["toolCallId"]] in CLIENT_TOOLS else "server-run")
        if chunk["type"] == "tool-output-error":
            found.add(_why(chunk["errorText"]))
    return found


def _why(words: str) -> str:
    if words.startswith("User denied the tool call"):
        return "denied"
    return "expired" if words.startswith("Approval request timed out") else words


def test_the_page_has_a_row_for_each_scenario_with_its_turn() -> None:
    assert {name: turn for name, (turn, _) in ROWS.items()} == {one.name: one.legend for one in SCENARIOS}


def test_the_page_explains_each_decision_it_names() -> None:
    named = {decision for _, shows in ROWS.values() for decision in shows}
    assert named == set(DECISION.findall(PAGE.read_text("utf-8")))


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_a_fixture_shows_the_decisions_of_its_row(scenario: Scenario) -> None:
    output = recorded.read(scenario)["output"]
    found = shown(output["expectedChunks"], output["expectedDoneCount"])
    assert found == set(ROWS[scenario.name][1])
