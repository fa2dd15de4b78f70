"""Runs with planted figures: data, what code showed of it, and answers in the manner of large models, all from a seed.

A draft marks each figure with where it comes from, so that the exam knows the right place; false ones replace true ones.
"""

import calendar
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pandas as pd
from pydantic import JsonValue

from smoldesk import messages as m
from smoldesk.events import (
    Printed,
    RunEvent,
    RunStarted,
    Shown,
    StepFinished,
    StepStarted,
    ToolCalled,
    ToolReturned,
)

TABLE = "f_000000000000000000000001"


@dataclass(frozen=True)
class Mark:
    """A planted figure. `rows` and `column` are its cells; an `operation` derives it; none of both: it is a count."""

    text: str
    rows: tuple[int, ...] = ()
    column: str = ""
    operation: str = ""
    fault: str = ""
    """How it is false: digit, unit, group, stale or invented. Empty for a true one."""


@dataclass
class Data:
    """A table by its key column; `units` of its numbers, `lang` of its answers."""

    name: str
    key: str
    keys: list[str]
    columns: dict[str, list[float]]
    decimals: dict[str, int]
    units: dict[str, str] = field(default_factory=dict[str, str])
    lang: str = "en"

    def frame(self) -> pd.DataFrame:
        return pd.DataFrame({self.key: self.keys, **self.columns})


@dataclass
class Draft:
    """An answer under way: texts with marks in them."""

    data: Data
    rng: random.Random
    marks: list[Mark] = field(default_factory=list[Mark])

    def value(self, row: int, column: str, style: str = "") -> str:
        """Plant a cell's value."""
        value = self.data.columns[column][row]
        return self._mark(written(value, self.data, column, style), (row,), column)

    def total(self, column: str) -> str:
        values = self.data.columns[column]
        return self._mark(written(sum(values), self.data, column), tuple(range(len(values))), column, "sum")

    def mean(self, column: str) -> str:
        values = self.data.columns[column]
        return self._mark(
            written(sum(values) / len(values), self.data, column, "more"),
            tuple(range(len(values))),
            column,
            "mean",
        )

    def difference(self, first: int, second: int, column: str) -> str:
        values = self.data.columns[column]
        text = written(abs(values[first] - values[second]), self.data, column)
        return self._mark(text, (first, second), column, "difference")

    def share(self, row: int, column: str) -> str:
        values = self.data.columns[column]
        return self._mark(percent(100 * values[row] / sum(values), self.data.lang), (row,), column, "share")

    def change(self, new: int, old: int, column: str) -> str:
        values = self.data.columns[column]
        share = 100 * (values[new] - values[old]) / values[old]
        return self._mark(percent(abs(share), self.data.lang), (new, old), column, "change")

    def ratio(self, first: int, second: int, column: str) -> str:
        values = self.data.columns[column]
        text = f"{values[first] / values[second]:.1f}"
        return self._mark(
            f"{text}倍" if self.data.lang == "ja" else f"{text} times", (first, second), column, "ratio"
        )

    def count(self) -> str:
        return self._mark(str(len(self.data.keys)))

    def _mark(self, text: str, rows: tuple[int, ...] = (), column: str = "", operation: str = "") -> str:
        self.marks.append(Mark(text, rows, column, operation))
        return f"\ue000{len(self.marks) - 1}\ue001"


def percent(value: float, lang: str) -> str:
    return f"{value:.1f}%" if lang == "en" else f"{value:.1f}％"


def written(value: float, data: Data, column: str, style: str = "") -> str:
    """A value as a model writes it: with separators, rounded, with a unit, in thousands or 万."""
    places = data.decimals[column] + (1 if style == "more" else 0)
    unit = data.units.get(column, "")
    if style == "short" and abs(value) >= 20_000:
        if data.lang == "ja":
            return f"{value / 10_000:,.1f}万{'円' if unit == '円' else ''}"
        short = f"{value / 1e6:.2f} million" if value >= 2e6 else f"{value / 1e3:.1f}k"
        return f"${short}" if unit == "$" else short
    if style == "round" and places:
        places -= 1
    text = f"{value:,.{places}f}"
    return f"${text}" if unit == "$" else f"{text}{' ' if unit in ('kg', 'km', '°C') else ''}{unit}"


# --- data ------------------------------------------------------------------------------------------------------------


def money(rng: random.Random, count: int, low: float, high: float, places: int) -> list[float]:
    return [round(rng.uniform(low, high), places) for _ in range(count)]


def whole(rng: random.Random, count: int, low: int, high: int) -> list[float]:
    return [float(number) for number in rng.sample(range(low, high), count)]


def shops(rng: random.Random) -> Data:
    keys = rng.sample(
        ["Tokyo", "Osaka", "Nagoya", "Sapporo", "Fukuoka", "Kyoto", "Sendai", "Kobe"], rng.randint(4, 7)
    )
    n = len(keys)
    columns = {
        "sales": whole(rng, n, 11_000, 990_000),
        "orders": whole(rng, n, 105, 990),
        "margin": money(rng, n, 4, 39, 1),
    }
    return Data(
        "shops", "city", keys, columns, {"sales": 0, "orders": 0, "margin": 1}, {"sales": "$", "margin": "%"}
    )


def days(rng: random.Random) -> Data:
    keys = ["Thur", "Fri", "Sat", "Sun"]
    columns = {
        "total_bill": money(rng, 4, 12, 29, 6),
        "tip": money(rng, 4, 2, 4, 6),
        "size": whole(rng, 4, 19, 99),
    }
    return Data("tips", "day", keys, columns, {"total_bill": 2, "tip": 2, "size": 0})


def months(rng: random.Random) -> Data:
    count = rng.randint(5, 9)
    keys = [f"2024-{month:02}" for month in range(1, count + 1)]
    columns = {"revenue": whole(rng, count, 210_000, 4_900_000), "visitors": whole(rng, count, 1_200, 9_900)}
    return Data("monthly", "month", keys, columns, {"revenue": 0, "visitors": 0}, {"revenue": "$"})


def classes(rng: random.Random) -> Data:
    keys = ["First", "Second", "Third"]
    columns = {
        "passengers": whole(rng, 3, 150, 600),
        "survival rate": money(rng, 3, 0.12, 0.88, 4),
        "average fare": money(rng, 3, 9, 99, 4),
    }
    return Data("titanic", "class", keys, columns, {"passengers": 0, "survival rate": 2, "average fare": 2})


def rooms(rng: random.Random) -> Data:
    keys = ["Kitchen", "Bathroom", "Toilet", "Room1", "Room2"]
    columns = {"Temperature": money(rng, 5, 17, 29, 3), "Humidity": money(rng, 5, 31, 78, 3)}
    return Data(
        "rooms",
        "roomname",
        keys,
        columns,
        {"Temperature": 1, "Humidity": 1},
        {"Temperature": "°C", "Humidity": "%"},
    )


def stores_ja(rng: random.Random) -> Data:
    keys = rng.sample(["東京", "大阪", "名古屋", "札幌", "福岡", "京都", "仙台"], rng.randint(4, 6))
    n = len(keys)
    columns = {
        "売上": whole(rng, n, 210_000, 9_900_000),
        "件数": whole(rng, n, 105, 990),
        "構成比": money(rng, n, 3, 35, 1),
    }
    return Data(
        "売上",
        "店舗",
        keys,
        columns,
        {"売上": 0, "件数": 0, "構成比": 1},
        {"売上": "円", "件数": "件", "構成比": "%"},
        "ja",
    )


def months_ja(rng: random.Random) -> Data:
    count = rng.randint(4, 8)
    keys = [f"2024-{month:02}" for month in range(1, count + 1)]
    columns = {"来客数": whole(rng, count, 1_200, 9_900), "平均単価": money(rng, count, 700, 2_900, 2)}
    return Data(
        "月別", "月", keys, columns, {"来客数": 0, "平均単価": 1}, {"来客数": "人", "平均単価": "円"}, "ja"
    )


DATA: tuple[Callable[[random.Random], Data], ...] = (
    shops,
    days,
    months,
    classes,
    rooms,
    stores_ja,
    months_ja,
)


# --- answers ---------------------------------------------------------------------------------------------------------


def spoken(data: Data, column: str) -> str:
    return column.replace("_", " ").lower() if data.lang == "en" else column


def order(data: Data, column: str) -> list[int]:
    values = data.columns[column]
    return sorted(range(len(values)), key=lambda row: -values[row])


def label(data: Data, row: int) -> str:
    """A key as prose has it."""
    key = data.keys[row]
    if key.startswith("2024-"):
        number = int(key[5:])
        names = calendar.month_name[1:]
        return f"{number}月" if data.lang == "ja" else names[number - 1]
    full = {"Thur": "Thursday", "Fri": "Friday", "Sat": "Saturday", "Sun": "Sunday"}
    return {"First": "First class", "Second": "Second class", "Third": "Third class"}.get(
        key, full.get(key, key)
    )


def prose(draft: Draft) -> str:
    data, rng = draft.data, draft.rng
    column = rng.choice([*data.columns])
    ranked = order(data, column)
    name, best, worst = spoken(data, column), ranked[0], ranked[-1]
    style = rng.choice(["", "", "short", "round"])
    if data.lang == "ja":
        return rng.choice(
            [
                f"{name}が最も高いのは{label(data, best)}で、{draft.value(best, column, style)}でした。"
                f"一方、{label(data, worst)}は{draft.value(worst, column)}と最も低くなっています。",
                f"分析の結果、{label(data, best)}の{name}は**{draft.value(best, column)}**です。"
                f"{label(data, worst)}({draft.value(worst, column)})との差は{draft.difference(best, worst, column)}です。",
                f"{label(data, best)}の{name}は{draft.value(best, column, style)}で、"
                f"{label(data, worst)}の{draft.value(worst, column)}の約{draft.ratio(best, worst, column)}です。",
            ]
        )
    return rng.choice(
        [
            f"The highest {name} was in {label(data, best)}, at {draft.value(best, column, style)}. "
            f"The lowest was {label(data, worst)} with {draft.value(worst, column)}.",
            f"{label(data, best)} leads with a {name} of **{draft.value(best, column)}**, followed by "
            f"{label(data, ranked[1])} ({draft.value(ranked[1], column)}). The difference between the two is "
            f"{draft.difference(best, ranked[1], column)}.",
            f"Based on the data, {label(data, best)} has a {name} of {draft.value(best, column, style)}, which is "
            f"{draft.ratio(best, worst, column)} that of {label(data, worst)} ({draft.value(worst, column)}).",
            f"I found that {name} ranges from {draft.value(worst, column)} ({label(data, worst)}) to "
            f"{draft.value(best, column)} ({label(data, best)}).",
            f"{label(data, ranked[0])}, {label(data, ranked[1])} and {label(data, ranked[2])} had a {name} of "
            f"{draft.value(ranked[0], column)}, {draft.value(ranked[1], column)} and "
            f"{draft.value(ranked[2], column)}, respectively.",
        ]
    )


def bullets(draft: Draft) -> str:
    data, rng = draft.data, draft.rng
    column = rng.choice([*data.columns])
    rows = order(data, column)[: rng.randint(3, 5)]
    name = spoken(data, column)
    bold = rng.choice(["**", ""])
    separator = rng.choice([": ", " – ", " — "]) if data.lang == "en" else rng.choice(["：", ": "])
    head = (
        f"Here is the {name} by {spoken(data, data.key)}:"
        if data.lang == "en"
        else f"{data.key}別の{name}は次のとおりです。"
    )
    numbered = rng.random() < 0.4
    lines = [
        f"{f'{at}.' if numbered else '-'} {bold}{label(data, row)}{bold}{separator}{draft.value(row, column)}"
        for at, row in enumerate(rows, 1)
    ]
    return "\n".join([head, "", *lines])


def table(draft: Draft) -> str:
    data, rng = draft.data, draft.rng
    columns = rng.sample([*data.columns], min(2, len(data.columns)))
    rows = order(data, columns[0])[:4]
    head = [data.key.capitalize(), *(spoken(data, column).capitalize() for column in columns)]
    lines = [f"| {' | '.join(head)} |", f"|{'|'.join([' --- '] * len(head))}|"]
    lines += [
        f"| {data.keys[row]} | {' | '.join(draft.value(row, column) for column in columns)} |" for row in rows
    ]
    intro = "Summary of the results:" if data.lang == "en" else "結果をまとめます。"
    return "\n".join([f"## {intro}", "", *lines])


def totals(draft: Draft) -> str:
    data, rng = draft.data, draft.rng
    summed = [column for column in data.columns if data.decimals[column] == 0]
    column = rng.choice(summed or [*data.columns])
    best, name = order(data, column)[0], spoken(data, column)
    if column not in summed:
        if data.lang == "ja":
            return f"全体の{name}の平均は{draft.mean(column)}です。{label(data, best)}は{draft.value(best, column)}です。"
        return f"On average, the {name} is {draft.mean(column)}; {label(data, best)} reaches {draft.value(best, column)}."
    if data.lang == "ja":
        return (
            f"{name}の合計は{draft.total(column)}です。最大は{label(data, best)}の{draft.value(best, column)}で、"
            f"全体の{draft.share(best, column)}を占めます。"
        )
    return rng.choice(
        [
            f"The total {name} is {draft.total(column)} across {draft.count()} {spoken(data, data.key)} groups. "
            f"{label(data, best)} accounts for {draft.share(best, column)} of the {name} ({draft.value(best, column)}).",
            f"In total, {name} came to {draft.total(column)}, an average of {draft.mean(column)} per {spoken(data, data.key)}.",
        ]
    )


def trend(draft: Draft) -> str:
    data, rng = draft.data, draft.rng
    column = rng.choice([*data.columns])
    last, name, values = len(data.keys) - 1, spoken(data, column), data.columns[column]
    rose = values[last] > values[last - 1]
    if data.lang == "ja":
        word = "増加" if rose else "減少"
        return (
            f"{label(data, last)}の{name}は{draft.value(last, column)}で、{label(data, last - 1)}の"
            f"{draft.value(last - 1, column)}から{draft.change(last, last - 1, column)}{word}しました。"
        )
    word = "rose" if rose else "fell"
    return (
        f"{name.capitalize()} {word} from {draft.value(last - 1, column)} in {label(data, last - 1)} to "
        f"{draft.value(last, column)} in {label(data, last)}, a change of {draft.change(last, last - 1, column)}."
    )


ANSWERS: tuple[Callable[[Draft], str], ...] = (prose, prose, bullets, table, totals, trend)


# --- runs ------------------------------------------------------------------------------------------------------------


@dataclass
class PlantedRun:
    """A run's events up to its answer, the answer, and its marks with their places in it."""

    events: list[RunEvent]
    answer: str
    marks: list[tuple[int, int, Mark]]
    data: Data
    mode: str
    question: str
    lines: dict[int, int]
    """Line of each row in what was printed."""


def outputs(data: Data, mode: str) -> tuple[list[RunEvent], dict[int, int]]:
    """What the code showed: a table, a printed frame, lines, or a tool's result; and the line of each row."""
    frame = data.frame()
    if mode == "table":
        columns = [
            m.Column(name=data.key, kind="text"),
            *(m.Column(name=name, kind="number") for name in data.columns),
        ]
        rows: list[list[JsonValue]] = [
            [key, *(values[at] for values in data.columns.values())] for at, key in enumerate(data.keys)
        ]
        content = m.TableContent(
            table_id=TABLE, name=data.name, columns=columns, rows=rows, row_count=len(rows)
        )
        return [Shown(message=m.Table(content=content))], {}
    if mode == "printed":
        return [Printed(step=1, text=f"{frame.to_string()}\n")], {at: at + 2 for at in range(len(data.keys))}
    if mode == "indexed":
        return [Printed(step=1, text=f"{frame.set_index(data.key)}\n")], {
            at: at + 3 for at in range(len(data.keys))
        }
    if mode == "lines":
        lines = [
            f"{key}: " + ", ".join(f"{name}={values[at]:,}" for name, values in data.columns.items())
            for at, key in enumerate(data.keys)
        ]
        return [Printed(step=1, text="\n".join(lines) + "\n")], {at: at + 1 for at in range(len(data.keys))}
    records = json.loads(frame.to_json(orient="records"))
    text = json.dumps(records, ensure_ascii=False)
    call = ToolCalled(step=1, call_id="call.1", tool="query", arguments={})
    return [call, ToolReturned(step=1, call_id="call.1", tool="query", result=text, value=records)], {}


MODES = ("table", "printed", "indexed", "lines", "tool")


def planted_run(seed: int, spoil: Callable[[Mark, Data, random.Random], Mark] | None = None) -> PlantedRun:
    """The run of a seed; `spoil` changes its marks."""
    rng = random.Random(seed)
    data = DATA[seed % len(DATA)](rng)
    mode = MODES[(seed // len(DATA)) % len(MODES)]
    draft = Draft(data, rng)
    texts = [answer(draft) for answer in rng.sample(ANSWERS, rng.choice([1, 2]))]
    answer, marks = finished("\n\n".join(texts), draft.marks, data, rng, spoil)
    question = f"Tell me about {data.name}" if data.lang == "en" else f"{data.name}について教えてください"
    shown, lines = outputs(data, mode)
    memory: dict[str, JsonValue] = {"code_action": f"final_answer({answer!r})", "is_final_answer": True}
    events: list[RunEvent] = [RunStarted(message=question), StepStarted(step=1), *shown]
    events += [Shown(message=m.Text(content=answer)), StepFinished(step=1, memory=memory, duration=0.1)]
    return PlantedRun(events, answer, marks, data, mode, question, lines)


def finished(
    text: str,
    marks: Sequence[Mark],
    data: Data,
    rng: random.Random,
    spoil: Callable[[Mark, Data, random.Random], Mark] | None,
) -> tuple[str, list[tuple[int, int, Mark]]]:
    """The answer with its figures written out, and their places."""
    pieces: list[str] = []
    placed: list[tuple[int, int, Mark]] = []
    length = 0
    for piece in text.replace("\ue001", "\ue000").split("\ue000"):
        at = len(pieces)
        if at % 2:
            mark = marks[int(piece)]
            mark = spoil(mark, data, rng) if spoil else mark
            placed.append((length, length + len(mark.text), mark))
            piece = mark.text
        pieces.append(piece)
        length += len(piece)
    return "".join(pieces), placed
