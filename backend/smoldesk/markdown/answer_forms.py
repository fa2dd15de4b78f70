"""Data as Markdown for people: tables, definitions and lists; anything deeper is a block of JSON. Pure.

Numbers keep all their digits; cuts are marked.
"""

import json
import re
from collections.abc import Sequence
from typing import cast

from pydantic import JsonValue

from smoldesk.messages import TableContent

Language = str
MAX_ROWS = 50
# Rows of a table whose rows are shown elsewhere.
PREVIEW_ROWS = 10
MAX_COLUMNS = 20
MAX_CELL = 300
MAX_JSON = 20_000
# Signs of Markdown; an underscore within a word has no meaning there.
_SIGNS = re.compile(r"[\\`*\[\]<>&|~$]|(?<!\w)_|_(?!\w)")
# Beginnings of lines that Markdown reads as lists, headings or rules.
_BEGINNINGS = re.compile(r"^(\s*)([-+#=]+|\d+[.)])(?=\s|$)", re.MULTILINE)
# A gap between columns of a text that Python has aligned; tables, lists and quotes of Markdown may have some, too.
_GAP = re.compile(r"^(?!\s*([|>#]|[-*+] )).*\S {2,}\S")
_JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


def language_of(question: str) -> Language:
    """Return "ja" for a question with Japanese letters, else "en"."""
    return "ja" if _JAPANESE.search(question) else "en"


def escape(text: str) -> str:
    """Escape a text so that Markdown shows it as it is."""
    signs = _SIGNS.sub(lambda sign: f"\\{sign[0]}", text)
    return _BEGINNINGS.sub(lambda start: f"{start[1]}{start[2][:-1]}\\{start[2][-1]}", signs)


def block(text: str, language: str) -> str:
    """Return a text as a code block, with a fence longer than any in the text."""
    longest = max((len(ticks) for ticks in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def with_aligned_blocks(text: str) -> str:
    """Return Markdown with printed tables (`df.to_string()`) as code blocks; Markdown would join their lines.

    Such a table is at least two lines of the same length with gaps in them; its head may have only one in front.
    """
    groups: list[list[str]] = []
    is_code = False
    for line in text.split("\n"):
        is_fence = line.lstrip().startswith(("```", "~~~"))
        is_code ^= is_fence
        above = groups[-1][-1] if groups and not (is_code or is_fence) else ""
        is_row = bool(_GAP.search(line)) and len(line) == len(above)
        if is_row and (_GAP.search(above) or above.startswith("  ")):
            groups[-1].append(line)
        else:
            groups.append([line])
    return "\n".join(lines[0] if len(lines) == 1 else block("\n".join(lines), "text") for lines in groups)


def data_markdown(data: JsonValue, language: Language, count: int | None = None) -> str:
    """Return plain data in its most readable form; `data` may be the first part of `count` entries."""
    if isinstance(data, dict) and data and all(map(_is_scalar, data.values())):
        head = ["項目", "値"] if language == "ja" else ["Name", "Value"]
        return rows_markdown(head, [[key, value] for key, value in data.items()], language, row_count=count)
    if isinstance(data, list) and data:
        if (records := _records(data)) is not None:
            return rows_markdown(
                list(records[0]), [[*record.values()] for record in records], language, row_count=count
            )
        if all(map(_is_scalar, data)):
            items = [f"- {_cell(item) or 'None'}" for item in data[:MAX_ROWS]]
            return "\n".join(items) + _more(len(items), count or len(data), language)
    text = json.dumps(data, ensure_ascii=False, indent=2)
    return block(text if len(text) <= MAX_JSON else f"{text[:MAX_JSON]}\n…", "json")


def rows_markdown(
    head: Sequence[str],
    rows: Sequence[Sequence[JsonValue]],
    language: Language,
    most: int = MAX_ROWS,
    row_count: int | None = None,
) -> str:
    """Return the first rows of a table, and how many of all they are; columns of numbers are set to the right."""
    shown = rows[:most]
    columns = range(min(len(head), MAX_COLUMNS))
    numeric = [bool(shown) and all(_is_number(row[at]) for row in shown) for at in columns]
    lines = [
        [_cell(head[at]) for at in columns],
        ["---:" if numeric[at] else "---" for at in columns],
        *([_cell(row[at]) for at in columns] for row in shown),
    ]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return text + _more(len(shown), len(rows) if row_count is None else row_count, language)


def first_rows(table: TableContent, language: Language) -> str:
    """Return a table's first rows, for readers of text alone."""
    head = [column.name for column in table.columns]
    return rows_markdown(head, table.rows, language, PREVIEW_ROWS, table.row_count)


def _records(data: list[JsonValue]) -> list[dict[str, JsonValue]] | None:
    """Return a list of flat dicts with the same keys, None for any other list."""
    first = data[0]
    if not isinstance(first, dict) or not first or len(first) > MAX_COLUMNS:
        return None
    for entry in data:
        if (
            not isinstance(entry, dict)
            or list(entry) != list(first)
            or not all(map(_is_scalar, entry.values()))
        ):
            return None
    return cast("list[dict[str, JsonValue]]", data)


def _is_scalar(value: JsonValue) -> bool:
    return not isinstance(value, dict | list)


def _is_number(value: JsonValue) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _cell(value: JsonValue) -> str:
    """Return a value in one line; an absent one is empty."""
    text = "" if value is None else " ".join(str(value).split())
    return escape(text if len(text) <= MAX_CELL else f"{text[:MAX_CELL]}…")


def _more(shown: int, count: int, language: Language) -> str:
    if shown >= count:
        return ""
    return f"\n\n{count}件中{shown}件" if language == "ja" else f"\n\n{shown} of {count}"


def table_sentence(rows: int, columns: int, language: Language) -> str:
    """Return the size of a table as a sentence."""
    if language == "ja":
        return f"{rows}行{columns}列の表"
    return f"Table with {_count(rows, 'row')} and {_count(columns, 'column')}."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
