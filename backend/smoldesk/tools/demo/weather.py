"""The `get_weather` tool: the weather of a city, from a bundled table that is read on first use.

The figures in backend/data/weather.json were made up for demonstrations; they are not observations.
"""

import functools
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import JsonValue

from smoldesk.assets import DATA
from smoldesk.buildings.names import fold
from smoldesk.errors import BadInput
from smoldesk.tools.policy import DeskTool

TABLE = DATA / "weather.json"
_JAPANESE_ENDS = re.compile(r"(?<=..)[市都府]$")
_SOME = 8
# Similarity from 0 to 100 above which a name is suggested.
_NEAR = 70
# Characters of an unknown name that are compared.
_COMPARED_CHARACTERS = 60


@dataclass(frozen=True)
class City:
    """One city; degrees Celsius, percent, metres per second. `name` and `description` are in the language it was asked in."""

    name: str
    condition: str
    description: str
    temperature: float
    feels_like: float
    humidity: int
    wind_speed: float


def find_city(text: str) -> City:
    """Return the city meant by "tokyo", "Tokyo, Japan", 東京 or 東京都. Raises BadInput with near names and some others."""
    cities = _by_name()
    place = fold(re.split("[,、]", text)[0])
    city = cities.get(place) or cities.get(_JAPANESE_ENDS.sub("", place))
    if city is None:
        raise _unknown(text, place)
    return city


def city_names() -> list[str]:
    """Return the English names, in the order of the table."""
    return [row["name"] for row in _rows()]


def _unknown(text: str, place: str) -> BadInput:
    from rapidfuzz import fuzz, process

    cities = _by_name()
    matches = process.extract(
        place[:_COMPARED_CHARACTERS], list(cities), scorer=fuzz.WRatio, score_cutoff=_NEAR, limit=3
    )
    near = list(dict.fromkeys(cities[name].name for name, _, _ in matches)) if len(place) > 1 else []
    meant = f"Did you mean {' or '.join(near)}? " if near else ""
    some = ", ".join(name for name in city_names()[:_SOME] if name not in near)
    return BadInput(f"There is no weather for {text[:60]!r}.", f"{meant}There are {some} and others.")


@functools.cache
def _rows() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(TABLE.read_text(encoding="utf-8"))["cities"]
    return rows


@functools.cache
def _by_name() -> dict[str, City]:
    """Return every city by each of its folded names, English and Japanese."""
    conditions: dict[str, dict[str, str]] = json.loads(TABLE.read_text(encoding="utf-8"))["descriptions"]
    cities: dict[str, City] = {}
    for row in _rows():
        condition = conditions[row["description"]]
        for language, names in (("en", [row["name"], *row.get("also", [])]), ("ja", row["ja"])):
            city = City(
                name=names[0],
                condition=condition["condition"],
                description=condition[language],
                temperature=row["temperature"],
                feels_like=row["feels_like"],
                humidity=row["humidity"],
                wind_speed=row["wind_speed"],
            )
            cities |= dict.fromkeys(map(fold, names), city)
    return cities


class GetWeather(DeskTool):
    """`get_weather`: typical figures of about thirty cities, made up for demonstrations."""

    name = "get_weather"
    is_demo: ClassVar[bool] = True
    description = (
        "Tells the weather of a large city, by its English or Japanese name. The figures are typical ones from "
        "a small table for demonstrations, not today's. Returns a dict with location, temperature and "
        "feels_like (degrees Celsius), condition, description, humidity (percent), wind_speed (m/s) and "
        "cached (always True).\n"
        'Example: weather = get_weather(location="Tokyo")'
    )
    inputs: ClassVar[dict[str, dict[str, Any]]] = {
        "location": {"type": "string", "description": 'Name of a city, such as "Tokyo" or "東京".'},
    }
    output_type = "object"

    def check(self, arguments: Mapping[str, JsonValue]) -> None:
        _city(arguments.get("location"))

    def forward(self, location: str) -> dict[str, JsonValue]:
        """Return the weather. Raises BadInput with near cities."""
        city = _city(location)
        return {
            "location": city.name,
            "temperature": city.temperature,
            "condition": city.condition,
            "description": city.description,
            "humidity": city.humidity,
            "feels_like": city.feels_like,
            "wind_speed": city.wind_speed,
            "cached": True,  # from the table, not observed now
        }


def _city(value: JsonValue) -> City:
    if not isinstance(value, str) or not value.strip():
        raise BadInput("The location is blank.", "Expected the name of a city, such as Tokyo or 東京.")
    return find_city(value)
