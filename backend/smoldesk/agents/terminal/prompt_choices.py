"""Choices in rows of the screen: a menu with a pointer, and a numbered list above a question. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

BORDERS = "│┃║▌▐|"
FRAME = re.compile(r"[\s─━═╌┄╭╮╰╯┌┐└┘├┤╔╗╚╝┏┓┗┛▔▁_\-│┃║]+")
POINTERS = "❯›▸▶➤»"
RADIO_ON, RADIO_OFF = "●◉", "○◯"
POINTED = re.compile(rf"(\s*[{POINTERS}{RADIO_ON}→>]\s+)(\S.*)")
# Pointers that occur in plain text, too: they count while a program waits for keys.
POINTED_BY_KEYS = re.compile(r"(\s*(?:[>*→]|=>)\s+)(\S.*)")
NUMBER = re.compile(r"[\[(]?(\d{1,2})(?:[\]).:]|\s-)\s+\S")
NUMBERS_IN_ROW = re.compile(r"(?:^|\s{2})[\[(]?(\d{1,2})(?:[\]).:]|\s-)\s+\S")
# Box of a choice that can be ticked, empty (group 1) or not.
CHECKBOX = re.compile(r"(?:([○◯☐]|\[ \])|[●◉☑☒]|\[[xX*]\])\s+(?=\S)")
# Row of a dialog box with its buttons: "<  OK  >    <Cancel>".
BUTTONS = re.compile(r"\s*(?:<\s*[^\W\d_][^<>]{0,20}>\s*){1,4}")
# Rows below a menu that explain its keys.
HINT = re.compile(
    r"\b(?:esc|enter|return|tab|arrows?|ctrl|space|shift|navigate|select|confirm|cancel|move|submit|keys?)\b|[↑↓⏎↵]|"
    r"キー|選択|決定|移動|キャンセル",
    re.I,
)
QUESTION = re.compile(
    r"[?:]\s*(?:\([^()]*\)|\[[^\[\]]*\])?\s*(?:[›»…]\s*)?(?:- use arrow.*)?$"
    r"|^\s*[?◆◇]\s|use (?:the )?arrow",
    re.I,
)
# Rows that are searched, and the most choices of a menu.
MAX_ROWS = 40
# Rows above the question of a numbered menu that belong to the prompt: a command to run, a change to approve.
ROWS_OF_CONTEXT = 8


@dataclass(frozen=True)
class Menu:
    """Menu on the screen: `options` from top to bottom, the index `chosen` of the pointer, `rows` with the question first.

    `unticked`: the choices have boxes, and that of the pointer is empty.
    """

    options: tuple[str, ...]
    chosen: int
    rows: tuple[str, ...]
    unticked: bool = False


def unframed(row: str) -> str:
    """Remove a box drawn around a row; "" for a row of frame alone."""
    bare = row.rstrip()
    inner = bare.lstrip()
    if inner[:1] in BORDERS and inner[:1] != "|" and inner[:1]:
        bare = " " + inner[1:]
    if len(bare) > 1 and bare[-1] in BORDERS:
        bare = bare[:-1].rstrip()
    return "" if FRAME.fullmatch(bare) else bare


def menu_of(rows: Sequence[str], by_keys: bool = False) -> Menu | None:
    """Find the menu at the bottom of rows without frames, with hints below it at most.

    `by_keys`: the program waits for keys, so more signs are pointers, and the menu needs no question above it.
    """
    for at in range(len(rows) - 1, -1, -1):
        pointed = POINTED.fullmatch(rows[at]) or (by_keys and POINTED_BY_KEYS.fullmatch(rows[at])) or None
        if pointed:
            return _menu_around(rows, at, pointed, by_keys)
        if rows[at] and not HINT.search(rows[at]) and not rows[at].startswith(("  ", "\t")):
            return None  # text below the pointer that is neither a choice nor a hint
    return None


def _menu_around(rows: Sequence[str], at: int, pointed: re.Match[str], by_keys: bool) -> Menu | None:
    column = len(pointed[1])
    sign = pointed[1].strip()
    if NUMBER.match(pointed[2]):
        block = _numbered_around(rows, at, column)
    elif sign in "→>" and not by_keys:
        return None  # "→" and ">" are too common in plain text to be a pointer
    else:
        block = _plain_around(rows, at, column, sign in RADIO_ON)
    if block is None:
        return None
    first, last, places, options = block
    under = [row for row in rows[last + 1 :] if row]
    if len(under) > 4 or not all(HINT.search(row) for row in under):
        return None
    question = _question_above(rows, first, by_keys)
    if question is None and not by_keys and not NUMBER.match(pointed[2]):
        return None
    begin = first if question is None else question
    if NUMBER.match(pointed[2]):
        begin = max(begin - ROWS_OF_CONTEXT, 0)
    visible_rows = tuple(row for row in rows[begin : last + 1] if row)
    chosen = places.index(at)
    boxes = [CHECKBOX.match(option) for option in options]
    unticked = all(boxes) and (box := boxes[chosen]) is not None and box[1] is not None
    if all(boxes):
        options = [CHECKBOX.sub("", option, count=1) for option in options]
    return Menu(tuple(options), chosen, visible_rows, unticked)


# First and last row, the rows of the choices, the choices.
ChoiceBlock = tuple[int, int, list[int], list[str]]


def _numbered_around(rows: Sequence[str], at: int, column: int) -> ChoiceBlock | None:
    """Find choices "1. ..." in one column; rows between them that are indented further belong to the choice above."""
    numbers: dict[int, int] = {}

    def number(row_at: int) -> int | None:
        text = rows[row_at]
        if row_at != at and text[:column].strip():
            return None
        match = NUMBER.match(text[column:])
        return int(match[1]) if match else None

    first = last = at
    for row_at in range(at, -1, -1):
        if (value := number(row_at)) is not None:
            numbers[row_at] = value
            first = row_at
            if value <= 1:
                break
        elif rows[row_at][:column].strip():
            break
    for row_at in range(at + 1, len(rows)):
        if (value := number(row_at)) is not None:
            numbers[row_at] = value
            last = row_at
        elif rows[row_at][: column + 1].strip() or (rows[row_at] and HINT.search(rows[row_at])):
            break
        elif rows[row_at] and rows[row_at - 1]:
            last = row_at
    places = sorted(numbers)
    values = [numbers[place] for place in places]
    if len(values) < 2 or values != list(range(values[0], values[0] + len(values))):
        return None
    return first, last, places, [str(value) for value in values]


def _plain_around(rows: Sequence[str], at: int, column: int, radio: bool) -> ChoiceBlock | None:
    """Find choices without numbers: adjacent rows in one column; those of a radio list begin with its empty sign."""

    def label(row_at: int) -> str | None:
        row = rows[row_at]
        before, text = row[:column], row[column:]
        if row_at != at and (before.strip() not in tuple(RADIO_OFF) if radio else before.strip()):
            return None
        return text.strip() if text[:1].strip() and len(text) <= 100 else None

    first = last = at
    while first > 0 and label(first - 1) is not None:
        first -= 1
    while last + 1 < len(rows) and label(last + 1) is not None and not _is_hint(rows[last + 1]):
        last += 1
    labels = [label(row_at) or "" for row_at in range(first, last + 1)]
    if not 2 <= len(labels) <= MAX_ROWS or len(set(labels)) < len(labels):
        return None
    return first, last, list(range(first, last + 1)), labels


def _is_hint(row: str) -> bool:
    return row.strip().startswith(("(", "↑", "↓")) and HINT.search(row) is not None


def _question_above(rows: Sequence[str], first: int, any_text: bool) -> int | None:
    for row_at in range(first - 1, max(first - 4, -1), -1):
        if rows[row_at]:
            return row_at if any_text or QUESTION.search(rows[row_at].rstrip()) else None
    return None


def numbered_list(rows: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the numbers of a list 1..n (or 0..n) that ends these rows, and its rows with the line above; empty without one."""
    numbers: list[int] = []
    begin = len(rows)
    blanks = 0
    for at in range(len(rows) - 1, -1, -1):
        row = rows[at]
        row_numbers = (
            [int(number) for number in NUMBERS_IN_ROW.findall(row.strip())]
            if NUMBER.match(row.strip())
            else []
        )
        if row_numbers:
            numbers += row_numbers
            begin = at
            blanks = 0
            if min(numbers) in (0, 1) and sorted(numbers) == list(range(min(numbers), max(numbers) + 1)):
                above = NUMBER.match(rows[at - 1].strip()) if at and rows[at - 1].strip() else None
                if above is None:
                    break
        elif not row.strip():
            blanks += 1
            if blanks > 1:
                break
        elif not numbers or not row.startswith("   "):
            break
    ordered = sorted(numbers)
    if (
        len(ordered) < 2
        or ordered[0] not in (0, 1)
        or ordered != list(range(ordered[0], ordered[0] + len(ordered)))
    ):
        return [], []
    over = begin - 1 if begin and rows[begin - 1].strip() else begin
    return [str(number) for number in ordered], [row for row in rows[over:] if row.strip()]
