"""Sentences about closures and reach, in English and Japanese, as the calls of tools they become; and those that are not."""

from dataclasses import replace

import pytest

from smoldesk.agents import ChatFiles, desk_catalogue
from smoldesk.analyst.building.intents import BuildingQuestion
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.talk import UserTurn
from smoldesk.buildings.building import Building
from smoldesk.tools.datasets import Datasets

TOOLS = frozenset(
    ("close_passage", "reopen_passage", "reachable_from", "compare_scenarios", "find_route", "list_rooms")
)
CATALOGUE = replace(desk_catalogue(Building.load(), Datasets.bundled(), ChatFiles()), tools=TOOLS)


@pytest.mark.parametrize(
    ("sentence", "tool", "arguments"),
    [
        (
            "Close the door between Room1 and Level1.",
            "close_passage",
            {"place": "the door between Room1 and Level1"},
        ),
        ("Please block the lift and the stairs", "close_passage", {"place": "the lift and the stairs"}),
        ("エレベーターを通行止めにして", "close_passage", {"place": "エレベーター"}),
        (
            "HallwayとKitchenの間のドアを閉鎖してください。",
            "close_passage",
            {"place": "HallwayとKitchenの間のドア"},
        ),
        ("Reopen the lift", "reopen_passage", {"place": "the lift"}),
        ("reopen everything", "reopen_passage", {}),
        ("エレベーターの通行止めを解除して", "reopen_passage", {"place": "エレベーター"}),
        ("Which rooms can I not reach?", "reachable_from", {"start": ""}),
        ("Which rooms can't be reached from the Library?", "reachable_from", {"start": "the Library"}),
        ("Room1から行けない部屋は？", "reachable_from", {"start": "Room1"}),
        ("How far can I get from Room1 in 2 minutes?", "reachable_from", {"start": "Room1", "minutes": 2.0}),
        (
            "Room1から車椅子で３分以内に行ける部屋は？",
            "reachable_from",
            {"start": "Room1", "minutes": 3.0, "profile": "wheelchair"},
        ),
        (
            "Where can I get to from Room1 within 30 seconds?",
            "reachable_from",
            {"start": "Room1", "minutes": 0.5},
        ),
        ("車椅子でRoom1から行けない部屋は？", "reachable_from", {"start": "Room1", "profile": "wheelchair"}),
        ("What is closed now?", "reachable_from", {"start": ""}),
        ("Remove all closures, please", "reopen_passage", {}),
        ("通行止めをすべて解除して", "reopen_passage", {}),
        ("Can you close the kitchen door, please?", "close_passage", {"place": "the kitchen door"}),
        (
            "Compare the scenarios from Room1 to Library",
            "compare_scenarios",
            {"start": "Room1", "goal": "Library"},
        ),
    ],
)
def test_a_sentence_becomes_a_call(sentence: str, tool: str, arguments: dict[str, object]) -> None:
    intent = read_talk([UserTurn(sentence, ())], CATALOGUE).intent
    assert isinstance(intent, BuildingQuestion)
    assert (intent.tool, dict(intent.arguments)) == (tool, arguments)


@pytest.mark.parametrize(
    "sentence",
    ["Close the account of the oldest passenger", "Open the file", "How do I get from Room1 to Room2?"],
)
def test_other_sentences_close_nothing(sentence: str) -> None:
    intent = read_talk([UserTurn(sentence, ())], CATALOGUE).intent
    assert not (isinstance(intent, BuildingQuestion) and intent.tool in TOOLS - {"find_route"})


@pytest.mark.parametrize(
    "sentence",
    [
        "If the door between the Hallway and the Kitchen is closed, how do I get from the Toilet to the Kitchen?",
        "How do I get from the Toilet to the Kitchen avoiding the door between the Hallway and the Kitchen?",
        "HallwayとKitchenの間のドアが閉まっていたら、ToiletからKitchenへはどう行く？",
    ],
)
def test_a_closed_door_closes_neither_of_its_rooms(sentence: str) -> None:
    intent = read_talk([UserTurn(sentence, ())], CATALOGUE).intent
    assert isinstance(intent, BuildingQuestion)
    assert dict(intent.arguments)["avoid"] == "door between Hallway and Kitchen"
