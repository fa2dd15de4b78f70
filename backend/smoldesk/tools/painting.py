"""Tools that paint figures on the plan: color_rooms, and play_rooms over time.

They take what code has at hand (a Series by room, two or three columns, a dict), find the rooms by loose names on any floor,
and answer in words with a command beside them. What is wrong is answered with "Error: ..." naming what there is.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from smoldesk.buildings.building import Building
from smoldesk.buildings.painted_rooms import main_floor, painted_rectangles
from smoldesk.buildings.palettes import Scale, scale_for
from smoldesk.buildings.places import Spot
from smoldesk.buildings.room_index import RoomMatches, match_rooms
from smoldesk.errors import BadInput
from smoldesk.messages import (
    Frame,
    LegendOverlay,
    MapFramesContent,
)
from smoldesk.output_parser.commands import MAX_LINE
from smoldesk.tools.map import MapTool
from smoldesk.tools.painting_values import Values, read_frames, read_values

# Maximum rooms painted by all frames of one playback.
MAX_PAINTED = 50_000
# Maximum names in an answer.
_MAX_LISTED_NAMES = 12


class PaintTool(MapTool):
    """A tool that turns numbers of rooms into colours."""

    def find(self, names: Iterable[str]) -> RoomMatches:
        """Return the rooms of these names. Raises BadInput if fewer than half of them are rooms."""
        matches = match_rooms(self.building.places, names)
        if len(matches.unknown) > len(matches.spots):
            rooms = self.building.rooms()
            more = f" and {len(rooms) - 60} more" if len(rooms) > 60 else ""
            raise BadInput(
                f"There is no room {_list(matches.unknown)}.", f"Rooms: {', '.join(rooms[:60])}{more}."
            )
        return matches


class ColorRooms(PaintTool):
    """`color_rooms`: every room in the colour of its figure, with a legend."""

    name = "color_rooms"
    about = (
        "Colours rooms of any floor by a number each, with a legend.\n"
        'Example: color_rooms(df.groupby("room")["temp"].mean(), unit="°C")'
    )
    inputs: ClassVar[dict[str, dict[str, Any]]] = {
        "values": {
            "type": "object",
            "description": 'a Series by room, two columns (df[["room", "mean"]]) or a dict of room: number',
        },
        "palette": {
            "type": "string",
            "description": 'viridis, cividis, magma, blues or blue-orange, whose middle is 0 ("blue-orange 21": 21)',
            "nullable": True,
        },
        "title": {"type": "string", "description": "", "nullable": True},
        "unit": {"type": "string", "description": "", "nullable": True},
    }

    def forward(
        self,
        values: dict[str, Any],
        palette: str | None = "viridis",
        title: str | None = "",
        unit: str | None = "",
    ) -> str:
        """Return the highest and lowest room as text and `MAP_COMMAND: {json}`, or "Error: ..."."""
        try:
            figures = read_values(values)
            matches = self.find(figures)
            painted, missing = _by_spot(figures, matches)
            if not painted:
                raise BadInput("No room has a value.", 'Expected numbers, such as {"Kitchen": 21.5}.')
            scale = scale_for(painted.values(), palette or "viridis")
        except BadInput as fault:
            return f"Error: {fault}"
        floor = main_floor(self.building, painted)
        lowest, highest = (pick(painted, key=painted.__getitem__) for pick in (min, max))
        remarks = [
            f"{_count(len(painted), 'room')} coloured{_by(title)}: lowest {_value_label(lowest, painted[lowest], unit)}, "
            f"highest {_value_label(highest, painted[highest], unit)}.",
            *_remarks(matches, missing),
        ]
        legend = _legend(scale, title, unit, len(missing))
        return (
            f"{' '.join(remarks)}\n{self.command(floor, painted_rectangles(painted, scale, floor), [legend])}"
        )


class PlayRooms(PaintTool):
    """`play_rooms`: the same over time, as frames that the page plays."""

    name = "play_rooms"
    about = (
        "The same over time, at most 2,000 frames.\n"
        'Example: play_rooms(df.groupby(["day", "room"])["temp"].mean().reset_index(), unit="°C")'
    )
    inputs: ClassVar[dict[str, dict[str, Any]]] = {
        "frames": {
            "type": "object",
            "description": "three columns (time, room, number) or a dict of time: {room: number}",
        },
        "palette": {"type": "string", "description": "", "nullable": True},
        **{name: ColorRooms.inputs[name] for name in ("title", "unit")},
    }

    def forward(
        self,
        frames: dict[str, Any],
        palette: str | None = "viridis",
        title: str | None = "",
        unit: str | None = "",
    ) -> str:
        """Return a description of the frames and `MAP_FRAMES_COMMAND: {json}`, or "Error: ..."."""
        try:
            figures = read_frames(frames)
            matches = self.find(room for values in figures.values() for room in values)
            painted = {time: _by_spot(values, matches, time)[0] for time, values in figures.items()}
            everything = [value for values in painted.values() for value in values.values()]
            if not everything:
                raise BadInput("No room has a value.", 'Expected numbers, such as {"Kitchen": 21.5}.')
            if len(everything) > MAX_PAINTED:
                raise BadInput(
                    f"{len(everything):,} values are too many to play.",
                    f"At most {MAX_PAINTED:,}: take longer steps or fewer rooms.",
                )
            scale = scale_for(everything, palette or "viridis")
            every = {spot for values in painted.values() for spot in values}
            blanks = sum(len(values) < len(every) for values in painted.values())
            command = frames_command(self.building, painted, scale, _legend(scale, title, unit, blanks))
        except BadInput as fault:
            return f"Error: {fault}"
        _, low = min((values[spot], (time, spot)) for time, values in painted.items() for spot in values)
        high = max(
            ((time, spot) for time, values in painted.items() for spot in values),
            key=lambda at: painted[at[0]][at[1]],
        )
        times = list(painted)
        remarks = [
            f"{_count(len(times), 'frame')} of {_count(len(every), 'room')}{_by(title)}, {times[0]} to {times[-1]}: lowest "
            f"{_value_label(low[1], painted[low[0]][low[1]], unit)} at {low[0]}, "
            f"highest {_value_label(high[1], painted[high[0]][high[1]], unit)} at {high[0]}.",
            *_remarks(matches, []),
        ]
        return f"{' '.join(remarks)}\n{command}"


def frames_command(
    building: Building, painted: Mapping[str, Mapping[Spot, float]], scale: Scale, legend: LegendOverlay
) -> str:
    """Return `MAP_FRAMES_COMMAND: {json}` of the rooms painted at each time. Raises BadInput for too long a line."""
    every = {spot: 0.0 for values in painted.values() for spot in values}
    floor = main_floor(building, every)
    content = MapFramesContent(
        floor_id=floor,
        frames=[
            Frame(time=time, rectangles=painted_rectangles(values, scale, floor))
            for time, values in painted.items()
        ],
        legend=legend,
    )
    data = content.model_dump(mode="json", exclude_none=True)
    for frame in data["frames"]:  # many frames are alike: values equal to the defaults are left out
        for rectangle in frame["rectangles"]:
            del rectangle["strokeOpacity"], rectangle["showName"]
    line = f"MAP_FRAMES_COMMAND: {json.dumps(data, ensure_ascii=False, separators=(',', ':'))}"
    if len(line) > MAX_LINE:
        raise BadInput("This is too much to play.", "Take longer steps or fewer rooms.")
    return line


def _by_spot(values: Values, matches: RoomMatches, time: str = "") -> tuple[dict[Spot, float], list[Spot]]:
    """Return the values by room, and the rooms without one; raises BadInput when two names mean one room."""
    painted: dict[Spot, float] = {}
    missing: list[Spot] = []
    names: dict[Spot, str] = {}
    for name, value in values.items():
        if (spot := matches.spots.get(name)) is None:
            continue
        if spot in names:
            at = f" at {time}" if time else ""
            raise BadInput(
                f"{names[spot]!r} and {name!r} are the same room{at}: {_label(spot)}.", "Give it one value."
            )
        names[spot] = name
        if value is None:
            missing.append(spot)
        else:
            painted[spot] = value
    return painted, missing


def _legend(scale: Scale, title: str | None, unit: str | None, missing: int) -> LegendOverlay:
    return LegendOverlay(title=_line(title, 120), unit=_line(unit, 20), stops=scale.stops(), missing=missing)


def _line(text: str | None, most: int) -> str:
    """Return one line of whole characters."""
    return " ".join(str(text or "").encode("utf-8", "replace").decode().split())[:most]


def _by(title: str | None) -> str:
    return f" by {_line(title, 120)}" if title else ""


def _value_label(spot: Spot, value: float, unit: str | None) -> str:
    return f"{_label(spot)} {figure(value)}{f' {_line(unit, 20)}' if unit else ''}"


def figure(value: float) -> str:
    """Return a number as text: at most two decimals, more only for very small ones."""
    if value and abs(value) < 0.01:
        return f"{value:.3g}"
    return f"{value:,.2f}".rstrip("0").rstrip(".")


def _label(spot: Spot) -> str:
    return f"{spot[1]} ({spot[0]})"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _list(names: Iterable[str]) -> str:
    every = list(names)
    more = f" and {len(every) - _MAX_LISTED_NAMES} more" if len(every) > _MAX_LISTED_NAMES else ""
    return ", ".join(name[:60] for name in every[:_MAX_LISTED_NAMES]) + more


def _remarks(matches: RoomMatches, missing: list[Spot]) -> list[str]:
    remarks: list[str] = []
    if missing:
        remarks.append(f"Without a value, unpainted: {_list(map(_label, missing))}.")
    if matches.settled:
        labels = [_label(matches.spots[name]) for name in matches.settled]
        remarks.append(f"On several floors, so taken as: {_list(labels)}.")
    if matches.unknown:
        remarks.append(f"No such room, unpainted: {_list(matches.unknown)}.")
    return remarks
