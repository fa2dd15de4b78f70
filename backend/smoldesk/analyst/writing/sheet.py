"""A data intent becomes Python a careful analyst would write: load, filter, compute, show, plot, answer.

Numbers in the answer are always computed by the code; nothing the analyst knows of the data goes into
it but names.
"""

import ast
from dataclasses import dataclass, field

from smoldesk.analyst.cell import (
    Cell,
    Part,
    Value,
    fstring,
    literal,
    variable,
)
from smoldesk.analyst.intents import (
    Aggregate,
    DataIntent,
    Join,
    Language,
)
from smoldesk.analyst.questions.derived import code_of
from smoldesk.analyst.questions.joins import frames, table_of
from smoldesk.analyst.tables.catalogue import Catalogue, TableInfo
from smoldesk.analyst.tables.figures import conditions, ranges, say
from smoldesk.analyst.writing.clean import clean
from smoldesk.analyst.writing.row_tests import as_written, is_word_of_numbers, test
from smoldesk.analyst.writing.write_ranges import write_ranges

_KEYS = {
    "hour": '.dt.floor("h")',
    "hour of day": ".dt.hour",
    "half of day": '.dt.hour.floordiv(12).map({0: "morning", 1: "afternoon"})',
    "half of day ja": '.dt.hour.floordiv(12).map({0: "午前", 1: "午後"})',
    "day": ".dt.date",
    "week": '.dt.to_period("W").astype(str)',
    "month": '.dt.to_period("M").astype(str)',
    "quarter": '.dt.to_period("Q").astype(str)',
    "year": ".dt.year",
    "part of week": '.dt.day_of_week.floordiv(5).map({0: "weekday", 1: "weekend"})',
    "part of week ja": '.dt.day_of_week.floordiv(5).map({0: "平日", 1: "週末"})',
    "weekday": ".dt.day_name()",
    "weekday ja": '.dt.day_of_week.map(dict(enumerate("月火水木金土日"))) + "曜日"',
}


@dataclass
class Sheet:
    """What the writers of one data cell share: the cell, the table's variable, the rows, the groups."""

    cell: Cell
    intent: DataIntent
    table: TableInfo
    language: Language
    frame: str = ""
    rows: str = ""
    groups: list[str] = field(default_factory=list[str])
    notes: list[tuple[tuple[Part, ...], str]] = field(default_factory=list[tuple[tuple[Part, ...], str]])

    def say(self, english: str, japanese: str) -> str:
        return say(self.language, english, japanese)

    def note(self, *parts: Part, when: str = "") -> None:
        """A remark below the answer: always, or `when` an expression of the code holds."""
        self.notes.append((parts, when))

    def answer(self, *sentences: str) -> None:
        """The closing call: the sentences, then the notes as a paragraph of their own."""
        if len(self.notes) > 1 and all(when for _, when in self.notes):
            rows = Value(f"len({self.rows})", ":,")
            self.note(
                *(
                    ("Computed from ", rows, " rows.")
                    if self.language == "en"
                    else (rows, "行から計算しました。")
                )
            )
        told: list[str] = []
        opened = ""
        for parts, when in sorted(self.notes, key=lambda note: bool(note[1])):
            lead = (" " if self.language == "en" else "") if opened else "\n\n"
            text = fstring(lead, *parts)
            told.append(f'+ ({text} if {when} else "")' if when else f"+ {text}")
            opened = opened or ("" if when else "yes")
        self.cell.answer(*sentences, *told)

    def column(self, name: str, frame: str = "") -> str:
        """The expression of one column of the rows in question."""
        return f"{frame or self.rows}[{literal(name)}]"


def open_sheet(intent: DataIntent, catalogue: Catalogue, language: Language) -> Sheet:
    """A sheet whose cell has loaded the table, prepared dates and filtered rows."""
    sheet = Sheet(Cell(), intent, table_of(intent, catalogue), language)
    _load(sheet)
    if intent.joined:
        _say_join(sheet, intent.joined)
    for parts, when in clean(sheet.cell, sheet.frame, intent, sheet.table, language):
        sheet.note(*parts, when=when)
    _derive(sheet)
    _prepare_dates(sheet)
    _say_amounts(sheet)
    _filter(sheet)
    return sheet


def _load(sheet: Sheet) -> None:
    load = sheet.table.load
    try:
        tree = ast.parse(load)
    except (SyntaxError, ValueError):
        tree = ast.Module([], [])
    named = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for package in ("pd", "json", "sqlite3"):
        if package in named and f"as {package}" not in load and f"import {package}" not in load:
            sheet.cell.use(package)
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Assign) and isinstance(last.targets[0], ast.Name):
        sheet.frame = last.targets[0].id
        sheet.cell.add(*load.splitlines())
    else:
        sheet.frame = variable(sheet.table.name.rsplit(".", 1)[0], "df")
        sheet.cell.add(f"{sheet.frame} = {load}")
    sheet.rows = sheet.frame


def _derive(sheet: Sheet) -> None:
    """Adds the columns that the question makes of others, and says how each is made."""
    for one in sheet.intent.derived:
        if one.sign == "range":
            sheet.note(*write_ranges(sheet.cell, sheet.frame, one, sheet.language))
            continue
        made = code_of(one, sheet.frame, [literal(name) for name in one.columns])
        sheet.cell.add(f"{sheet.column(one.name, sheet.frame)} = {made}")
        sheet.note(sheet.say(f"{one.name} was computed for each row.", f"{one.name}は行ごとに計算しました。"))


def _say_join(sheet: Sheet, join: Join) -> None:
    """By which column, and how many rows came of it: a join that lost or multiplied rows shows."""
    none = sheet.say(
        f"No row of {join.left} has the {join.left_key} of a row of {join.right}.",
        f"{join.left}と{join.right}で{join.left_key}が一致する行がありません。",
    )
    sheet.cell.add("if joined.empty:", f"    final_answer({literal(none)})")
    one, other = frames(join)
    rows = Value(f"len({one})", ":,"), Value(f"len({other})", ":,"), Value("len(joined)", ":,")
    by = join.left_key if join.left_key == join.right_key else f"{join.left_key} = {join.right_key}"
    if sheet.language == "ja":
        sheet.note(
            f"{join.left}（",
            rows[0],
            f"行）と{join.right}（",
            rows[1],
            f"行）を{by}で結合し、",
            rows[2],
            "行になりました。",
        )
    else:
        sheet.note(
            f"I joined {join.left} (", rows[0], f" rows) and {join.right} (", rows[1], f" rows) on {by}: ",
            rows[2], " rows.",
        )  # fmt: skip


def _say_amounts(sheet: Sheet) -> None:
    """Which amounts were converted to the unit of the column that they are compared with."""
    intent = sheet.intent
    whole = (*intent.filters, *intent.sides, *([intent.target] if intent.target else []))
    for one in dict.fromkeys((leaf.said, leaf.column, leaf.values) for each in whole for leaf in each.leaves):
        said, column, values = one
        if said:
            amount = f"{values[0]:,.12g}" if isinstance(values[0], float) else str(values[0])
            sheet.note(
                sheet.say(
                    f"{said} was taken as {amount} in {column}.",
                    f"{said}は{column}の{amount}として比べました。",
                )
            )


def _prepare_dates(sheet: Sheet) -> None:
    intent = sheet.intent
    sheet.groups = list(intent.groups)
    if not intent.date:
        return
    date = sheet.column(intent.date)
    key = intent.date
    if intent.grain:
        taken = {column.name for column in sheet.table.columns}
        key = intent.grain if intent.grain not in taken else f"{intent.date} by {intent.grain}"
        if intent.grain == "half year":
            halves = f'{date}.dt.month.sub(1).floordiv(6).map({{0: "H1", 1: "H2"}})'
            sheet.cell.add(
                f'{sheet.column(key)} = {date}.dt.year.astype("Int64").astype(str) + " " + {halves}'
            )
        else:
            sheet.cell.add(f"{sheet.column(key)} = {date}{_KEYS[_spelled(intent.grain, sheet.language)]}")
    sheet.groups.insert(0, key)


def _drop_written(sheet: Sheet) -> None:
    """The texts of a column of numbers are no column to show."""
    intent = sheet.intent
    words = {
        leaf.column for one in intent.filters for leaf in one.leaves if is_word_of_numbers(leaf, sheet.table)
    }
    later = {
        leaf.column
        for one in (*intent.sides, *([intent.target] if intent.target else []))
        for leaf in one.leaves
    }
    if gone := [literal(as_written(name)) for name in sorted(words - later)]:
        sheet.cell.add(f"selected = selected.drop(columns=[{', '.join(gone)}])")


def _spelled(grain: str, language: Language) -> str:
    return f"{grain} ja" if language == "ja" and f"{grain} ja" in _KEYS else grain


def _filter(sheet: Sheet) -> None:
    filters = sheet.intent.filters
    if not filters:
        return
    tests = [test(sheet.frame, one, sheet.table) for one in filters]
    joined = tests[0] if len(tests) == 1 else " & ".join(f"({one})" for one in tests)
    sheet.rows = "selected"
    if len(joined) > 90:
        inner = "\n    & ".join(f"({one})" for one in tests)
        sheet.cell.add(*f"selected = {sheet.frame}[\n    {inner}\n]".splitlines())
    else:
        sheet.cell.add(f"selected = {sheet.frame}[{joined}]")
    _drop_written(sheet)
    said = conditions(filters)
    none = sheet.say(
        f"No rows of {sheet.table.name} match {said}.", f"{sheet.table.name}に {said} の行はありません。"
    )
    if ranges(filters):
        sheet.note(sheet.say("Both ends of the range are included.", "範囲の両端を含みます。"))
    if sheet.intent.aggregates != ("count",) or sheet.groups:
        spans = _spans(sheet)
        gap = sheet.say(" ", "")
        parts = [part for place, one in enumerate(spans) for part in (gap if place else "\n\n", *one)]
        told = fstring(none, *parts)
        sheet.cell.add("if selected.empty:", f"    final_answer({told})")
    else:
        for span in _spans(sheet):
            sheet.note(*span, when="selected.empty")


def _spans(sheet: Sheet) -> list[tuple[Part, ...]]:
    """From where to where the compared number columns go: what to say when no row meets the conditions."""
    names = dict.fromkeys(
        one.column
        for one in sheet.intent.filters
        if not one.part and sheet.table.column(one.column).kind == "number"
    )
    found: list[tuple[Part, ...]] = []
    for place, name in enumerate(names, start=1):
        lowest, highest = f"lowest{place}", f"highest{place}"
        sheet.cell.add(f'{lowest}, {highest} = {sheet.column(name, sheet.frame)}.agg(["min", "max"])')
        low, high = Value(lowest, ":,.15g"), Value(highest, ":,.15g")
        found.append(
            (f"{name}は", low, "から", high, "までです。")
            if sheet.language == "ja"
            else (f"{name} goes from ", low, " to ", high, ".")
        )
    return found


def in_order(sheet: Sheet) -> bool:
    """Whether groups come as they stand in the table: steps of time that no sorting would keep in order."""
    steps = {column.name for column in sheet.table.columns if column.is_in_order}
    return bool(sheet.groups) and sheet.groups[0] in steps


def grouped(sheet: Sheet) -> str:
    """`rows.groupby(...)` for the sheet's groups."""
    keys = [literal(name) for name in sheet.groups]
    by = keys[0] if len(keys) == 1 else "[" + ", ".join(keys) + "]"
    ranges = any(one.sign == "range" and one.name in sheet.groups for one in sheet.intent.derived)
    seen = ", observed=True" if ranges else ""
    return f"{sheet.rows}.groupby({by}{', sort=False' if in_order(sheet) else ''}{seen})"


_LAMBDAS: dict[Aggregate, str] = {
    "range": "values.max() - values.min()",
    "iqr": "values.quantile(0.75) - values.quantile(0.25)",
    "mode": "values.mode().min()",
    "kurt": "values.kurt()",
}


def computed(aggregate: Aggregate) -> str:
    """The pandas call of an aggregate, for each group."""
    spelled = _LAMBDAS.get(aggregate)
    return f".agg(lambda values: {spelled})" if spelled else f".{aggregate}()"


def figure_of(values: str, aggregate: Aggregate) -> str:
    """The expression of one figure of all values of a column."""
    if aggregate == "iqr":
        return f"{values}.quantile(0.75) - {values}.quantile(0.25)"
    return f"{values}.max() - {values}.min()" if aggregate == "range" else f"{values}.{aggregate}()"


def rows_used(sheet: Sheet, *columns: str) -> None:
    """Notes how many rows have a value in all of these columns, as groups and figures leave the others out."""
    intent = sheet.intent
    key = sheet.groups[0] if intent.date else ""
    names = list(dict.fromkeys(intent.date if name == key else name for name in columns))
    sheet.cell.add(f"used = {sheet.rows}.dropna(subset=[{', '.join(map(literal, names))}]).shape[0]")
    used, rows = Value("used", ":,"), Value(f"len({sheet.rows})", ":,")
    if sheet.language == "ja":
        sheet.note("全", rows, "行中", used, "行から計算しました。")
        sheet.note(f"{'・'.join(names)}が空白の行は除いています。", when=f"used < len({sheet.rows})")
    else:
        sheet.note("From ", used, " of ", rows, " rows.")
        named = " or ".join(names)
        sheet.note(f"Rows without {named} are left out.", when=f"used < len({sheet.rows})")


def loop_names(sheet: Sheet) -> tuple[str, list[str]]:
    """How a loop unpacks the groups: `name`, or `(sex, pclass)`; with the single names."""
    if len(sheet.groups) == 1:
        return "name", ["name"]
    names = [variable(group, f"name{place}") for place, group in enumerate(sheet.groups, start=1)]
    names = [f"{name}{place}" if names.count(name) > 1 else name for place, name in enumerate(names, start=1)]
    return f"({', '.join(names)})", names


def lines_of(sheet: Sheet, template: str, values: str, source: str) -> None:
    """A list `lines` with one bullet for each group, 20 at most."""
    names, _ = loop_names(sheet)
    pair = f"{names}, {values}"
    body = f"lines = [{template} for {pair} in {source}]"
    if len(body) <= 110:
        sheet.cell.add(body)
    else:
        sheet.cell.add("lines = [", f"    {template}", f"    for {pair} in {source}", "]")


def bullets() -> str:
    return '"\\n".join(lines)'
