"""A route and places in Japanese, from what the map draws of them: `steps` has the English words."""

from collections.abc import Mapping
from typing import Any

STEPS = {
    "start": "{room}を出発します。",
    "through": "{walk}ドアを通って{room}に入ります。",
    "change": "{walk}{link}で{floor}へ移動します。",
    "arrive": "{walk}{room}に到着します。",
}
LINKS = {"lift": "エレベーター", "stairs": "階段", "escalator": "エスカレーター", "ramp": "スロープ"}


def route_in_japanese(content: Mapping[str, Any], floors: Mapping[str, str]) -> str:
    """Return the first route of a map's data in Japanese, step by step; `floors` are the names of the floors."""
    route = content["overlays"][0]
    metres = " m" if route["unit"] else ""
    lines = [
        f"{number}. "
        + STEPS[step["action"]].format(
            walk=f"{step['length']:.0f}{metres}進み、" if step.get("length") else "",
            link=LINKS.get(step.get("kind")),
            floor=floors.get(step.get("toFloorId")),
            room=step.get("room"),
        )
        for number, step in enumerate(route["steps"], start=1)
    ]
    far = f"{route['length']:.0f}{metres}"
    if metres:
        far += f"、約{max(1, round(route['seconds'] / 60))}分"
    return f"{route['start']}から{route['goal']}まで{far}です。\n" + "\n".join(lines)


def _area(room: Mapping[str, Any]) -> str:
    size = room.get("value")
    return "" if size is None else f"広さは{size:,.10g}（図面の縮尺による）です。"


def places_in_japanese(content: Mapping[str, Any], floors: Mapping[str, str]) -> str:
    """Return the places of the rooms that a map shows, in Japanese, from its data."""
    return "\n".join(
        f"{room['name']}は{floors.get(room.get('floorId', content['floorId']))}にあります。{_area(room)}"
        for room in content["rectangles"]
    )
