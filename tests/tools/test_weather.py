"""`get_weather`: a table in two languages, and help for what is not in it."""

import json
from typing import Any

import pytest

from smoldesk.buildings.names import fold
from smoldesk.errors import BadInput
from smoldesk.tables.results import to_frame
from smoldesk.tools.demo.weather import TABLE, GetWeather, city_names, find_city

KEYS = {
    "location",
    "temperature",
    "condition",
    "description",
    "humidity",
    "feels_like",
    "wind_speed",
    "cached",
}
ROWS: list[dict[str, Any]] = json.loads(TABLE.read_text(encoding="utf-8"))["cities"]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_every_city_answers_to_all_its_names(row: dict[str, Any]) -> None:
    for language, names in (("en", [row["name"], *row.get("also", [])]), ("ja", row["ja"])):
        for name in names:
            report = GetWeather().forward(name)
            assert set(report) == KEYS
            assert report["location"] == names[0]
            assert str(report["description"]).isascii() is (language == "en")
            assert report["temperature"] == row["temperature"]
            assert report["cached"] is True
            to_frame(report)


def test_the_figures_are_ones_that_weather_has() -> None:
    for name in city_names():
        city = find_city(name)
        assert -30 < city.feels_like < 45
        assert abs(city.temperature - city.feels_like) < 8
        assert 0 < city.humidity <= 100
        assert 0 < city.wind_speed < 20
        assert city.condition in {
            "Clear",
            "Clouds",
            "Drizzle",
            "Rain",
            "Mist",
            "Haze",
            "Snow",
            "Thunderstorm",
        }


def test_there_are_enough_cities_and_no_name_is_two_of_them() -> None:
    names = [fold(name) for row in ROWS for name in (row["name"], *row.get("also", []), *row["ja"])]
    assert len(ROWS) >= 30
    assert len(names) == len(set(names))


def test_the_table_says_that_it_was_made_up() -> None:
    assert "no observations" in json.loads(TABLE.read_text(encoding="utf-8"))["note"]


@pytest.mark.parametrize(
    ("requested", "city"),
    [
        ("tokyo", "Tokyo"),
        (" NEW  YORK ", "New York"),
        ("Ｔｏｋｙｏ", "Tokyo"),
        ("Paris, France", "Paris"),
        ("東京都", "東京"),
        ("京都府", "京都"),
        ("京都", "京都"),
        ("札幌市", "札幌"),
        ("大阪、日本", "大阪"),
        ("sao paulo", "São Paulo"),
    ],
)
def test_spellings_people_use_are_understood(requested: str, city: str) -> None:
    assert find_city(requested).name == city


@pytest.mark.parametrize(
    ("requested", "near"),
    [("Tokio", "Tokyo"), ("Sidney", "Sydney"), ("Londn", "London"), ("ニューヨク", "ニューヨーク")],
)
def test_an_unknown_city_names_near_ones(requested: str, near: str) -> None:
    with pytest.raises(BadInput, match=f"Did you mean .*{near}"):
        GetWeather().check({"location": requested})


def test_a_city_like_no_other_names_some() -> None:
    with pytest.raises(
        BadInput, match=r"no weather for 'Xqzw'. There are Tokyo, Osaka.* and others"
    ) as refused:
        GetWeather().check({"location": "Xqzw"})
    assert "Did you mean" not in refused.value.hint


@pytest.mark.parametrize("location", ["", "  ", None, 7, ["Tokyo"]])
def test_no_city_at_all_is_refused(location: Any) -> None:
    with pytest.raises(BadInput, match="blank"):
        GetWeather().check({"location": location})


def test_a_long_text_is_no_city_and_is_not_repeated_whole() -> None:
    with pytest.raises(BadInput) as refused:
        GetWeather().check({"location": "x" * 100_000})
    assert len(str(refused.value)) < 400
