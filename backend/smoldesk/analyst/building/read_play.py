"""Requests to play figures of rooms over time: "play last week day by day", alone or after the colouring they go on from.

What is coloured is read as any colouring by figures is; here only the playing, its steps and its span are read.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from smoldesk.analyst.building.read_rooms import room_column
from smoldesk.analyst.intents import (
    ColourRooms,
    DataIntent,
    Grain,
    Intent,
    PlayRooms,
    Reading,
    Refusal,
)
from smoldesk.analyst.tables.catalogue import Catalogue
from smoldesk.analyst.words.text import has_hiragana, is_japanese, tidy

_LONGEST = 400
_MUSIC = re.compile(r"\b(?:track|music|song|bgm|tune)s?\b|曲|音楽|トラック|BGM", re.I)
_VERB = re.compile(
    r"(?:^|[,;] *|\band (?:then )?|\bthen )(?:please |can you |could you |now )*(?:play|animate|replay)\b"
    r"(?: back)?(?P<rest>.*)$",
    re.I,
)
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10, "fourteen": 14}
_SPAN = re.compile(
    r"(?:\b(?:for|of|in|over|during) )?(?:the |its )?\b(?:last|past|final) (?:(?P<n>\d+|"
    + "|".join(_NUMBERS)
    + r") )?(?P<unit>day|week|month)s?\b",
    re.I,
)
_GRAIN = re.compile(
    r"\b(?:(?P<a>hour|day|week|month) by (?P=a)|(?:per|by|for each|for every|each|every) (?P<b>hour|day|week|month)"
    r"|(?P<c>hourly|daily|weekly|monthly))\b",
    re.I,
)
_IDLE = re.compile(
    r"\b(?:over time|on the (?:map|plan)|as an? (?:animation|time[- ]?lapse)"
    r"|it|them|that|this|the result|(?:the |all )?rooms(?: by)?|please)\b",
    re.I,
)
_VERB_JA = re.compile(
    r"(?:を|で|に|として)?(?:再生|アニメーション(?:化|表示|に|で表示)?|コマ送り)(?:に|で)?(?:して|する|したい|表示して|見せて)?(?:ください|下さい|ほしい|欲しい|です)?$"
)
_SPAN_JA = re.compile(
    r"(?:(?P<week>先週|(?:過去|直近|最近|最後)の?(?:1|一)?週間)|(?:過去|直近|最近|最後)の?(?P<n>\d+)(?P<unit>日|週)間?)(?:分)?(?:の|を|は|について)?"
)
_GRAIN_JA = re.compile(
    r"(?P<a>1?時間|一?1?日|週|月)(?:ごと|毎|別|ずつ)(?:に|の|で|を)?|(?P<b>毎日|毎時|毎週|毎月)(?:の|に)?"
)
_IDLE_JA = re.compile(r"マップ(?:上)?(?:で|に)|地図(?:上)?(?:で|に)|それを|これを|結果を|時系列で")
_OF_WORD: dict[str, Grain] = {
    "hour": "hour", "day": "day", "week": "week", "month": "month", "hourly": "hour", "daily": "day", "weekly": "week",
    "monthly": "month", "時間": "hour", "日": "day", "週": "week", "月": "month", "毎日": "day", "毎時": "hour", "毎週": "week",
    "毎月": "month",
}  # fmt: skip
_DAYS = {"day": 1, "week": 7, "month": 30, "日": 1, "週": 7}
Read = Callable[[str], Reading]


@dataclass(frozen=True)
class _Played:
    """The parts of a request: what comes before the playing, what is played, its steps and its last days."""

    before: str
    what: str
    grain: Grain
    last: int


def read_play(text: str, catalogue: Catalogue, previous: Intent | None, read: Read) -> Reading | None:
    """The playing a request asks for; None when it asks for none. `read` reads what is coloured as a request of its own."""
    if len(text) > _LONGEST:
        return None
    words = tidy(text).rstrip("?？!！。. ")
    if "play_rooms" not in catalogue.tools or _MUSIC.search(words):
        return None
    japanese = has_hiragana(words) or (is_japanese(words) and bool(_VERB_JA.search(words)))
    played = _japanese(words) if japanese else _english(words)
    if played is None:
        return None
    language = "ja" if japanese else "en"
    if played.before or played.what:
        said = played.before or (
            f"部屋を{played.what}で色分けして" if japanese else f"colour the rooms by {played.what}"
        )
        reading = read(said)
        if not isinstance(reading.intent, ColourRooms):
            asks = isinstance(reading.intent, Refusal) and bool(played.grain or played.last or played.before)
            return replace(reading, language=language) if asks else None
        rooms = reading.intent
    elif (again := _previous(previous, catalogue)) is not None:
        rooms, reading = again, Reading(again, language)
    else:
        return None
    table = catalogue.table(rooms.data.table)
    date = next((column.name for column in table.columns if column.kind == "date"), "")
    if not date:
        return Reading(Refusal("no_date", table=table.name), language)
    data = replace(rooms.data, date=date, grain=played.grain or "day")
    return Reading(PlayRooms(rooms, data, played.last, bool(played.before)), language, reading.mended)


def _previous(previous: Intent | None, catalogue: Catalogue) -> ColourRooms | None:
    """What the talk was about before, as a colouring: one, or figures by room."""
    if isinstance(previous, ColourRooms):
        return previous
    if not isinstance(previous, DataIntent) or previous.operation != "aggregate" or not previous.aggregates:
        return None
    for floor, rooms in catalogue.rooms.items():
        column = room_column(catalogue.table(previous.table), rooms) if not previous.joined else None
        if column in previous.groups:
            data = replace(
                previous,
                groups=(str(column),),
                aggregates=previous.aggregates[:1],
                date="",
                grain="",
                plot="",
            )
            return ColourRooms(floor, tuple(rooms), replace(data, order="", limit=0))
    return None


def _english(words: str) -> _Played | None:
    verb = _VERB.search(words)
    if verb is None:
        return None
    rest, last, grain = verb["rest"], 0, ""
    if span := _SPAN.search(rest):
        number = (span["n"] or "1").lower()
        last = _DAYS[span["unit"].lower()] * (int(number) if number.isdigit() else _NUMBERS[number])
        rest = rest.replace(span[0], " ", 1)
    if step := _GRAIN.search(rest):
        grain = next(part for part in step.groups() if part).lower()
        rest = rest.replace(step[0], " ", 1)
    what = re.sub(r"\s+", " ", _IDLE.sub(" ", rest)).strip(" ,;").removeprefix("by ")
    before = words[: verb.start()].strip(" ,;")
    return _Played(before, re.sub(r"^(?:the|how the) ", "", what), _OF_WORD.get(grain, ""), last)


def _japanese(words: str) -> _Played | None:
    verb = _VERB_JA.search(words)
    if verb is None:
        return None
    rest, last, grain = words[: verb.start()], 0, ""
    before = ""
    if coloured := re.match(
        r"(?P<head>.*(?:色分け|塗り分け|着色|塗っ)(?:して|て)?)(?:から)?、?(?:その後|次に|それから)?(?P<tail>.*)$",
        rest,
    ):
        before, rest = coloured["head"], coloured["tail"]
    if span := _SPAN_JA.search(rest):
        last = 7 if span["week"] else _DAYS[span["unit"]] * int(span["n"])
        rest = rest.replace(span[0], "", 1)
    if step := _GRAIN_JA.search(rest):
        grain = (step["a"] or step["b"]).lstrip("1一")
        rest = rest.replace(step[0], "", 1)
    what = re.sub(r"^(?:部屋の|各部屋の)|(?:を|の|で|は)$", "", _IDLE_JA.sub("", rest).strip(" 、"))
    return _Played(before, what.strip("、 をの"), _OF_WORD.get(grain, ""), last)
