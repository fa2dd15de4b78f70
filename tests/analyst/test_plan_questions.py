"""Questions about the plan as people ask them, answered by the real tools on the bundled building."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from smoldesk.analyst.building.intents import BuildingQuestion, MapUpdate
from smoldesk.analyst.building.question_code import in_language
from smoldesk.analyst.catalogue import Catalogue
from smoldesk.analyst.code import write
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.refusal import Refusal
from smoldesk.analyst.replies import suggestions
from smoldesk.analyst.talk import UserTurn
from smoldesk.buildings.building import Building
from smoldesk.buildings.places import PlaceIndex
from smoldesk.messages import MapDefinitionContent
from smoldesk.tools.closing import ClosePassage, ReopenPassage
from smoldesk.tools.closure_store import LocalClosures
from smoldesk.tools.evacuation_tool import Evacuation
from smoldesk.tools.navigation import FindRoute, Nearest
from smoldesk.tools.reach_tools import ReachableFrom
from smoldesk.tools.room_tools import ListRooms, WhereIs

BUILDING = Building.load()
ROUTES = (FindRoute, Nearest, ClosePassage, ReopenPassage, ReachableFrom)


class Chat:
    """A conversation with the analyst whose tools really run."""

    def __init__(self, folder: Path) -> None:
        closures = LocalClosures()
        tools = [tool(BUILDING, closures=closures) for tool in ROUTES]
        tools += [
            WhereIs(BUILDING),
            ListRooms(BUILDING),
            Evacuation(BUILDING, closures=closures, folder=folder),
        ]
        self.tools: dict[str, Any] = {tool.name: tool for tool in tools}
        self.turns: list[UserTurn] = []
        rooms = {floor.floor_id: [room.name for room in floor.rectangles] for floor in BUILDING.floors}
        names = {floor.floor_id: floor.floor_name for floor in BUILDING.floors}
        self.catalogue = Catalogue(
            [], rooms, names, BUILDING.bitmap_ids, "1F", tools=frozenset(self.tools), places=BUILDING.places
        )

    def ask(self, text: str) -> str:
        """Return the answer, or the reason and the words of a refusal."""
        self.turns.append(UserTurn(text))
        outcome = read_talk(self.turns, self.catalogue)
        intent = outcome.intent
        if isinstance(intent, Refusal):
            return " ".join((intent.reason, *intent.terms))
        assert isinstance(intent, BuildingQuestion), intent
        calls = [in_language(call, outcome.language) for call in (*intent.first, intent)]
        return "\n".join(str(self.tools[call.tool].forward(**dict(call.arguments))) for call in calls)


@pytest.fixture
def chat(tmp_path: Path) -> Chat:
    return Chat(tmp_path)


@pytest.mark.parametrize(
    ("questions", "expected"),
    [
        (["Wo ist die Küche?"], "Kitchen is on floor 1F"),
        (["où est la bibliothèque"], "Library is on floor 2F"),
        (["Buero"], "Office is on floor 2F"),
        (["厨房在哪里"], "Kitchen（キッチン）は1階"),
        (["could you tell me how I'd get to the library from the kitchen?"], "From Kitchen (1F) to Library (2F)"),
        (["キッチンから図書室に行きたいんだけど"], "KitchenからLibraryまで"),
        (["I'm standing in the garage and need a loo, which one is closest?"], "From Garage (B1) to Toilet"),
        (["トイレに行きたい"], "where_from トイレ"),
        (["Which floor has the most rooms?"], "1F has the most rooms: 8."),
        (["トイレがない階は？"], "トイレがない階：2階、地下1階。"),
        (["各階の部屋数を教えて"], "1階: 8、2階: 5、地下1階: 5"),
        (["what are the 2 largest rooms on 1F?"], "with them, Level2 (1F, 48.1 m²) and Level1 (1F, 45.4 m²) would be"),
        (["サーバールームに一番近い出口は？"], "次に近い場所：Level1（1階、21m、約40秒）。"),
        (["Where is the kitchen and how big is the lounge?"], "Its area is 27.6 m².\nLounge is on floor 2F"),
        (["list the two smallest rooms per floor"], "1. Workshop (B1, 22 m²)\n2. Server Room (B1, 22.4 m²)"),
        (["各階の面積の合計を教えて"], "地下1階の部屋5室の広さは合計204.4m²です。"),
        (["2階のオフイスの場所"], "2階のオフィスは1室です：Office。"),
        (["show me the servce corridor"], "Service Corridor is on floor B1"),
        (["waht is the size of the libarry?"], "Library is on floor 2F"),
        (["会議室と図書室の広さを比べて、広い方を緑に塗って"], '"name": "Library", "color": "#00AA44"'),
        (["colour the largest room on 1F in green"], "it is Level2 with 48.1 m².\nMAP_COMMAND"),
        (["1階で一番狭い部屋をオレンジで塗って"], '"name": "Toilet", "color": "#FF8C00"'),
        (["キッチンにドアはいくつあって、どこへつながっていますか？"], "Kitchen（1階）のドアは2か所です：Hallway、Level2。"),
        (["Which rooms can I get into straight from the Hallway?"], "Hallway is on floor 1F, next to Level2, Bathroom"),
        (["What are the exits? How many?"], "There are 2 exits in the building: the exit in Level1 (1F) and"),
        (["how many floors are there, and what are they called?"], "The building has 3 floors: B1, 1F and 2F."),
        (["how many lifts go to 2F?"], "There is 1 lift on 2F"),
        (["from the garage to the library by wheelchair"], "about 45 seconds. This way has no steps."),
        (["which floor is the smallest"], "The smallest floor is 1F."),
        (["ガレージに車を停めたんだけど、会議室へはどう行けばいい？", "台車を押していく場合は？"], "エレベーターで2階へ"),
        (["台車でガレージから図書室まで運びたい。ルートと時間は？"], "エレベーターで2階へ"),
        (["which rooms have a door onto the upstairs corridor?"], "next to Office, Meeting Room"),
        (["does floor 1F or floor 2F have more floor area?"], "The largest floor is 2F."),
        (["図書室とオフィス、広いのはどちら？差も教えて"], "差は9.5m²です。"),
        (["can someone in a wheelchair get from the garage to the library in under 3 minutes?"], "take the lift to 2F"),
        (["What are the three biggest rooms?"], "3. Office (2F, 48.3 m²)"),
        (["2階で2番目に広い部屋は？"], "2. Office（2階、48.3m²）"),
        (["average size of the bedrooms"], "The average area of the 2 bedrooms is 23.4 m²."),
        (["What is between the office and the library?"], "Rooms that adjoin both Office and Library: Corridor"),
        (["which rooms are on the same floor as the kitchen?"], "1F (1階): Room1"),
        (["Which is closer to Room1: the kitchen or the library?"], "From Room1 (1F) to Kitchen (1F)"),
        (["how much longer is the way from Room1 to the library without the stairs?"], "take the lift"),
        (["台所と風呂場、どっちが広い？"], "最も広いところはKitchen"),
        (["which rooms are on 2F", "which one is the largest", "how do I get there from the garage?"], "to Lounge (2F)"),
        (["Which rooms are on 2F?", "and the second one?"], "Meeting Room is on floor 2F"),
        (["how do I get to the lounge from the garage", "what about the library?"], "From Garage (B1) to Library"),
        (["1階で一番広い部屋は？", "その隣は？"], "ドアでHallway、Level2とつながって"),
        (["エレベーターは何階に止まりますか"], "エレベーターは3フロアに止まります"),
        (["how many rooms are not corridors?"], "There are 15 rooms other than corridors in the building (2 halls among them)"),
        (["Room1から図書室まで、エレベーターなしだとどのくらい遠くなる？"], "階段で2階へ"),
        (["寝室はどこ？", "2階は？"], "2階に寝室はありません。"),
        (["1Fと2F、部屋が多いのはどっち？"], "部屋が最も多いのは1階です（8）。"),
        (["How many bedrooms and toilets are there?"], "There is 1 toilet in the building: Toilet."),
        (["nearest toilet to the office and how far is it?"], "From Office (2F) to Toilet"),
        (["Does the library have a door to the lounge?"], "Library is on floor 2F, next to Corridor."),
        (["how many rooms without corridors on 1F"], "There are 7 rooms other than corridors on 1F"),
        (["how do I get to the meeting room", "from the garage"], "From Garage (B1) to Meeting Room"),
        (["from the office to the toilet and then to the garage"], "your stop on the way"),
        (["list all cafes and bedrooms"], "There is no cafe in the building.\n"),
        (["how many rooms are on floors 1 and 2?"], "1F: 8, 2F: 5 (13 in total)"),
        (["whats the closest toilet if im in the kitchen"], "From Kitchen (1F) to Toilet (1F)"),
        (["how big is the lounge compared to the garage"], "Garage is on floor B1"),
        (["Room1から図書室まで、階段だけだと何秒余計にかかる？"], "階段で2階へ"),
        (["how far apart are the office and the lounge?"], "From Office (2F) to Lounge (2F)"),
        (["route from the library to the garage", "how long does it take?"], "about 45 seconds"),
        (["オフィスから図書室に寄ってガレージまで行きたい"], "Libraryに立ち寄ります"),
        (["take the stairs from the kitchen to the office"], "take the stairs to 2F"),
        (["エレベーターでガレージから図書室まで行くには？"], "エレベーターで2階へ"),
        (["which is faster from the office to the kitchen, the stairs or the lift?"], "take the lift to 1F"),
        (["how big is the server room", "is it bigger than the workshop?"], "is Server Room (B1) with 22.4"),
        (["From Room1 to the Kitchen in a wheelchair", "and for someone on foot?"], "From Room1 (1F) to Kitchen (1F): 20 m"),
        (["From Room2 to the library in a wheelchair", "how long for someone who can walk?"], "take the stairs to 2F"),
        (["図書室とラウンジ、どっちが広い？", "その差は何平米？"], "差は28.4m²です。"),
        (["ガレージからワークショップに寄ってラウンジまで", "ワークショップに寄らなかったら？"], "約45秒"),
        (["how do I get from the garage to the lounge", "to the office instead"], "From Garage (B1) to Office (2F)"),
        (["廊下は全部でいくつある？"], "廊下は3か所です：Hallway（1階）、"),
        (["廊下を除いて、面積が広い部屋トップ3"], "3. Office（2階、48.3m²）"),
        (["From the garage to the lounge, but I have to drop something off in the workshop first."], "your stop on the way"),
        (["Show me the evacuation routes for the basement."], "Evacuation of floor B1 (profile walk): all 19 people"),
        (["2階から避難するとき、エレベーターが使えなければ外に出られますか？"], "2階の避難（徒歩）：19人全員"),
        (["where are the Kitchen, the Office and room 999?"], "There is no room 'room 999'."),
        (["Is there a bathroom near the office?", "And with a wheelchair?"], "take the lift to 1F"),
        (["the plumber is in the workshop, which toilet is nearest to him?"], "From Workshop (B1) to Toilet"),
        (["which room do I have to go through to get into the library?"], "Library is on floor 2F, next to Corridor."),
        (["1階にある部屋を全部教えて", "広い順に並べて"], "1. Level2（1階、48.1m²）"),
        (["how many rooms are bigger than 30.5 m2?", "now only those with more than 50"], "of more than 50 m²"),
        (["Room1の隣にはどんな部屋がありますか"], "ドアでLevel1とつながって"),
        (["倉庫とガレージを足すと何平米？"], "広さは合計148.5m²です"),
        (["I'm lost. I'm in the workshop, how do I get outside?"], "to the exit in Garage (B1)"),
        (["which bedroom is next to the kitchen?"], "Kitchen is on floor 1F, next to Hallway and Level2."),
        (["サービス通路はどこ？"], "Service Corridor（廊下）は地下1階"),
        (["How many square metres is the whole building?"], "18 rooms in the building is 599 m²"),
        (["From the kitchen to the office, via the library", "skip the library"], "to Office (2F): 17 m"),
        (["from the garage to the library with the lift and without it"], "Closed: the lift."),
    ],
)  # fmt: skip
def test_a_question_is_answered_as_people_ask_it(chat: Chat, questions: Sequence[str], expected: str) -> None:
    answers = [chat.ask(question) for question in questions]
    assert expected in answers[-1]


@pytest.mark.parametrize(
    ("questions", "expected"),
    [
        (["Suppose the stairs and the lift are both closed. Which rooms become unreachable?"], "Cut off: Office (2F)"),
        (["how long does it take to evacuate if the lift can't be used?"], "all 48 people are out after"),
        (["Where will it get crowded during an evacuation?"], "Bottlenecks:"),
        (["From the office, what's reachable in 20 s?"], "5 of 18 rooms are reached within 20 seconds"),
        (["If a fire breaks out in the kitchen, how do people in Room2 get out?"], "From Room2 (1F) to the exit in Level1"),
        (["Which rooms have no step-free access?"], "profile wheelchair"),
        (["Kitchenを通れないようにして", "今どこが閉まってる？"], "1階のKitchen"),
        (["階段とエレベーターを両方閉めて"], "通行止め：階段、エレベーター。"),
        (["close the stairs", "close the lift", "please open them again"], "Closed now: none."),
        (["階段を閉めて", "全部開けて"], "通行止め：なし。"),
        (["避難のとき混雑するのはどこ？"], "混雑する場所"),
        (["How many people go through each exit?"], "Exits, most used first:"),
        (["who can't get out if both exits are closed?"], "Without a way out: Room1 (1F)"),
        (["Without the lift, which rooms can a wheelchair user not get to?"], "Closed: the lift"),
        (["2Fの廊下が閉鎖されたら入れなくなる部屋は？"], "2階のOffice"),
        (["エレベーターが使えないとGarageからOfficeまでどれだけ遠回りになる？"], "階段"),
        (["階段なしでも全員避難できる？"], "避難できない部屋：2階のOffice"),
        (["close the library", "オフィスから図書室への道は？"], "Error: Library（2F）は通行止めです。"),
        (["close the toilets", "Where is the nearest toilet from the Office?"], "Error: Toilet (1F) is closed itself."),
        (["Room1の寝室を閉鎖してください"], "通行止め：1階のRoom1。"),
        (["Close the passage between the Lounge and the Corridor"], "Closed now: the door between Corridor and Lounge (2F)."),
        (["close between the garage and the service corridor"], "Closed now: the door between Garage and"),
        (["火事で1階の正面入口が使えない場合、図書室にいる人はどこから避難しますか"], "LibraryからGarageの出口まで"),
        (["close the lift", "さっき閉めたところを開けてください"], "通行止め：なし。"),
        (["which rooms lose their way out if the corridor on 2F is closed"], "Without a way out: Office (2F)"),
        (["ラウンジから30秒で行ける範囲を塗って"], "30秒以内に行ける部屋"),
        (["What is closed right now?"], "Nothing is closed."),
        (["close the lift", "今閉まっているところは？"], "通行止め：エレベーター。"),
        (["close the lift", "is the lift closed?"], "Closed: the lift."),
        (["階段が使えなくても、図書室からガレージに行ける？", "今の通行止めは？"], "通行止めはありません。"),
        (["compare going from the library to the garage: lift closed, or stairs closed"], "take the lift to B1"),
        (["from the garage to the library", "and if the lift is broken instead?"], "take the stairs to 2F"),
        (["リフトを止めたら図書室からガレージまでは？"], "階段で地下1階へ"),
        (["close the lift", "it's fixed, open it again"], "Closed now: none."),
        (["エレベーターを閉めて", "修理が終わったからまた開けて"], "通行止め：なし。"),
        (["show the evacuation of 2F with 50 people"], "all 50 people are out"),
        (["close the kitchen door to the hallway"], "the door between Hallway and Kitchen"),
        (["出口を全部閉じたら？"], "外に出られる人はいません"),
        (["close the lift", "ok, lift works again"], "Closed now: none."),
        (["1階の廊下は清掃中なので通れません", "清掃が終わりました。元に戻してください"], "通行止め：なし。"),
        (["エレベーター点検中に台車を2階から地下へ運べますか？"], "見つかりません"),
        (["close the kitchen", "and the Library as well"], "Kitchen (1F), Library (2F)"),
        (["the exit in Garage is locked at night. Who can't get out then?"], "all 48 people are out after 1 min 25 s"),
        (["Does closing the hallway cut anything off?", "what is closed?"], "Nothing is closed"),
        (["エレベーターが故障中です", "車椅子で2階に行けますか"], "経路がない部屋：2階のOffice"),
        (["廊下（2階）を通行止めにして"], "通行止め：2階のCorridor。"),
        (["is the library reachable?"], "18 of 18 rooms are reached"),
        (["how many rooms have no exit route"], "Without a way out: none"),
        (["1階の出口をすべて閉鎖したら避難時間は何秒になりますか"], "通行止め：1階のLevel1の出口"),
        (["is the garage still reachable for wheelchair users if the lift breaks down?"], "Garage (B1)"),
        (["Who gets out sooner, people in the Library or people in the Garage?"], "From Garage (B1) to the exit"),
        (["how many rooms are within a 15 second walk of the kitchen?"], "5 of 18 rooms are reached within 15 seconds"),
        (["If the main entrance is closed, where do people go out?"], "the exit in Garage (B1), 48"),
        (["もし廊下が煙で通れなければ、2階の人は逃げられますか？"], "避難できない部屋：2階のOffice"),
        (["2階の廊下が火事で使えない場合、オフィスの人は出られますか"], "経路は見つかりません"),
        (["How many people have to leave 2F?"], "all 19 people are out"),
        (["キッチンとHallwayの間を通れないようにして"], "通行止め：1階のHallwayとKitchenの間のドア。"),
        (["please close the lounge, there's a burst pipe", "it's fixed, open it again"], "Closed now: none."),
        (["close the lounge, the library, as the paint is wet"], "Closed now: Lounge (2F), Library (2F)."),
        (["図書室は今日休みなので閉めておいて"], "通行止め：2階のLibrary。"),
        (["雨漏りしているので図書室を閉めて"], "通行止め：2階のLibrary。"),
        (["エレベーターを1基とも止めてください"], "通行止め：エレベーター。"),
        (["エレベーターを2基とも止めてください"], "no_place"),
        (["ガレージの出口が使えない場合、避難はどうなりますか"], "1階のLevel1の出口：48人"),
        (["ラウンジのドアが壊れて開かない。中の人は出られる？"], "避難できない部屋：2階のLounge。"),
        (["what if nobody can use the library - which rooms are cut off?"], "Closed: Library (2F)."),
        (["say the stairs are jammed. how do I get from Room1 to the office?"], "take the lift to 2F"),
        (["火事のとき全員が外に出るまで何秒くらいかかりますか"], "48人全員の避難完了まで"),
        (["evacuate assuming everyone uses a wheelchair - how much longer does it take?"], "On foot, 48 people are out after"),
        (["how long does an evacuation take?", "車椅子だとどれだけ長くかかる？"], "徒歩の場合は48人の避難完了まで"),
        (["close the door of the library", "can you still get into the library?"], "Cut off: Library (2F)."),
        (["正面玄関とKitchenを閉めて"], "1階のKitchen"),
        (["where are the exits and which rooms go to which one?"], "19 people from 5 rooms"),
    ],
)  # fmt: skip
def test_closures_are_understood_with_what_follows(
    chat: Chat, questions: Sequence[str], expected: str
) -> None:
    answers = [chat.ask(question) for question in questions]
    assert expected in answers[-1]


@pytest.mark.parametrize(
    ("question", "refusal"),
    [
        ("Show me the swimming pool", "no_place swimming pool"),
        ("プールのドアを閉めて", "no_place プール"),
        ("体育館を立入禁止にして", "no_room 体育館"),
        ("close all rooms on 2F but not the corridor", "too_much close"),
        ("close all rooms", "too_much close"),
    ],
)
def test_a_refusal_names_what_the_plan_lacks(chat: Chat, question: str, refusal: str) -> None:
    assert chat.ask(question) == refusal


@pytest.mark.parametrize(
    ("question", "argument"),
    [
        ("close corridor F06 on level 1", ("place", "F06 (1)")),
        ("Level 0の廊下F06を通行止めにして", ("place", "F06 (0)")),
    ],
)
def test_a_name_of_several_floors_means_that_of_the_floor_beside_it(
    question: str, argument: tuple[str, str]
) -> None:
    floors = [_floor("0", None), _floor("1", "corridor"), _floor("2", "corridor")]
    places = PlaceIndex(MapDefinitionContent.model_validate({"floors": floors, "bitmaps": []}))
    names = {"0": "Level 0", "1": "Level 1", "2": "Level 2"}
    rooms = {floor: ["F06"] for floor in names}
    tools = frozenset(("close_passage", "reopen_passage"))
    catalogue = Catalogue([], rooms, names, [], "0", tools=tools, places=places)
    assert argument in getattr(read_talk([UserTurn(question)], catalogue).intent, "arguments", ())


def _floor(floor_id: str, kind: str | None) -> dict[str, Any]:
    corners: list[dict[str, float]] = [{"x": 0, "y": 0}, {"x": 10, "y": 10}]
    room = {"name": "F06", "topLeft": corners[0], "bottomRight": corners[1], "kind": kind}
    system = {
        "topLeft": {"px": 0, "py": 0, **corners[0]},
        "bottomRight": {"px": 9, "py": 9, **corners[1]},
    }
    return {
        "floorId": floor_id,
        "floorName": f"Level {floor_id}",
        "floorImage": "",
        "coordinateSystem": system,
        "rectangles": [room],
    }


def test_a_refusal_in_words_of_the_plan_leaves_no_former_drawing(chat: Chat) -> None:
    chat.catalogue = replace(chat.catalogue, tools=chat.catalogue.tools | {"clear_map"})
    turns = [UserTurn("close all rooms on 2F but not the corridor")]
    assert write(read_talk(turns, chat.catalogue), chat.catalogue).startswith("clear_map()")


@pytest.mark.parametrize(
    "question",
    [
        "気温を測りました。キッチンが30、図書室が21です。色分けして",
        "昨日の室温です。キッチン30度、図書室21度。色分けして",
    ],
)
def test_a_sentence_before_the_numbers_is_no_part_of_a_name(chat: Chat, question: str) -> None:
    chat.catalogue = replace(chat.catalogue, tools=chat.catalogue.tools | {"color_rooms"})
    intent = read_talk([UserTurn(question)], chat.catalogue).intent
    assert isinstance(intent, MapUpdate)
    assert (intent.values, intent.missing) == ((("Kitchen", 30.0), ("Library", 21.0)), ())


def test_rooms_coloured_by_numbers_are_narrowed_by_a_limit(chat: Chat) -> None:
    turns = [
        UserTurn("Colour the rooms by students: Kitchen = 30, Office = 42, Lounge = 18"),
        UserTurn("now only those with more than 20"),
    ]
    chat.catalogue = replace(chat.catalogue, tools=chat.catalogue.tools | {"color_rooms"})
    code = write(read_talk(turns, chat.catalogue), chat.catalogue)
    assert "Office" in code and "Lounge" not in code


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("how do I get from the kitchen to the office tonight?", "I did not use 'tonight'."),
        ("I need to schlep a piano from the garage to the office", "I did not use 'schlep' and 'piano'."),
        (
            "My back hurts, what's the quickest way from the office to the toilet?",
            "I did not use 'back' and 'hurts'.",
        ),
        ("I always forget where the storage is", "I did not use 'always' and 'forget'."),
        ("今日は暑いですね。トイレはどこ？", "「暑い」は使いませんでした。"),
        ("明日キッチンからオフィスまでどう行きますか", "「明日」は使いませんでした。"),
    ],
)
def test_an_answer_names_the_words_that_it_leaves_out(chat: Chat, question: str, note: str) -> None:
    assert note in write(read_talk([UserTurn(question)], chat.catalogue), chat.catalogue)


def test_a_declined_name_offers_questions_about_near_ones(chat: Chat) -> None:
    refusal = read_talk([UserTurn("where is Room7?")], chat.catalogue).intent
    assert suggestions(refusal, chat.catalogue, "en")[:2] == ["Where is Room1?", "Where is Room2?"]


@pytest.mark.parametrize(
    "question",
    [
        "What time does the library open?",
        "Who works in the office?",
        "what's above the kitchen?",
        "トイレは何時まで開いていますか",
        "Where is room 999?",
        "4001号室はどこですか",
        "第3会議室の予約方法は？",
        "図書室の寝室を閉めて",
    ],
)
def test_what_no_plan_knows_is_declined(chat: Chat, question: str) -> None:
    assert chat.ask(question).partition(" ")[0] in (
        "no_place",
        "no_room",
        "unknown",
        "too_much",
        "beyond",
        "no_tables",
    )


@pytest.mark.parametrize(
    "question",
    [
        "which rooms are more than 1 minute away from the office?",
        "which rooms can't I reach within 30 seconds from the kitchen?",
        "キッチンから30秒以内に行けない部屋は？",
        "how many people are still inside after 30 seconds?",
        "一番使われない出口は？",
        "close one of the doors between Level1 and Level2",
        "close the lift tomorrow",
        "what is not closed?",
        "what room is left of the kitchen?",
        "what colour is the kitchen?",
        "if nobody uses the stairs, how long does the evacuation take",
        "キッチンの隣の隣は？",
        "what is the nearest vegan restaurant from the office",
        "how do I get from the kitchen to the office by bike?",
        "how many windows does the library have?",
        "古い図書室はどこ？",
        "キッチンから映画館までの道を描いて",
        "1階以外で一番広い部屋は？",
        "how do I get from the kitchen past the sauna to the office?",
        "where is the karaoke room?",
        "rename the kitchen to canteen",
        "how do I get from the kitchen to the office without going up?",
        "汚れた部屋はどこですか",
        "do I need the lift to get from the garage to the library?",
    ],
)
def test_a_relation_that_no_call_expresses_is_not_dropped(chat: Chat, question: str) -> None:
    declined = ("no_place", "unknown", "too_much", "rephrase", "no_tables")
    assert chat.ask(question).partition(" ")[0] in declined


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Colour the rooms by type.", "2 bedrooms (orange)"),
        ("1階の部屋を種類別に色分けして", "寝室2（青）"),
        ("Paint the rooms by the time it takes to get out.", "Evacuation (profile walk)"),
        ("避難にかかる時間で部屋を色分けして表示して", "避難（徒歩）"),
        ("Loungeから各部屋までの所要時間で色分けして", "Loungeから行ける部屋"),
    ],
)
def test_rooms_are_painted_by_kind_and_by_times(chat: Chat, question: str, answer: str) -> None:
    text = chat.ask(question)
    assert answer in text and "MAP_COMMAND" in text


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Is there a swimming pool in this building?", "swimming pool"),
        ("この建物にプールはありますか", "プール"),
        ("is there an ATM on the first floor?", "ATM"),
    ],
)
def test_a_place_that_the_plan_lacks_is_absent_not_unknown(chat: Chat, question: str, name: str) -> None:
    assert chat.ask(question) == f"no_room {name}"
