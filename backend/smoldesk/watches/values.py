"""Value of what is watched, in the result of a run that was played again; and whether the condition holds."""

import hashlib
import json
from typing import Any

from smoldesk.exams.written_values import read_numbers
from smoldesk.messages import Chart, FigureEvidence, Table, TableContent
from smoldesk.reruns import Replay
from smoldesk.watches.watch import Condition, LastCheck, Target, Value

MAX_TEXT = 2_000
MAX_SPEC = 64 * 1024 * 1024


class NoValue(Exception):
    """Reason that a target has no value: a stable `code`, and a text. With `is_absent` it is only not there."""

    def __init__(self, code: str, message: str, is_absent: bool = False) -> None:
        super().__init__(message)
        self.code, self.message, self.is_absent = code, message, is_absent


def value_of(target: Target, replay: Replay, unmatched: int) -> Value:
    """Return the value of a target. Raises NoValue.

    `unmatched` figures of the answer had no evidence before. More of them mean that the model wrote the text itself.
    """
    if replay.failure is not None:
        raise NoValue(replay.failure.code, replay.failure.message)
    match target.kind:
        case "answer" | "figure":
            return _answer_value(target, replay, unmatched)
        case "chart":
            return _chart_value(target, replay)
        case _:
            table = table_of(target, replay)
            return _cell_value(target, table) if target.kind == "cell" else _table_value(table)


def figures_of(replay: Replay) -> list[FigureEvidence]:
    """Return the figures of an answer."""
    return replay.evidence.content.figures if replay.evidence is not None else []


def unmatched_of(replay: Replay) -> int:
    """Return the number of figures of an answer that are not clearly from its run."""
    content = replay.evidence.content if replay.evidence is not None else None
    return content.unmatched + content.possible if content is not None else 0


def _answer_value(target: Target, replay: Replay, unmatched: int) -> Value:
    figures = figures_of(replay)
    if target.kind == "answer":
        if unmatched_of(replay) > unmatched:
            raise _written()
        text = replay.answer or ""
        number = number_in(figures[0].text) if len(figures) == 1 else None
        return Value(text=text[:MAX_TEXT], number=number, digest=_digest(text.strip()))
    if target.index >= len(figures):
        raise NoValue("not_there", "The answer has fewer figures now.", is_absent=True)
    figure = figures[target.index]
    if figure.status in ("possible", "unmatched"):
        raise _written()
    return Value(text=figure.text, number=number_in(figure.text), digest=_digest(figure.text))


def _written() -> NoValue:
    return NoValue(
        "written_by_model",
        "The text was written by the model and does not follow its data. Watch a figure, a table or a chart instead.",
    )


def table_of(target: Target, replay: Replay) -> TableContent:
    """Return the watched table. Raises NoValue."""
    tables = [message.content for message in replay.shown if isinstance(message, Table)]
    if target.index >= len(tables):
        raise NoValue("not_there", "The run shows fewer tables now.", is_absent=True)
    return tables[target.index]


def _table_value(table: TableContent) -> Value:
    content = {"columns": [column.name for column in table.columns], "rows": table.rows, "n": table.row_count}
    return Value(text=f"{table.row_count:,} rows", number=table.row_count, digest=_digest(content))


def _cell_value(target: Target, table: TableContent) -> Value:
    names = [column.name for column in table.columns]
    if target.column not in names:
        raise NoValue("no_column", f"The table has no column {target.column[:60]!r} now.")
    row = next((row for row in table.rows if row and row_name(row) == target.row), None)
    if row is None:
        raise NoValue("not_there", f"The table has no row {target.row[:60]!r} now.", is_absent=True)
    value = row[names.index(target.column)]
    number = float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
    text = str(value) if number is None else f"{number:,.10g}"
    return Value(text=text, number=number, digest=_digest(value))


def row_name(row: list[Any]) -> str:
    """Return the name of a table's row: its first value."""
    return str(row[0])[:200]


def _chart_value(target: Target, replay: Replay) -> Value:
    charts = [message.content for message in replay.shown if isinstance(message, Chart)]
    if target.index >= len(charts):
        raise NoValue("not_there", "The run shows fewer charts now.", is_absent=True)
    with replay.path(charts[target.index].spec_id).open("rb") as file:
        digest = hashlib.sha256(file.read(MAX_SPEC)).hexdigest()[:32]
    return Value(text=charts[target.index].name, digest=digest)


def number_in(text: str) -> float | None:
    """Return the number that a figure's text says; None for a date and the like."""
    numbers = read_numbers(text)
    return numbers[0].value if len(numbers) == 1 else None


def decide(condition: Condition, last: LastCheck, value: Value | None, has_failed: bool) -> tuple[bool, bool]:
    """Return whether a check reports, and whether its condition holds. Thresholds report when they begin to hold."""
    number = value.number if value is not None else None
    match condition.kind:
        case "always":
            return value is not None, True
        case "changed":
            is_new = value is not None and last.value is not None and value.digest != last.value.digest
            return is_new, is_new
        case "appears":
            holds = value is not None and number != 0
        case "fails":
            holds = has_failed
        case "above":
            holds = number is not None and condition.value is not None and number > condition.value
        case "below":
            holds = number is not None and condition.value is not None and number < condition.value
    return holds and not last.holds, holds


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, default=str, sort_keys=True).encode()).hexdigest()[:32]
