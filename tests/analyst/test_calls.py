"""Requests for the map, for ways and for errands, as the calls of tools they become: `calls.jsonl`, one case a line.

`calls` are exactly what is called, `declines` a word that the answer names without a call, `reason` why an errand is not done,
`none` a request that only sounds like an errand. `selected` are rooms chosen on the map, each by its floor and name.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from smoldesk.agents import ChatFiles, desk_catalogue
from smoldesk.analyst.building.intents import BuildingQuestion, MapUpdate, ToolCall
from smoldesk.analyst.building.map_code import map_calls
from smoldesk.analyst.errands.tokens import Errands
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.refusal import Refusal
from smoldesk.analyst.talk import UserTurn
from smoldesk.buildings.building import Building
from smoldesk.tools.datasets import Datasets
from tests.analyst.desk import Desk

CASES: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "calls.jsonl").read_text(encoding="utf-8").splitlines()
]
REAL = desk_catalogue(Building.load(), Datasets.bundled(), ChatFiles())
TOOLS = frozenset(("find_route", "nearest", "where_is", "list_rooms", "color_rooms", "play_rooms"))
ERRANDS = ("incomplete", "each_or_shared", "no_currency", "one_by_one", "errand_words", "later")


def calls_of(desk: Desk, case: dict[str, Any]) -> tuple[list[list[Any]], object]:
    """What is called, and the intent."""
    if case["set"] == "map":
        received = desk.ask(*case["turns"])
        return [[tool, arguments] for tool, arguments in received.calls], received.answer
    catalogue = replace(REAL, tools=TOOLS) if case["set"] == "ways" else desk.catalogue
    selected = tuple((floor, room) for floor, room in case.get("selected", ()))
    intent = read_talk([UserTurn(turn, selected) for turn in case["turns"]], catalogue).intent
    reports: list[ToolCall] = []
    if isinstance(intent, BuildingQuestion):
        reports = [intent]
    elif isinstance(intent, Errands):
        reports = list(intent.errands)
    elif isinstance(intent, MapUpdate):
        reports = map_calls(intent)
    return [[call.tool, dict(call.arguments)] for call in reports], intent


@pytest.mark.parametrize("case", CASES, ids=[" / ".join(case["turns"]) for case in CASES])
def test_a_request_becomes_these_calls(desk: Desk, case: dict[str, Any]) -> None:
    calls, intent = calls_of(desk, case)
    if "calls" in case:
        assert calls == case["calls"], intent
    elif "declines" in case:
        assert not calls and case["declines"] in str(intent)
    elif "reason" in case:
        assert isinstance(intent, Refusal) and intent.reason == case["reason"]
    else:
        errand = isinstance(intent, Errands) or (isinstance(intent, Refusal) and intent.reason in ERRANDS)
        assert not errand, intent


def test_an_agent_without_the_tools_is_not_asked_for_them() -> None:
    for case in CASES:
        if case["set"] == "ways":
            assert not isinstance(
                read_talk([UserTurn(turn) for turn in case["turns"]], REAL).intent, BuildingQuestion
            )


HOSTILE = [
    "と" * 4000,
    "十" * 4000,
    ", " * 2000,
    "hundred and " * 330,
    "30 USD " * 600,
    "pay Alice 30 USD and " * 190,
    "word " * 10_000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=[text[:8] for text in HOSTILE])
def test_endless_requests_are_declined_before_they_are_read(desk: Desk, text: str) -> None:
    """What has more words than are read is turned down at once; the suite would not end otherwise."""
    intent = read_talk([UserTurn(text)], desk.catalogue).intent
    assert isinstance(intent, Refusal | Errands)
