"""Parsers of client input: answers to asks (yes or no, an option, text or data), and the extras of a message.

A message can have a reading, an interpretation that a person corrected; the analyst validates its content. Pure.
"""

import json
import re
import unicodedata
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import cast

from pydantic import JsonValue, TypeAdapter

from smoldesk.chats import Files
from smoldesk.errors import BadInput
from smoldesk.events import Ask
from smoldesk.messages import ChartSelection, RowSelection, TableSelection
from smoldesk.messages.strict_json import read_strict_json
from smoldesk.runs import Answer
from smoldesk.runs.asks.answers import is_deeper
from smoldesk.wires.bodies import DEEPEST, check_counts

YES = frozenset(["y", "yes", "ok", "true", "はい"])
NO = frozenset(["n", "no", "false", "いいえ"])
# ASCII and full-width marks: Japanese keyboards write the latter.
_REASON_FOLLOWS = re.compile(r"[,:;、。，：]")
LONGEST_REASON = 500
# Longest reading, in characters of JSON.
MAX_READING = 16_384


@dataclass(frozen=True)
class AnswerInput:
    """Answer as a client sends it; `ask_id` is its ask, `reason` explains a no."""

    value: JsonValue
    ask_id: str | None = None
    reason: str = ""


def parse_answer(ask: Ask, answer_input: AnswerInput) -> Answer:
    """Return the answer to an ask. Raises BadInput with the expected form; the ask stays open then."""
    value = answer_input.value
    if ask.kind == "client_tool":
        return Answer(True, _data(value))
    if isinstance(value, bool) and (ask.kind == "approval" or ask.input_type == "confirmation"):
        value = "yes" if value else "no"
    if not isinstance(value, str):
        raise _unclear(f"a string: {_expected(ask)}")
    if ask.kind == "approval":
        return _confirmed(ask, value, answer_input.reason)
    match ask.input_type:
        case "confirmation":
            return _confirmed(ask, value, answer_input.reason)
        case "selection":
            return Answer(True, _selected(ask, value))
        case "text" | "password":
            return Answer(True, value)


def parse_yes_or_no(text: str, yes: Set[str] = YES, no: Set[str] = NO, marks: str = "") -> Answer | None:
    """Return the answer that a text is, or None. A reason may follow a no, nothing may follow a yes.

    `marks` are characters to ignore at the end of a word.
    """
    if _word(text, marks) in yes:
        return Answer(True)
    first, *reason = _REASON_FOLLOWS.split(text.strip(), maxsplit=1)
    is_no = _word(first, marks) in no
    return Answer(False, reason="".join(reason).strip()[:LONGEST_REASON]) if is_no else None


def match_option(ask: Ask, text: str, marks: str = "") -> str | None:
    """Return the option with this text, else the one with this number (from 1), else None."""
    if text in ask.options:
        return text
    reply = _word(text, marks)
    for option in ask.options:
        if _word(option, marks) == reply:
            return option
    number = reply.removeprefix("#")
    if number.isascii() and number.isdigit() and len(number) < 5 and 1 <= int(number) <= len(ask.options):
        return ask.options[int(number) - 1]
    return None


def _confirmed(ask: Ask, value: str, reason: str) -> Answer:
    # Blank text stands for the default, as pressing Enter at a prompt does.
    answer = parse_yes_or_no(value if _word(value) else ask.default or "")
    if answer is None:
        raise _unclear(_expected(ask))
    return Answer(False, reason=reason) if reason and not answer.granted else answer


def _selected(ask: Ask, value: str) -> str:
    """Return the chosen option, or the default for blank text."""
    if not _word(value) and value not in ask.options and ask.default is not None:
        return ask.default
    option = match_option(ask, value)
    if option is None:
        raise _unclear(_expected(ask))
    return option


def _data(value: JsonValue) -> JsonValue:
    """Return the result of a client's tool; a string is parsed as JSON."""
    if not isinstance(value, str):
        return value
    try:
        return read_strict_json(value)
    except (ValueError, RecursionError):
        raise _unclear("JSON, as a value or as text") from None


def _expected(ask: Ask) -> str:
    if ask.kind == "approval" or ask.input_type == "confirmation":
        return "y or n"
    return f"one of {', '.join(ask.options)}" if ask.input_type == "selection" else "text"


def _unclear(expected: str) -> BadInput:
    return BadInput(
        "The text does not answer the open question.", f"Expected {expected[:500]}.", code="bad_answer"
    )


def _word(text: str, marks: str = "") -> str:
    """Normalise a short answer: case, character width, spaces, and `marks` at its end."""
    # NFKC turns full-width letters and digits, which Japanese input methods write, into ASCII.
    return unicodedata.normalize("NFKC", text).strip().rstrip(marks).strip().casefold()


def checked_reading(reading: object) -> dict[str, JsonValue] | None:
    """Return a message's reading as a dict, or None if it has none. Raises BadInput for other types and large ones."""
    if reading is None:
        return None
    if not isinstance(reading, dict):
        raise BadInput(
            "`reading` is not a JSON object.",
            "Expected the `query` of a reading message.",
            code="bad_reading",
        )
    query = cast("dict[str, JsonValue]", reading)
    if is_deeper(query, DEEPEST) or len(json.dumps(query)) > MAX_READING:
        raise BadInput(
            "The reading is too large.", f"At most {MAX_READING} characters of JSON.", code="too_large"
        )
    return query


def checked_attachments(names: object) -> list[str] | None:
    """Return the names of a message's files, or None without any. Raises BadInput."""
    if names is None or names == []:
        return None
    texts = cast("list[object]", names) if isinstance(names, list) else [None]
    if not all(isinstance(name, str) for name in texts):
        hint = "Expected a list of names of the chat's files."
        raise BadInput("`attachments` are not names.", hint, code="wrong_type")
    check_counts(0, len(texts))
    return cast("list[str]", texts)


async def require_files(files: Files, chat_id: str, names: Sequence[str] | None) -> None:
    """Raise BadInput if a message names a file that the chat does not have, NotFound without the chat."""
    stored_names = {file.name for file in await files.of(chat_id)} if names else set[str]()
    if missing := [name for name in names or () if name not in stored_names]:
        raise BadInput(f"The chat has no file {missing[0][:80]!r}.", "Upload it first.", code="unknown_file")


# Limits of a chart selection: ranges, and values listed in one range.
MAX_RANGES = 8
_FILE_ID = re.compile(r"f_[0-9a-f]{1,64}")
MAX_NAMES = 500


MAX_SELECTED_ROWS = 100_000
# Longest selection, in characters of JSON.
MAX_ABOUT = 65_536
_SELECTION: TypeAdapter[RowSelection] = TypeAdapter(RowSelection)


def checked_about(about: object) -> RowSelection | None:
    """Return the selected rows of a chart or table that a message refers to, or None. Raises BadInput."""
    if about is None:
        return None
    expected = (
        'Expected {"specId", "name", "ranges": [{"field", "from", "to"} or {"field", "values"}]}, or '
        '{"kind": "table", "tableId", "view": {"sort", "filters", "search"}, "begin", "end", "columns"}.'
    )
    try:
        selection = _SELECTION.validate_python(about, by_alias=True, by_name=False)
    except (ValueError, RecursionError):
        raise BadInput("`about` does not select rows.", expected, code="bad_selection") from None
    if isinstance(selection, TableSelection):
        return _checked_rows(selection, expected)
    return _checked_ranges(selection, expected)


def _checked_rows(selection: TableSelection, expected: str) -> TableSelection:
    ranges = selection.all_ranges
    limits = (ranges[0][0], ranges[-1][1])
    is_range = selection.begin < selection.end and limits == (selection.begin, selection.end)
    if not _FILE_ID.fullmatch(selection.table_id) or not is_range:
        raise BadInput("`about` does not select rows of a table.", expected, code="bad_selection")
    if selection.row_count > MAX_SELECTED_ROWS or len(selection.model_dump_json()) > MAX_ABOUT:
        most = f"At most {MAX_SELECTED_ROWS} rows, and {MAX_ABOUT} characters of JSON."
        raise BadInput("The selection of the table is too large.", most, code="too_large")
    return selection


def _checked_ranges(selection: ChartSelection, expected: str) -> ChartSelection:
    if (
        not 0 < len(selection.ranges) <= MAX_RANGES
        or len(selection.name) > 500
        or not _FILE_ID.fullmatch(selection.spec_id)
    ):
        raise BadInput("`about` does not select ranges of a chart.", expected, code="bad_selection")
    for range_ in selection.ranges:
        is_span = range_.values is None and range_.from_ is not None and range_.to is not None
        is_names = range_.values is not None and len(range_.values) <= MAX_NAMES
        if len(range_.field) > 500 or not (is_span or is_names):
            raise BadInput(
                "A range of `about` needs `from` and `to`, or `values`.", expected, code="bad_selection"
            )
    return selection
