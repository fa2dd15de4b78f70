"""Live layers that agents.toml declares: parsed, with every mistake reported. Pure."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlsplit

from smoldesk.buildings.palettes import scale_for
from smoldesk.errors import BadInput

NAME = re.compile(r"[^\W_][\w .:-]{0,39}")
NAME_FORM = "a letter or digit, then letters, digits, spaces, _ . : and -, at most 40 in all"
LONGEST = 1_000
LONGEST_STEP = 86_400
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True)
class LayerEntry:
    """One layer: the messages of `topic` at an MQTT broker (`mqtt`).

    `building` is the id of an imported building, else it is the bundled one. `step` is the length of a frame of the history
    in seconds, `stale` the seconds after which the values are marked as old.
    """

    name: str
    mqtt: str = ""
    topic: str = ""
    user: str = ""
    password_env: str = ""
    title: str = ""
    unit: str = ""
    palette: str = "viridis"
    low: float | None = None
    high: float | None = None
    step: int = 1
    stale: int = 60
    building: str | None = None


# (key, problem); the key is empty if the problem concerns the whole entry.
Mistake = tuple[str, str]


def read_layer(name: str, values: Mapping[str, Any]) -> tuple[LayerEntry | None, list[Mistake]]:
    """Return the entry, or None and its mistakes."""
    mistakes: list[Mistake] = [] if NAME.fullmatch(name) else [("", f"a name is {NAME_FORM}.")]
    for key, value in values.items():
        if key not in _FORMS:
            mistakes.append((key, f"there is no such key; expected {', '.join(_FORMS)}."))
        elif not _FORMS[key][0](value):
            mistakes.append((key, f"expected {_FORMS[key][1]}."))
    mistakes += [
        (key, f"it is missing; expected {_FORMS[key][1]}.") for key in ("mqtt", "topic") if key not in values
    ]
    low, high = values.get("low"), values.get("high")
    if not mistakes and low is not None and high is not None and low >= high:
        mistakes.append(("high", "expected more than low."))
    return (None, mistakes) if mistakes else (LayerEntry(name, **values), [])


def broker_of(address: str) -> tuple[str, int, bool]:
    """Return host, port and whether TLS is used. Raises ValueError."""
    parts = urlsplit(address)
    if parts.scheme not in ("mqtt", "mqtts") or not parts.hostname or parts.username or parts.password:
        raise ValueError("not the address of a broker")
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise ValueError("more than host and port")
    return parts.hostname, parts.port or (8883 if parts.scheme == "mqtts" else 1883), parts.scheme == "mqtts"


def room_in_topic(filter_: str, topic: str) -> str | None:
    """Return the level of a topic that stands for the first + of its filter; None without a +."""
    levels = filter_.split("/")
    if "+" not in levels:
        return None
    at = levels.index("+")
    topic_levels = topic.split("/")
    return topic_levels[at] if at < len(topic_levels) and topic_levels[at].strip() else None


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and "\0" not in value and len(value) <= LONGEST


def _is_broker(value: Any) -> bool:
    try:
        return _is_text(value) and bool(broker_of(value))
    except ValueError:
        return False


def _is_topic(value: Any) -> bool:
    if not _is_text(value) or not value or len(value) > 500:
        return False
    levels = cast("str", value).split("/")
    return all(level == "+" or "+" not in level for level in levels) and not any(
        "#" in level and (level != "#" or at < len(levels) - 1) for at, level in enumerate(levels)
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300


def _is_step(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= LONGEST_STEP


def _is_palette(value: Any) -> bool:
    try:
        return _is_text(value) and bool(scale_for((0.0, 1.0), value))
    except BadInput:
        return False


_FORMS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "mqtt": (
        _is_broker,
        'the address of a broker such as "mqtt://broker.example:1883" or "mqtts://...", without a password',
    ),
    "topic": (_is_topic, 'a topic filter such as "site/+/temperature", where the first + is the room'),
    "user": (_is_text, "a text"),
    "password_env": (
        lambda value: isinstance(value, str) and bool(_VARIABLE.fullmatch(value)),
        "the name of a variable of the environment that holds the password",
    ),
    "title": (lambda value: _is_text(value) and len(value) <= 120, "a text of at most 120 characters"),
    "unit": (lambda value: _is_text(value) and len(value) <= 20, "a text of at most 20 characters"),
    "palette": (_is_palette, "a palette of color_rooms"),
    "low": (_is_number, "a number"),
    "high": (_is_number, "a number"),
    "step": (_is_step, f"whole seconds, from 1 to {LONGEST_STEP:,}"),
    "stale": (_is_step, f"whole seconds, from 1 to {LONGEST_STEP:,}"),
    "building": (_is_text, "the id of an imported building"),
}
