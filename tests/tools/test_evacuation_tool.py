"""The tool `evacuation` on the bundled building: what it says, paints, plays and saves, and what it refuses."""

import csv
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

import pytest

from smoldesk.analyst.building.intents import BuildingQuestion
from smoldesk.analyst.building.question_code import write_building_question
from smoldesk.analyst.language import Language
from smoldesk.buildings.building import Building
from smoldesk.buildings.travel_profiles import PROFILES
from smoldesk.output_parser.commands import CommandScanner
from smoldesk.tools.closing import ClosePassage
from smoldesk.tools.closure_store import LocalClosures
from smoldesk.tools.evacuation_tool import Evacuation
from tests.buildings.test_ways import floor, room
from tests.tools.conftest import noon

BUILDING = Building.load()


class Tools:
    """The tools of one chat."""

    def __init__(self, folder: Path) -> None:
        self.store = LocalClosures()
        self.close = ClosePassage(BUILDING, noon, self.store)
        self.evacuation = Evacuation(BUILDING, noon, self.store, folder)


@pytest.fixture
def tools(folder: Path) -> Tools:
    return Tools(folder)


def drawing(output: str) -> dict[str, Any]:
    """What the command at the end draws; the page takes it."""
    assert len(CommandScanner(BUILDING.rooms()).feed(output + "\n")) == 1
    return json.loads(output.splitlines()[-1].partition(": ")[2])


def test_the_answer_says_how_long_by_which_exits_and_what_is_assumed(tools: Tools, folder: Path) -> None:
    answer = tools.evacuation()
    lines = answer.splitlines()
    assert lines[0] == (
        "Evacuation (profile walk): all 48 people are out after 1 min 3 s. The longest way takes 42 s; queues add 21 s."
    )
    assert lines[1].startswith("Exits, most used first: the exit in Level1 (1F), 29 people from 13 rooms; ")
    assert "the exit in Garage (B1) (19 people at 0.78 a second, the last waits 15 s)" in lines[2]
    assert lines[3].startswith("Furthest from an exit: Meeting Room (2F) 42 s, 24 m; ")
    assert lines[4] == "Without a way out: none."
    assert "a person for each 10 m² outside corridors" in lines[5] and "SFPE Handbook" in lines[5]
    assert lines[6] == "Table: evacuation.csv (18 rooms)."
    table = (folder / "evacuation.csv").read_text().splitlines()
    assert table[:2] == [
        "room,floor,people,exit,distance_m,seconds",
        "Room1,1F,3,the exit in Level1 (1F),9.0,9.0",
    ]
    tools.evacuation()
    assert [path.name for path in folder.iterdir()] == ["evacuation.csv"]
    drawn = drawing(answer)
    assert (len(drawn["rectangles"]), drawn["overlays"][0]["unit"]) == (18, "s")
    assert [overlay["type"] for overlay in drawn["overlays"][1:]] == ["bitmap"]


def test_closures_of_the_chat_and_those_of_the_question_count(tools: Tools) -> None:
    answer = tools.evacuation(avoid="main entrance", show="exits")
    assert answer.startswith("Exits, most used first: the exit in Garage (B1), 48 people from 18 rooms.")
    assert "Without this closure it takes 1 min 3 s. Cut off by it: none." in answer
    assert "\nClosed: the exit in Level1 (1F).\n" in answer
    assert tools.store.read().closures == ()
    tools.close("stairs")
    answer = tools.evacuation(show="cut_off", people="2 per room")
    assert answer.startswith(
        "Without a way out: Office (2F), Meeting Room (2F), Library (2F), Lounge (2F), Corridor (2F)."
    )
    assert "by lift, 5 of them would be out, the furthest after 50 s." in answer
    assert "18 of 26 people are out" in answer
    assert drawing(answer)["overlays"][0]["missing"] == 5
    japanese = tools.evacuation(avoid="正面玄関", language="ja")
    assert "避難できない部屋：1階のRoom1、" in japanese and "通行止め：階段、1階のLevel1の出口。" in japanese


@pytest.mark.parametrize("language", get_args(Language))
def test_a_file_of_a_person_stays_and_the_cell_shows_the_table_beside_it(
    tools: Tools, folder: Path, language: Language
) -> None:
    (folder / "evacuation.csv").write_text("mine")
    shown: list[str] = []
    cell = write_building_question(BuildingQuestion("evacuation", ()), language)
    reader = SimpleNamespace(read_csv=str)
    names = {"evacuation": tools.evacuation, "display": shown.append, "final_answer": len, "pd": reader}
    exec("\n".join(cell.lines), names)
    assert (folder / "evacuation.csv").read_text() == "mine"
    assert shown == ["evacuation_2.csv"]
    assert (folder / "evacuation_2.csv").read_text().startswith("room,floor,")


@pytest.mark.parametrize("profile", PROFILES)
def test_a_plan_without_scale_and_heights_tells_no_length_and_no_height(profile: str, folder: Path) -> None:
    floors = [
        each.model_copy(update={"metres_per_unit": None, "ordinal": None})
        for each in BUILDING.definition.floors
    ]
    evacuation = Evacuation(
        Building(BUILDING.definition.model_copy(update={"floors": floors})), noon, folder=folder
    )
    answer = evacuation(profile=profile)
    assert "The plan has no scale: times are a guess." in answer and "a person in each room" in answer
    assert " m;" not in answer.partition("Assumed")[0] and "Above the ground floor" not in answer
    rows = list(csv.DictReader((folder / "evacuation.csv").read_text().splitlines()))
    assert {row["distance_m"] for row in rows} == {""}


def test_a_wheelchair_takes_no_stairs_and_who_cannot_leave_is_named(tools: Tools) -> None:
    answer = tools.evacuation(profile="wheelchair", show="cut_off")
    assert (
        answer.startswith("Without a way out: Office (2F), ")
        and "They wait in a refuge; by lift, 5 of them" in answer
    )


def test_everything_closed_is_an_answer(tools: Tools) -> None:
    answer = tools.evacuation(avoid="exits")
    assert answer.startswith("Evacuation (profile walk): none of the 48 people get out.\n")
    assert "\nEvery exit is closed.\n" in answer and "and 6 more." in answer
    wheelchair = tools.evacuation(avoid="exits", profile="wheelchair")
    assert "\nEvery exit is closed, or has steps.\n" in wheelchair
    tools.close("exits")
    assert "\nWithout this closure nobody gets out either. Cut off by it: none.\n" in tools.evacuation(
        avoid="lift"
    )
    assert len(drawing(answer)["rectangles"]) == 18
    assert "nothing to play" in tools.evacuation(avoid="exits", show="frames")


def test_the_frames_tell_who_is_out_and_who_is_in(tools: Tools) -> None:
    assert tools.evacuation(show="frames", avoid="stairs").startswith(
        "Evacuation (profile walk): 29 of 48 people"
    )
    played = drawing(tools.evacuation(show="frames", people=200))
    times = [frame["time"] for frame in played["frames"]]
    assert (times[0], times[-1].partition(" ")[2]) == ("0:00 · 0 out, 200 in", "· 200 out, 0 in")
    assert len(times) <= 41
    assert sum(rectangle["value"] for rectangle in played["frames"][0]["rectangles"]) == 200
    assert played["frames"][-1]["rectangles"] == []


def test_what_is_wrong_is_named(tools: Tools) -> None:
    assert "Exits: the exit in Level1 (1F); the exit in Garage (B1)." in tools.evacuation(avoid="exit Z")
    assert "「出口Z」は見つかりません。出口：1階のLevel1の出口、" in tools.evacuation(
        avoid="出口Z", language="ja"
    )
    assert "Expected one of time, exits, queues," in tools.evacuation(show="smoke")
    assert "At most 1,000,000." in tools.evacuation(people=10**9)
    assert "Profiles: walk, wheelchair, cart, slow." in tools.evacuation(profile="rocket")
    sealed = Evacuation(Building(floor([room("Cell", 0, 0, 5, 5)])), noon)
    assert sealed().startswith(
        "Error: The plan has no exit, so no way leads out. Expected a door of one room only"
    )
    assert "出口がないため" in sealed(language="ja")
