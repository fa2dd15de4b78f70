"""Sentences about closures and reach, in English and Japanese, as the calls of tools they become; and those that are not."""

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import pytest

from smoldesk.agents import ChatFiles, desk_catalogue
from smoldesk.analyst.building.changes import CHANGES
from smoldesk.analyst.building.intents import BuildingQuestion
from smoldesk.analyst.building.question_code import write_building_question
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.refusal import Refusal
from smoldesk.analyst.talk import UserTurn
from smoldesk.buildings.building import Building
from smoldesk.tools.datasets import Datasets
from tests.analyst.desk import table_info

TOOLS = frozenset(
    (
        "close_passage",
        "reopen_passage",
        "reachable_from",
        "compare_scenarios",
        "find_route",
        "list_rooms",
        "evacuation",
        "nearest",
        "where_is",
    )
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
        ("Which rooms can't be reached from the Library?", "reachable_from", {"start": "Library"}),
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
        ("Which doors are shut right now?", "reachable_from", {"start": ""}),
        ("どの出口に人が集まる？", "evacuation", {"show": "exits"}),
        ("How long to evacuate the museum?", "evacuation", {"show": "time"}),
        ("Remove all closures, please", "reopen_passage", {}),
        ("通行止めをすべて解除して", "reopen_passage", {}),
        ("Can you close the kitchen door, please?", "close_passage", {"place": "the kitchen door"}),
        (
            "Compare the scenarios from Room1 to Library",
            "compare_scenarios",
            {"start": "Room1", "goal": "Library"},
        ),
        ("How long does an evacuation take?", "evacuation", {"show": "time"}),
        ("How long until all 200 people are out?", "evacuation", {"show": "time", "people": "200"}),
        ("Which exit is used most?", "evacuation", {"show": "exits"}),
        ("Which rooms are furthest from an exit?", "evacuation", {"show": "furthest"}),
        (
            "What if the main entrance is closed?",
            "evacuation",
            {"show": "time", "avoid": "the main entrance"},
        ),
        (
            "Who cannot evacuate in a wheelchair if the ramp is closed?",
            "evacuation",
            {"show": "cut_off", "profile": "wheelchair", "avoid": "the ramp"},
        ),
        ("避難にかかる時間は？", "evacuation", {"show": "time"}),
        ("200人で避難する時間は？", "evacuation", {"show": "time", "people": "200"}),
        ("一番使われる出口はどこ？", "evacuation", {"show": "exits"}),
        ("避難を再生して", "evacuation", {"show": "frames"}),
        (
            "How long does it take to evacuate with 2 people in every room?",
            "evacuation",
            {"show": "time", "people": "2 per room"},
        ),
        (
            "1部屋あたり2人だと避難にかかる時間は？",
            "evacuation",
            {"show": "time", "people": "2 per room"},
        ),
        ("evacuate with 5 people per 10 m²", "evacuation", {"show": "time", "people": "5 people per 10 m2"}),
        ("Who is trapped?", "reachable_from", {"start": ""}),
        ("孤立する部屋は？", "reachable_from", {"start": ""}),
        ("今閉まっているのは何ですか", "reachable_from", {"start": ""}),
        ("2階の人は外に出られますか", "evacuation", {"show": "cut_off", "floor": "2F"}),
        ("Which exit do people in the Workshop use?", "nearest", {"kind": "exit", "start": "Workshop"}),
        ("Can somebody in the Workshop get out?", "nearest", {"kind": "exit", "start": "Workshop"}),
        ("Room1から外に出る経路はありますか", "nearest", {"kind": "exit", "start": "Room1"}),
        ("Room1から1分以内に歩いて行けるのはどこ？", "reachable_from", {"start": "Room1", "minutes": 1.0}),
        ("Close the lift for cleaning.", "close_passage", {"place": "the lift"}),
        (
            "来週点検があるので、エレベーターを止めてください。",
            "close_passage",
            {"place": "エレベーター"},
        ),
        (
            "Start in Room1, how do I get to the Library?",
            "find_route",
            {"start": "Room1", "goal": "Library"},
        ),
        (
            "Room1で働いています。Libraryへの行き方は？",
            "find_route",
            {"start": "Room1", "goal": "Library"},
        ),
        ("What rooms are on 2F and how big are they?", "list_rooms", {"floor": "2F", "show": "sizes"}),
        (
            "How big are Room1 and the Library together?",
            "list_rooms",
            {"floor": "", "kind": "Room1, Library", "show": "area"},
        ),
        ("list all units on 2F", "list_rooms", {"floor": "2F"}),
        ("evacuate floor 2", "evacuation", {"show": "time", "floor": "2F"}),
        ("2階で避難できない部屋は？", "evacuation", {"show": "cut_off", "floor": "2F"}),
    ],
)
def test_a_sentence_becomes_a_call(sentence: str, tool: str, arguments: dict[str, object]) -> None:
    intent = read_talk([UserTurn(sentence, ())], CATALOGUE).intent
    assert isinstance(intent, BuildingQuestion)
    assert (intent.tool, dict(intent.arguments)) == (tool, arguments)


@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("各階に50人いるとき避難時間は？", "各階"),
        ("出口Aが使えないとき避難できない部屋は?", "A"),
        ("how long did people leave their bags", "bags"),
        ("which exit is used most by passengers in first class?", "class"),
    ],
)
def test_a_word_that_no_call_uses_is_named(sentence: str, word: str) -> None:
    intent = read_talk([UserTurn(sentence, ())], CATALOGUE).intent
    assert isinstance(intent, Refusal) and word in intent.terms


DRILL = pd.DataFrame(
    {"building": ["Alpha", "Beta"], "evacuation time": [3, 4], "exit": ["N", "S"], "people": [5, 6]}
)
DRILL_JA = pd.DataFrame({"建物": ["本館", "別館"], "避難時間": [3, 4], "出口": ["北", "南"], "人数": [5, 6]})
LEASES = pd.DataFrame(
    {"unit": ["A1", "A2"], "テナント": ["書店", "薬局"], "広さ": [3, 4], "floor": ["1F", "2F"]}
)


@pytest.mark.parametrize(
    ("frame", "sentence"),
    [
        (DRILL, "which building has the longest evacuation time?"),
        (DRILL, "how many people per exit"),
        (DRILL_JA, "避難時間の平均は？"),
        (DRILL_JA, "出口ごとの人数"),
        (LEASES, "list all units on 2F"),
        (LEASES, "一番広いテナントは？"),
    ],
)
def test_an_own_table_with_columns_of_that_name_comes_before_the_plan(
    frame: pd.DataFrame, sentence: str
) -> None:
    tables = [table_info("mine", frame, 'load_table("mine")'), *CATALOGUE.tables]
    outcome = read_talk([UserTurn("Kitchenはどこ？"), UserTurn(sentence)], replace(CATALOGUE, tables=tables))
    assert outcome.best is not None and outcome.best.query.table == "mine"


def test_the_table_of_an_evacuation_does_not_answer_the_next_question() -> None:
    table = pd.DataFrame({"room": ["Room1"], "exit": ["main"], "distance_m": [3.0], "seconds": [4.0]})
    tables = [table_info("evacuation", table, 'load_table("evacuation")'), *CATALOGUE.tables]
    asked = [
        "The main entrance is blocked.",
        "It's open again. How long does it take to get out from the furthest room?",
    ]
    intent = read_talk([UserTurn(text, ()) for text in asked], replace(CATALOGUE, tables=tables)).intent
    assert calls_of(intent) == [
        ("reopen_passage", {"place": "The main entrance"}),
        ("evacuation", {"show": "furthest"}),
    ]


@pytest.mark.parametrize(
    ("sentence", "fn"),
    [
        ("部屋ごとの気温", "mean"),
        ("fares by class", "mean"),
        ("temperature in the kitchen", "mean"),
        ("temperature and humidity together", "mean"),
    ],
)
def test_a_table_answers_what_it_covers_also_after_a_question_about_the_plan(sentence: str, fn: str) -> None:
    outcome = read_talk([UserTurn("Kitchenはどこ？"), UserTurn(sentence)], CATALOGUE)
    assert outcome.best is not None and not outcome.unused_terms
    assert {measure.fn for measure in outcome.best.query.measures} == {fn}


@pytest.mark.parametrize(
    "sentence",
    [
        "Close the account of the oldest passenger",
        "Open the file",
        "How do I get from Room1 to Room2?",
        "Is the lift open?",
        "エレベーターは開いていますか",
        "Which door is closed?",
        # the western door is not known, and the Kitchen is not meant
        "キッチンの西側のドアの修理をするので閉めてください。",
        "Close the second door of the Kitchen",
        "Libraryの前の廊下を閉鎖して",
        "キッチンの横の倉庫を閉めて",
        "2階をLibrary以外閉めて",
        "キッチンの窓を閉めて",
        "キッチンの冷蔵庫が故障しています",
        "2階の地図を開いて",
        "1階に戻って",
        "動かして",
        "The lift isn't closed.",
        "The lift is rarely closed.",
        "Which rooms are cut off if the lift isn't closed?",
        "エレベーターを閉鎖しないとどうなる",
        "エレベーターは止まらない",
        "The kitchen is closed?",
        "エレベーターは閉鎖中？",
        "Close the toilet by the Kitchen",
        "Close the lift on the left",
        "Close the stairs for wheelchair users",
        "stores are closed",
        "open shops by sales",
        "how many exits are there on 1F?",
        "what rooms are there in the building?",
    ],
)
def test_other_sentences_close_nothing(sentence: str) -> None:
    intent = read_talk([UserTurn(sentence, ())], CATALOGUE).intent
    assert not [tool for tool, _ in calls_of(intent, ()) if tool in CHANGES]


@pytest.mark.parametrize(
    ("sentence", "changes", "tool"),
    [
        (
            "Close the stairs. Which rooms can't I reach from Room1 any more?",
            {"close_passage": "the stairs"},
            "reachable_from",
        ),
        (
            "エレベーターを再開して。それなら入口から会議室まで車椅子で行けますか",
            {"reopen_passage": "エレベーター"},
            "find_route",
        ),
        (
            "Now close the kitchen's door to Level2 as well. Which rooms are cut off?",
            {"close_passage": "the kitchen's door to Level2"},
            "reachable_from",
        ),
        ("The lift is closed. Which rooms are cut off?", {"close_passage": "The lift"}, "reachable_from"),
        ("エレベーターを閉鎖して。行けない部屋は？", {"close_passage": "エレベーター"}, "reachable_from"),
        (
            "The kitchen is closed. Which rooms can't be reached?",
            {"close_passage": "The kitchen"},
            "reachable_from",
        ),
        (
            "エレベーターが点検中で止まっています。玄関から車いすで行けない部屋はどこですか",
            {"close_passage": "エレベーター"},
            "reachable_from",
        ),
        (
            "We're painting the Office this week, so count the Office as closed. Which rooms are cut off?",
            {"close_passage": "the Office"},
            "reachable_from",
        ),
        (
            "Hallwayも床工事で通行止めにします。玄関から行けなくなる部屋を教えて。",
            {"close_passage": "Hallway"},
            "reachable_from",
        ),
        (
            "Close the ramp between Level1 and Level2. Can a wheelchair user still get from the main entrance to the Kitchen?",
            {"close_passage": "the ramp between Level1 and Level2"},
            "find_route",
        ),
    ],
)
def test_a_change_comes_before_the_question(sentence: str, changes: dict[str, str], tool: str) -> None:
    intent = read_talk([UserTurn(sentence, ())], CATALOGUE).intent
    assert isinstance(intent, BuildingQuestion)
    assert {call.tool: dict(call.arguments)["place"] for call in intent.first} == changes
    assert intent.tool == tool


@pytest.mark.parametrize(
    ("sentence", "tool", "avoided"),
    [
        (
            "If the door between the Hallway and the Kitchen is closed, how do I get from the Toilet to the Kitchen?",
            "find_route",
            "the door between the Hallway and the Kitchen",
        ),
        (
            "HallwayとKitchenの間のドアを閉めたら、ToiletからKitchenへはどう行く？",
            "find_route",
            "HallwayとKitchenの間のドア",
        ),
        ("階段を閉鎖したら行けない部屋は？", "reachable_from", "階段"),
        ("Suppose the lift is out of order, who is stranded?", "reachable_from", "the lift"),
        ("もし2階の廊下が使えないなら、孤立する部屋はどこ？", "reachable_from", "Corridor (2F)"),
        ("キッチンが閉まっていたらどうなる？", "reachable_from", "キッチン"),
        ("階段が止まっている場合、孤立する部屋は？", "reachable_from", "階段"),
        ("What if the stairs were closed?", "reachable_from", "the stairs"),
        ("With the lift closed, can a wheelchair get from the Garage to the Office?", "find_route", "lift"),
        ("When the toilet is locked, what is the nearest exit from the Hallway?", "nearest", "toilet"),
        ("地下1階を閉めた場合、Garageから一番近いトイレは？", "nearest", "地下1階"),
        (
            "Is anyone cut off once the door between the Office and the Corridor is locked?",
            "reachable_from",
            "",
        ),
    ],
)
def test_a_condition_is_answered_and_closes_nothing(sentence: str, tool: str, avoided: str) -> None:
    calls = calls_of(read_talk([UserTurn(sentence, ())], CATALOGUE).intent)
    assert [name for name, _ in calls] == [tool]
    assert avoided in str(calls[0][1]["avoid"])


def test_a_condition_without_a_question_asks_the_one_before_again() -> None:
    turns = [UserTurn("Room1からLibraryへはどう行きますか"), UserTurn("階段が使えなかったら？")]
    calls = calls_of(read_talk(turns, CATALOGUE).intent)
    assert calls == [("find_route", {"start": "Room1", "goal": "Library", "avoid": "階段"})]


def test_what_closures_add_to_the_way_before_is_compared() -> None:
    way = "How do I get from Room1 to the Kitchen?"
    turns = [UserTurn(text) for text in ("Close the Hallway.", way, "How much longer is that than before?")]
    calls = calls_of(read_talk(turns, CATALOGUE).intent)
    assert calls == [("compare_scenarios", {"start": "Room1", "goal": "Kitchen"})]


def test_a_door_that_a_route_avoids_closes_neither_of_its_rooms() -> None:
    sentence = (
        "How do I get from the Toilet to the Kitchen avoiding the door between the Hallway and the Kitchen?"
    )
    intent = read_talk([UserTurn(sentence, ())], CATALOGUE).intent
    assert isinstance(intent, BuildingQuestion)
    assert dict(intent.arguments)["avoid"] == "door between Hallway and Kitchen"


def test_a_question_is_asked_again_after_a_change_and_it_is_what_was_closed() -> None:
    asked = [
        "How do I get from Room1 to the Library?",
        "The lift is closed now.",
        "Open it. Now?",
        "Open it again",
    ]
    turns = [UserTurn(text, ()) for text in asked]
    intents = [read_talk(turns[: count + 1], CATALOGUE).intent for count in range(len(turns))]
    assert all(isinstance(intent, BuildingQuestion) for intent in intents[:3])
    route, closed, opened, unclear = intents
    assert isinstance(route, BuildingQuestion) and isinstance(closed, BuildingQuestion)
    assert isinstance(opened, BuildingQuestion)
    assert closed.arguments == opened.arguments == route.arguments
    assert [(call.tool, dict(call.arguments)) for call in (*closed.first, *opened.first)] == [
        ("close_passage", {"place": "The lift"}),
        ("reopen_passage", {"place": "The lift"}),
    ]
    assert not isinstance(unclear, BuildingQuestion), "nothing is closed any more"


def calls_of(intent: object, otherwise: tuple[()] | None = None) -> Sequence[tuple[str, dict[str, object]]]:
    if otherwise is not None and not isinstance(intent, BuildingQuestion):
        return otherwise
    assert isinstance(intent, BuildingQuestion), intent
    return [(call.tool, dict(call.arguments)) for call in (*intent.first, intent)]


def test_a_question_goes_on_with_another_time_traveller_or_start() -> None:
    asked = [
        "Room1から車いすで1分以内に行ける部屋は？",
        "30秒だとどうなりますか",
        "徒歩なら？",
        "From the Library?",
    ]
    turns = [UserTurn(text, ()) for text in asked]
    calls = [calls_of(read_talk(turns[: count + 1], CATALOGUE).intent)[-1][1] for count in range(len(turns))]
    assert calls == [
        {"start": "Room1", "minutes": 1.0, "profile": "wheelchair"},
        {"start": "Room1", "minutes": 0.5, "profile": "wheelchair"},
        {"start": "Room1", "minutes": 0.5},
        {"start": "Library", "minutes": 0.5},
    ]


def test_what_was_closed_is_remembered_past_other_questions() -> None:
    asked = [
        "Close the lift.",
        "Block the stairs.",
        "Where is the Kitchen?",
        "open the first one again",
        "undo that",
    ]
    turns = [UserTurn(text, ()) for text in asked]
    first = read_talk(turns[:4], CATALOGUE).intent
    assert calls_of(first) == [("reopen_passage", {"place": "the lift"})]
    assert calls_of(read_talk(turns, CATALOGUE).intent) == [("reopen_passage", {"place": "the stairs"})]


@pytest.mark.parametrize(
    ("sentence", "place"),
    [
        ("Compare the walk from Room1 to the Library with and without the stairs.", "stairs"),
        ("階段を閉鎖した場合と通常とで、Room1からLibraryへの道のりを比べて", "階段"),
    ],
)
def test_a_way_is_compared_with_and_without_a_part_that_stays_open(sentence: str, place: str) -> None:
    intent = read_talk([UserTurn(sentence, ())], CATALOGUE).intent
    way = {"start": "Room1", "goal": "Library"}
    assert calls_of(intent) == [("find_route", way), ("find_route", {**way, "avoid": place})]
    assert isinstance(intent, BuildingQuestion)
    code = write_building_question(intent, "en").source()
    assert code.count("find_route(") == 2 and "final_answer" in code


def test_a_comparison_follows_a_change() -> None:
    sentence = "Close the lift. Compare the walk from Room1 to the Library with and without the stairs."
    intent = read_talk([UserTurn(sentence, ())], CATALOGUE).intent
    assert [tool for tool, _ in calls_of(intent)] == ["close_passage", "find_route", "find_route"]
    assert isinstance(intent, BuildingQuestion)
    said: list[str] = []
    run = {
        "close_passage": lambda place: said.append(place) or "Closed.",
        "find_route": lambda start, goal, avoid="": f"From {start} to {goal} without {avoid}.",
        "final_answer": said.append,
    }
    exec(write_building_question(intent, "en").source(), run)
    assert said == [
        "the lift",
        "From Room1 to Library without .\n\nFrom Room1 to Library without stairs.",
    ]


TICKETS = pd.DataFrame({"ticket": [1, 2], "status": ["open", "closed"], "minutes": [3, 4], "reach": [5, 6]})


@pytest.mark.parametrize(
    "sentence", ["show only the closed ones", "Which tickets are closed?", "reach by minutes", "open tickets"]
)
def test_an_own_table_with_such_cells_comes_before_closures(sentence: str) -> None:
    tables = [table_info("tickets", TICKETS, 'load_table("tickets")'), *CATALOGUE.tables]
    intent = read_talk(
        [UserTurn("number of tickets by status"), UserTurn(sentence)], replace(CATALOGUE, tables=tables)
    ).intent
    assert not isinstance(intent, BuildingQuestion)


@pytest.mark.parametrize("sentence", ["湿度はどうなっていますか", "Can I reach the Library?", "天気の影響は"])
def test_a_word_alone_is_too_little_for_an_offer(sentence: str) -> None:
    intent = read_talk([UserTurn(sentence, ())], CATALOGUE).intent
    assert not (isinstance(intent, Refusal) and intent.reason == "rephrase")


@pytest.mark.parametrize(
    ("sentence", "words", "offered"),
    [
        (
            "エレベーターを止めてください。車いすの参加者は入口から2階の会議室まで行けますか?",
            ("参加者",),
            "エレベーターを閉鎖して。入口から会議室 (2F)まで車椅子でどう行きますか？",
        ),
    ],
)
def test_what_is_understood_beside_unknown_words_is_offered_and_not_done(
    sentence: str, words: tuple[str, ...], offered: str
) -> None:
    intent = read_talk([UserTurn(sentence, ())], CATALOGUE).intent
    assert intent == Refusal("rephrase", words, (offered,))
    assert isinstance(read_talk([UserTurn(offered, ())], CATALOGUE).intent, BuildingQuestion)


@pytest.mark.parametrize(
    "sentence",
    [
        # a change that is not understood would be lost
        "Unlock that one, but leave the gate blocked. Is anyone still trapped?",
        # the question is not understood
        "Close the lift. Whose idea was that?",
    ],
)
def test_half_of_a_request_is_not_offered(sentence: str) -> None:
    intent = read_talk([UserTurn(sentence, ())], CATALOGUE).intent
    assert isinstance(intent, Refusal) and intent.reason != "rephrase"


@pytest.mark.parametrize(
    "sentence",
    [
        "ふさ" * 190 + "x",
        "階段をふさ" + "ぁ" * 380 + "x",
        "close " + "for " * 390 + "x",
        "the lift is closed " + "for the " * 190 + "!x",
        "から" * 190 + "を閉鎖した場合と通常",
        "compare " + "from a to b " * 60 + "with and without",
        "if " * 130 + "x is closed",
        "now so please " * 120,
    ],
)
def test_a_hostile_sentence_is_read_in_bounded_time(sentence: str) -> None:
    """An exponential pattern would not end before the test's time limit."""
    intent = read_talk([UserTurn(sentence, ())], CATALOGUE).intent
    assert not [tool for tool, _ in calls_of(intent, ()) if tool in CHANGES]
