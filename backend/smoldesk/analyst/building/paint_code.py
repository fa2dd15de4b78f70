"""Figures of rooms as drawings: coloured by a legend, the first one highlighted, or played over time."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from smoldesk.analyst.cell import literal
from smoldesk.analyst.language import Language, say


@dataclass(frozen=True)
class Painted:
    """What is drawn: `figures` is the source that computes from `rows`, by the column `room`; `name` what it is called."""

    figures: str
    room: str
    name: str
    floor: str
    rooms: Sequence[str]
    form: str


def colour_lines(one: Painted, tools: Collection[str], language: Language) -> list[str]:
    """Lines that colour the rooms by a figure and answer."""
    lines = _result(one)
    low_high = "low, high = result[rooms].idxmin(), result[rooms].idxmax()"
    if "color_rooms" in tools:
        lines += [
            f"painted = color_rooms(result.loc[rooms], title={literal(one.name)})",
            'if painted.startswith("Error"):',
            "    final_answer(painted)",
            low_high,
        ]
    else:
        lines += [
            "lowest, highest = result[rooms].min(), result[rooms].max()",
            "shades = [(result[room] - lowest) / ((highest - lowest) or 1) for room in rooms]",
            'colours = ["#%02x%02x%02x" % plt.cm.coolwarm(float(shade), bytes=True)[:3] for shade in shades]',
            'labels = ";".join(f"{result[room]:.1f}:{room}" for room in rooms)',
            (
                f'show_map(floor_id={literal(one.floor)}, highlight_rooms=",'
                f'".join(rooms), room_colors=",".join(colours), text_overlays=labels)'
            ),
            low_high,
        ]
    name, high, low = _inside(one.name), f"{{result[high]{one.form}}}", f"{{result[low]{one.form}}}"
    legend = say(
        language,
        f"The rooms are coloured by {name}; the legend says which colour is which.",
        "値で部屋を色分けし、凡例を付けました。",
    )
    told = say(
        language,
        f"Highest: {{high}} ({high}), lowest: {{low}} ({low}). {legend}",
        f"{name}が最も高いのは{{high}}（{high}）、最も低いのは{{low}}（{low}）です。{legend}",
    )
    return [*lines, "", f'final_answer(f"{told}")']


def one_lines(one: Painted, lowest: bool, language: Language) -> list[str]:
    """Lines that highlight only the room that a superlative asks for."""
    lines = [
        *_result(one),
        f"best = result[rooms].idx{'min' if lowest else 'max'}()",
        f"show_map(floor_id={literal(one.floor)}, highlight_rooms=best)",
    ]
    name, best = _inside(one.name), f"{{result[best]{one.form}}}"
    told = say(
        language,
        f"{'Lowest' if lowest else 'Highest'} {name}: {{best}} ({best}), highlighted.",
        f"{name}が最も{'低い' if lowest else '高い'}のは{{best}}（{best}）です。",
    )
    return [*lines, "", f'final_answer(f"{told}")']


def play_lines(
    one: Painted, step: str, date: str, last: int, colours: bool, table: str, language: Language
) -> list[str]:
    """Lines that play the figures over time; `step` is the source of the moments, from the column `date`."""
    lines = (
        [
            *_result(one),
            f"painted = color_rooms(result, title={literal(one.name)})",
            'if painted.startswith("Error"):',
            "    final_answer(painted)",
            "",
        ]
        if colours
        else []
    )
    if last:
        column = f"data[{literal(date)}]"
        lines += [
            f"first = {column}.max().normalize() - pd.Timedelta(days={last - 1})",
            f"data = data[{column} >= first]",
        ]
    frames = one.figures.replace(f".groupby({literal(one.room)})", f".groupby([{step}, {literal(one.room)}])")
    lines += [
        f"frames = {frames}",
        f"played = play_rooms(frames, title={literal(one.name)})",
        'if played.startswith("Error"):',
        "    final_answer(played)",
        "times, low, high = frames.index.get_level_values(0), frames.idxmin(), frames.idxmax()",
    ]
    name, high, low = _inside(one.name), f"{{frames[high]{one.form}}}", f"{{frames[low]{one.form}}}"
    if language == "ja":
        span = f"（表の最後の{last}日間）" if last else ""
        told = (
            f"{name}が最も高いのは{{high[0]}}の{{high[1]}}（{high}）、最も低いのは{{low[0]}}の{{low[1]}}（{low}）です。"
            f"{{times.min()}}から{{times.max()}}まで{span}の{{times.nunique():,}}コマをマップで再生できます。"
        )
    else:
        span = f" (the last {last} days of {_inside(table)})" if last else ""
        told = (
            f"Highest: {{high[1]}} on {{high[0]}} ({high}), lowest: {{low[1]}} on {{low[0]}} ({low}). The "
            f"map plays {name} in {{times.nunique():,}} frames, {{times.min()}} to {{times.max()}}{span}."
        )
    return [*lines, "", f'final_answer(f"{told}")']


def _result(one: Painted) -> list[str]:
    rooms = ", ".join(map(literal, one.rooms))
    return [
        f"result = {one.figures}",
        f"rooms = [room for room in [{rooms}] if room in result.index]",
        f"display(result.loc[rooms].round(2).reset_index(name={literal(one.name)}))",
        "",
    ]


def _inside(text: str) -> str:
    """Text for the inside of an f-string literal."""
    return literal(text)[1:-1].replace("{", "{{").replace("}", "}}")
