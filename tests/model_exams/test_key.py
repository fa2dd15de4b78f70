"""The key of the bundled questions, computed again from the bundled tables with pandas, and from the building's model."""

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

from smoldesk.assets import DATA
from smoldesk.buildings.building import Building
from smoldesk.buildings.routing import Closures, route_to
from smoldesk.exams import read_questions

titanic = pd.read_csv(DATA / "datasets" / "titanic.csv")
measurement = pd.read_csv(DATA / "datasets" / "measurement.csv", parse_dates=["date"])
building = Building.load()
women, men = titanic[titanic.sex == "female"], titanic[titanic.sex == "male"]
by_room = measurement.groupby("roomname").Temperature.mean()
by_day = measurement.groupby(measurement.date.dt.strftime("%Y-%m-%d")).Temperature.mean()
COLUMNS = {column.lower() for table in (titanic, measurement) for column in table.columns}


def room(name: str) -> pd.DataFrame:
    return measurement[measurement.roomname == name]


def length(floor: str, start: str, goal: str) -> float:
    return route_to(building.route_graph, (floor, start), (floor, goal)).length


def working_days_gap() -> float:
    readings = room("Room2")
    is_working_day = readings.date.dt.day_of_week < 5
    return readings[is_working_day].Temperature.mean() - readings[~is_working_day].Temperature.mean()


def hottest_hour() -> str:
    readings = room("Kitchen")
    return f"{readings.groupby(readings.date.dt.hour).Temperature.mean().idxmax()}時"


def fall(name: str) -> float:
    by_date = room(name).set_index("date").Temperature
    first, last = by_date.loc["2025-10-06":"2025-10-12"], by_date.loc["2025-10-27":"2025-11-02"]
    return first.mean() - last.mean()


def hottest_day() -> str:
    hottest = room("Bathroom").sort_values("Temperature").iloc[-1]
    return str(hottest.date.date())


KEY: dict[str, Callable[[], Any]] = {
    "titanic-survivors": lambda: titanic.survived.sum(),
    "titanic-women": lambda: women.survived.mean() * 100,
    "titanic-third-age": lambda: titanic[titanic.pclass == 3].age.mean(),
    "titanic-no-deck": lambda: titanic.deck.isna().sum(),
    "titanic-ports-fare": lambda: {
        town for town, fare in titanic.groupby("embark_town").fare.mean().items() if fare > 20
    },
    "titanic-alone": lambda: titanic[titanic.alone].survived.mean() < titanic[~titanic.alone].survived.mean(),
    "titanic-follow-up": lambda: titanic[titanic.survived == 0].fare.mean(),
    "titanic-classes": lambda: list(
        titanic.groupby("class").survived.mean().sort_values(ascending=False).index
    ),
    "titanic-port-ja": lambda: titanic.embark_town.mode()[0],
    "titanic-old-men-ja": lambda: men[men.age > 60].survived.sum(),
    "titanic-no-age-ja": lambda: titanic.age.isna().sum(),
    "titanic-first-women-ja": lambda: women[women.pclass == 1].survived.mean() * 100,
    "titanic-families-ja": lambda: (titanic.sibsp + titanic.parch >= 4).sum(),
    "rooms-kitchen": lambda: room("Kitchen").Temperature.mean(),
    "rooms-hot-day": hottest_day,
    "rooms-working-days": working_days_gap,
    "rooms-humid": lambda: (room("Bathroom").Humidity > 70).sum(),
    "rooms-warm": lambda: set(by_room[by_room > 21].index),
    "rooms-cooling": lambda: max(by_room.index, key=fall),
    "rooms-below-setpoint-ja": lambda: (
        (room("Toilet").Temperature < room("Toilet").SetpointHistory).mean() * 100
    ),
    "rooms-cold-day-ja": by_day.idxmin,
    "rooms-hour-ja": hottest_hour,
    "map-length": lambda: length("1F", "Room1", "Kitchen"),
    "map-warmest": lambda: {by_room.idxmax()},
    "map-nearest-ja": lambda: min(
        ("Storage", "Workshop", "Server Room"), key=lambda goal: length("B1", "Garage", goal)
    ),
}
QUESTIONS = {question.id: question for question in read_questions().questions}
DRAWN = {"map-rooms", "map-arrow", "map-route"}


def test_thirty_questions_ten_of_them_in_japanese() -> None:
    assert len(QUESTIONS) == 30
    assert sum(question.language == "ja" for question in QUESTIONS.values()) == 10
    assert {form for question in QUESTIONS.values() for form in question.expect.forms} == {
        "number", "date", "text", "set", "list", "yes", "map", "declines",
    }  # fmt: skip


@pytest.mark.parametrize("name", sorted(KEY))
def test_the_key_is_what_the_tables_and_the_building_say(name: str) -> None:
    expect = QUESTIONS[name].expect
    computed = KEY[name]()
    match expect.forms[0]:
        case "number":
            assert expect.number == pytest.approx(float(computed), abs=6e-5)
        case "set":
            assert {first(item) for item in expect.set or ()} == computed
        case "list":
            assert [first(item) for item in expect.list or ()] == computed
        case "map":
            assert expect.map is not None and {*(expect.map.rooms or ())} == computed
        case form:
            assert first(getattr(expect, form)) == computed


def first(names: Any) -> Any:
    return names[0] if isinstance(names, list) else names


def test_the_largest_and_the_smallest_are_not_tied() -> None:
    day = room("Bathroom").Temperature
    assert (day == day.max()).sum() == 1
    assert by_day.nsmallest(2).diff().iloc[1] > 0.001
    falls = sorted(fall(name) for name in by_room.index)
    assert falls[-1] - falls[-2] > 0.1


def test_what_is_asked_in_vain_is_in_no_table() -> None:
    for question in QUESTIONS.values():
        if question.expect.declines is not None:
            names = [name.lower() for name in question.expect.declines]
            assert not any(name in column for name in names for column in COLUMNS)


def test_what_is_to_be_drawn_exists() -> None:
    assert {*QUESTIONS} == {*KEY} | DRAWN | {
        name for name, question in QUESTIONS.items() if question.expect.declines
    }
    maps = [question.expect.map for question in QUESTIONS.values() if question.expect.map]
    for expected in maps:
        for name in [*(expected.rooms or ()), *([expected.arrow.room] if expected.arrow else ())]:
            assert building.floors_with(name) == ["1F"]
    graph = building.route_graph
    route = route_to(graph, ("1F", "Room1"), ("2F", "Library"), Closures(stepless=True))
    assert {hop.room for hop in route.hops} >= {None, ("1F", "Level2")}
    assert route.length > route_to(graph, ("1F", "Room1"), ("2F", "Library")).length
