"""Code for figures of rooms as drawings: coloured with a legend, best room highlighted, or played over time."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from smoldesk.analyst.cell import inside, literal
from smoldesk.analyst.language import Language, localize, render
from smoldesk.analyst.names import IN_BRACKETS
from smoldesk.analyst.query import Query


@dataclass(frozen=True)
class RoomFigures:
    """Figures to draw: `figures` is the source that computes them from `rows` by the column `room`; `name` is their name."""

    figures: str
    room: str
    name: str
    floor: str
    rooms: Sequence[str]
    form: str
    unit: str = ""
    # Statement of the rows used, for the answer.
    basis: str = ""

    @property
    def legend(self) -> str:
        """Arguments that describe the colours on the map."""
        return f"title={literal(self.name)}" + (f", unit={literal(self.unit)}" if self.unit else "")


# Units of the bundled dataset, from its description (data/datasets/measurement.md); its headers do not contain them.
_BUNDLED = {"Temperature": "°C", "SetpointHistory": "°C", "Humidity": "%", "Brightness": "lx"}
MAX_UNIT_LENGTH = 12


def unit_of(column: str | None, fn: str, name: str, bundled: bool) -> str:
    """Return the unit of a figure for the legend: in brackets in the header, or of a bundled dataset; "" if the name has it."""
    if column is None or fn in ("count", "nunique", "var"):
        return ""
    last = (IN_BRACKETS.findall(column) or [""])[-1] if column.strip().endswith((")", "]", "）")) else ""
    unit = last if 0 < len(last) <= MAX_UNIT_LENGTH else _BUNDLED.get(column, "") if bundled else ""
    return "" if unit in name else unit


def colour_lines(painted: RoomFigures, tools: Collection[str], language: Language) -> list[str]:
    """Return lines that colour the rooms by a figure and answer."""
    lines = _result(painted)
    if "color_rooms" in tools:
        lines += _drawn("painted", f"color_rooms(result.loc[rooms], {painted.legend})")
    else:
        arguments = 'highlight_rooms=",".join(rooms), room_colors=",".join(colours), text_overlays=labels'
        shade = 'colours = ["#%02x%02x%02x" % plt.cm.coolwarm(float(one), bytes=True)[:3] for one in shades]'
        lines.append("lowest, highest = result[rooms].min(), result[rooms].max()")
        lines += ["shades = [(result[room] - lowest) / ((highest - lowest) or 1) for room in rooms]", shade]
        lines.append('labels = ";".join(f"{result[room]:.1f}:{room}" for room in rooms)')
        lines.append(f"show_map(floor_id={literal(painted.floor)}, {arguments})")
    lines.append("low, high = result[rooms].idxmin(), result[rooms].idxmax()")
    return [*lines, *_answer("coloured", painted, language, "result")]


def best_room_lines(painted: RoomFigures, lowest: bool, language: Language) -> list[str]:
    """Return lines that highlight only the room with the highest or lowest figure."""
    best = f"best = result[rooms].idx{'min' if lowest else 'max'}()"
    show_call = f"show_map(floor_id={literal(painted.floor)}, highlight_rooms=best)"
    sentence = "room_lowest" if lowest else "room_highest"
    return [*_result(painted), best, show_call, *_answer(sentence, painted, language, "result")]


# Names without a room that an answer lists.
MAX_ABSENT = 8
# Formats of the times in an answer: a day has no time of day.
_DAY = ":%Y-%m-%d"
_TIMES = {"hour": ":%Y-%m-%d %H:%M", "month": ":%Y-%m", "year": ":%Y"}


def play_lines(painted: RoomFigures, query: Query, step: str, language: Language) -> list[str]:
    """Return lines that play the figures over time; `step` is the source that groups the date column."""
    lines, last = list[str](), query.last
    if "colour" in query.map:
        lines += [*_result(painted), *_drawn("painted", f"color_rooms(result, {painted.legend})"), ""]
    if last:
        column = f"data[{literal(query.groups[0].column)}]"
        lines.append(f"first = {column}.max().normalize() - pd.Timedelta(days={last - 1})")
        lines.append(f"data = data[{column} >= first]")
    room = literal(painted.room)
    frames = painted.figures.replace(f".groupby({room})", f".groupby([{step}, {room}])")
    lines += [f"frames = {frames}", *_drawn("played", f"play_rooms(frames, {painted.legend})")]
    lines.append("times, low, high = frames.index.get_level_values(0), frames.idxmin(), frames.idxmax()")
    span = render("played_last", language, last=last, table=inside(query.table)) if last else ""
    when = _TIMES.get(query.groups[0].grain or "", _DAY)
    return [*lines, *_answer("played", painted, language, "frames", span=span, when=when)]


def _drawn(name: str, call: str) -> list[str]:
    """Return a call of a map tool; its error becomes the answer."""
    return [f"{name} = {call}", f'if {name}.startswith("Error"):', f"    final_answer({name})"]


def _answer(sentence: str, painted: RoomFigures, language: Language, figures: str, **more: str) -> list[str]:
    """Return the final_answer call, with the figures of the rooms that it names, and the names without a room."""
    parts = {part: f"{{{figures}[{part}]{painted.form}}}" for part in ("high", "low", "best")}
    text = render(sentence, language, name=inside(painted.name), **parts, **more)
    if figures != "result":
        return ["", f'final_answer(f"{text}{painted.basis}")']
    comma, note = localize(language, ", ", "、"), render("not_on_plan", language)
    return [
        "absent = [str(name) for name in result.index if name not in rooms]",
        f'names = "{comma}".join(absent[:{MAX_ABSENT}]) + " …" * (len(absent) > {MAX_ABSENT})',
        f'note = f"{note}" if absent else ""',
        "",
        f'final_answer(f"{text}{{note}}{painted.basis}")',
    ]


def _result(painted: RoomFigures) -> list[str]:
    rooms = ", ".join(map(literal, painted.rooms))
    lines = [f"result = {painted.figures}", f"rooms = [room for room in [{rooms}] if room in result.index]"]
    return [*lines, f"display(result.loc[rooms].round(2).reset_index(name={literal(painted.name)}))", ""]
