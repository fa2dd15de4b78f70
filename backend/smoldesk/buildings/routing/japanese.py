"""A route in Japanese: `steps` has the English words."""

import re
from collections.abc import Callable

from smoldesk.buildings.names import fold
from smoldesk.buildings.routing.graph import RouteGraph
from smoldesk.buildings.routing.routes import Route
from smoldesk.buildings.routing.steps import overlay
from smoldesk.messages import RouteStep

STEPS = {
    "start": "{room}を出発します。",
    "walk": "{walk}{room}に立ち寄ります。",
    "through": "{walk}ドアを通って{room}に入ります。",
    "change": "{walk}{link}で{floor}へ移動します。",
    "arrive": "{walk}{room}に到着します。",
}
# Where the plan has no doors.
INTO = "{walk}{room}に入ります。"
LINKS = {"lift": "エレベーター", "stairs": "階段", "escalator": "エスカレーター", "ramp": "スロープ"}


def describe_in_japanese(graph: RouteGraph, route: Route, floor_label: Callable[[str], str]) -> str:
    """Return the route in Japanese: a line with its length and time, then its numbered steps."""
    if route.start == route.goal and not route.hops:
        return f"ここが{route.goal[1]}です。"
    drawn = overlay(graph, route)
    metres = " m" if drawn.unit else ""

    def line(step: RouteStep) -> str:
        return (INTO if step.assumed else STEPS[step.action]).format(
            walk=f"{step.length:.0f}{metres}進み、" if step.length else "",
            link=link_in_japanese(step.kind, step.name or "") if step.kind else "",
            floor=floor_label(step.to_floor_id) if step.to_floor_id else "",
            room=goal if step.action == "arrive" else step.room,
        )

    goal = f"{drawn.goal}の{called_in_japanese(route.label)}" if route.label else drawn.goal
    far = f"{drawn.length:.0f}{metres}"
    if drawn.seconds is not None:
        far += f"、約{duration_in_japanese(drawn.seconds)}"
    lines = [f"{number}. {line(step)}" for number, step in enumerate(drawn.steps, start=1)]
    assumed = (
        ["（図面にドアの情報がないため、隣り合う部屋はつながっているものとしています。）"]
        if route.assumed
        else []
    )
    return "\n".join([f"{drawn.start}から{goal}まで{far}です。", *lines, *assumed])


def duration_in_japanese(seconds: float) -> str:
    """Return a time for a sentence: 40秒, 2分."""
    return f"{max(5, 5 * round(seconds / 5))}秒" if seconds < 55 else f"{max(1, round(seconds / 60))}分"


def called_in_japanese(label: str) -> str:
    """Return the Japanese for what a lift, stairs or an exit is called in English: エレベーター「A」 for the lift 'A'."""
    kind = next((kind for kind in LINKS if kind in label.split(" ")), "")
    quoted = label.partition("'")[2].rstrip("'")
    return link_in_japanese(kind, quoted or label.removeprefix("the ")) if kind else "出口"


def link_in_japanese(kind: str, name: str) -> str:
    """Return the Japanese for a lift or stairs with their name or number, if they have one that adds information."""
    word = LINKS[kind]
    if match := re.fullmatch(rf"{kind}(?: (\d+))?", fold(name)):
        return word + (match[1] or "")
    if not name or word.removesuffix("ー") in name:
        return name or word
    return f"{word}「{name}」"
