"""The `get_weather` tool: the weather of a city, from a table that asks nobody."""

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import JsonValue

from smoldesk.errors import BadInput
from smoldesk.tools.demo.cities import City, find_city
from smoldesk.tools.policy import DeskTool


class GetWeather(DeskTool):
    """`get_weather`: typical figures of about thirty cities, made up for demonstrations."""

    name = "get_weather"
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
        """Raises BadInput naming near cities."""
        city = _city(location)
        return {
            "location": city.name,
            "temperature": city.temperature,
            "condition": city.condition,
            "description": city.description,
            "humidity": city.humidity,
            "feels_like": city.feels_like,
            "wind_speed": city.wind_speed,
            "cached": True,  # nobody looked out of a window
        }


def _city(value: JsonValue) -> City:
    if not isinstance(value, str) or not value.strip():
        raise BadInput("The location is blank.", "Expected the name of a city, such as Tokyo or 東京.")
    return find_city(value)
