"""Rules that classify one line as a prompt, with the rows above as context; the most certain rules come first. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Literal

from smoldesk.agents.terminal import prompt_patterns as patterns
from smoldesk.agents.terminal.prompt_choices import numbered_list
from smoldesk.agents.terminal.prompt_marks import (
    Bracket,
    Choices,
    attached_of,
    bracket_of,
    choices_of,
    default_of,
    has_default,
)

InputType = Literal["confirmation", "selection", "text", "password"]
# Characters of a prompt that a person is shown.
LONGEST_PROMPT = 2_000
# Rows of the screen that are shown for a program whose prompt is not recognised.
ROWS_OF_SCREEN = 16


@dataclass(frozen=True)
class InputPrompt:
    """A program's question. `options` and `default` are the texts to type.

    `moves` is for menus: the distance of each option from the pointer, in rows, negative for up. The pointer is moved and
    Enter pressed, after the space bar if the option has a box that is `unticked`; nothing is typed. `by_key`: one key is
    enough, without Enter. `filled`: the input field holds the default, which another answer replaces. `from_profile`: a
    pattern of the profile matched.
    """

    prompt: str
    input_type: InputType
    options: tuple[str, ...] = ()
    default: str | None = None
    moves: Mapping[str, int] = field(default_factory=dict[str, int])
    unticked: bool = False
    by_key: bool = False
    filled: bool = False
    from_profile: bool = False


def match_prompt(rows: Sequence[str], line: str) -> InputPrompt | None:
    """Return the prompt in the line before the cursor, by the first rule that matches."""
    counter = patterns.COUNTER.match(line)
    if counter is None:
        return _match_line(rows, line)
    question = line[counter.end() :]
    prompt = _match_line(rows, question)
    if prompt is None or (prompt.input_type == "text" and prompt.default is None):
        prompt = _named_value(question) or prompt
    return prompt and replace(prompt, prompt=prompt.prompt.removesuffix(question) + line)


def is_ready(line: str) -> bool:
    """Return whether a line is the prompt of an interpreter: the program is ready for input, and asks nothing."""
    return patterns.READY.fullmatch(" ".join(line.split())) is not None


def any_prompt(line: str) -> InputPrompt | None:
    """Return a line that ends like a prompt as a question, whatever its words: the program waits for input behind it."""
    if line[-1] not in ":?)]}=" or is_ready(line):
        return None
    bracket = bracket_of(line)
    return InputPrompt(
        line, "text", (), default_of(bracket.inside) if bracket and ":" in bracket.end else None
    )


def input_field(rows: Sequence[str], row: str) -> InputPrompt | None:
    """Match the input field of a program that waits for keys: "? Name: demo", or a row below such a question."""
    line = row.strip()
    if field := patterns.FIELD.fullmatch(line):
        value = (field[2] or "").strip()
        question = line.removesuffix(value).rstrip()
        return InputPrompt(question, "text", (), value or None, filled=bool(value))
    above = rows_above(rows, line)
    if not above or not patterns.ABOVE_FIELD.fullmatch(above[-1]) or row[:2].strip() or is_ready(line):
        return None
    return InputPrompt(above[-1].strip(), "text", (), line or None, filled=bool(line))


def waiting_screen(lines: Sequence[str], last_line: str, name: str) -> InputPrompt:
    """Return the rows around the cursor as a question, for a program `name` that waits without a recognisable prompt."""
    rows = [row.rstrip() for row in lines if row.strip()]
    rows = [row for before, row in pairwise(["", *rows]) if row != before]
    cursor = rows.index(last_line.rstrip()) if last_line.rstrip() in rows else len(rows)
    begin = max(0, min(cursor - ROWS_OF_SCREEN // 2, len(rows) - ROWS_OF_SCREEN))
    return InputPrompt(joined(rows[begin : begin + ROWS_OF_SCREEN]) or name, "text")


def _match_line(rows: Sequence[str], line: str) -> InputPrompt | None:
    if patterns.PAGER.fullmatch(line):
        return InputPrompt(line, "text", (), "q", by_key=True)
    if patterns.PRESS_KEY.search(line) or patterns.PRESS_KEY_JAPANESE.search(line):
        return InputPrompt(line, "confirmation", (), "")
    sentence = patterns.SENTENCE.split(line)[-1] or line
    bracket = bracket_of(line)
    return (
        (_with_choices(rows, line, sentence, bracket) if bracket else None)
        or (_choices_and_default(rows, line, bracket) if bracket else None)
        or _secret(line)
        or _lettered(line)
        or _chosen_by_number(rows, line)
        or _bare_yes_no(line)
        or (_with_default(rows, line, bracket) if bracket else None)
        or _prompt_without_brackets(line, sentence)
    )


def _with_choices(rows: Sequence[str], line: str, sentence: str, bracket: Bracket) -> InputPrompt | None:
    """Match choices in the bracket at the end: "(y/n)", "[1/2/3]", "(1-4)"."""
    choices = choices_of(bracket.inside)
    if choices is None:
        return None
    if choices.yes_no:
        text = line if bracket.head else joined([*rows_above(rows, line)[-1:], line]).strip()
        return InputPrompt(text, "confirmation", choices.options, choices.default)
    head = patterns.SENTENCE.split(bracket.head)[-1]
    is_question = "?" in bracket.head + bracket.end or patterns.CHOOSE.search(sentence) is not None
    is_question = is_question or (not bracket.head and len(choices.options) > 2)
    if not is_question and (
        ":" not in bracket.end + head[-1:] or not _may_ask(head) or _is_progress(choices)
    ):
        return None
    _, list_rows = numbered_list(rows_above(rows, line))
    return InputPrompt(joined([*list_rows, line]), "selection", choices.options, choices.default)


def _choices_and_default(rows: Sequence[str], line: str, bracket: Bracket) -> InputPrompt | None:
    """Match choices and the default in a bracket of its own: "use_docker [y/n] (y):"."""
    before = bracket_of(bracket.head)
    choices = choices_of(before.inside) if before else None
    default = default_of(bracket.inside)
    if choices is None or default not in choices.options:
        return None
    if choices.yes_no:
        return InputPrompt(line, "confirmation", choices.options, default)
    _, list_rows = numbered_list(rows_above(rows, line))
    return InputPrompt(joined([*list_rows, line]), "selection", choices.options, default)


def _is_progress(choices: Choices) -> bool:
    """Return whether choices look like a counter, "[1/2]" or "(3, 4)", rather than a list to choose from."""
    numbers = choices.options
    return all(number.isdigit() for number in numbers) and (len(numbers) < 3 or numbers[0] not in "01")


def _secret(line: str) -> InputPrompt | None:
    matches = list(patterns.SECRET.finditer(line))
    if not matches or patterns.LOG_LEVEL.match(line):
        return None
    for match in (matches[-1], matches[0]):  # "Password for token:" has two such words
        after = line[match.end() :]
        asks = after.rstrip()[-1:] in (":", ">") and patterns.AFTER_SECRET.fullmatch(after)
        if asks or patterns.JAPANESE_SECRET_REQUEST.fullmatch(after):
            return InputPrompt(line, "password")
    return None


def _lettered(line: str) -> InputPrompt | None:
    """Match "[y]es, [n]o, [A]ll:"."""
    if line[-1] not in ":?" or patterns.LOG_LEVEL.match(line):
        return None
    choices = attached_of(line)
    return InputPrompt(line, "selection", choices.options) if choices else None


def _chosen_by_number(rows: Sequence[str], line: str) -> InputPrompt | None:
    """Match a line that asks for one of the numbers listed above it."""
    if not patterns.CHOOSE.search(line) or not re.search(r"[:?>\])]\s*$|ください|下さい", line):
        return None
    numbers, list_rows = numbered_list(rows_above(rows, line))
    if not numbers:
        return InputPrompt(line, "text") if line.startswith("#?") else None
    bracket = bracket_of(line)
    default = default_of(bracket.inside) if bracket else None
    return InputPrompt(
        joined([*list_rows, line]), "selection", tuple(numbers), default if default in numbers else None
    )


def _bare_yes_no(line: str) -> InputPrompt | None:
    """Match "Continue? yes/no:" and "y/n?"."""
    match = re.search(r"(?:^|[\s?])(yes/no|y/n|はい/いいえ)\s*[:?]$", line, re.I)
    if match is None:
        return None
    choices = choices_of(match[1])
    return InputPrompt(line, "confirmation", choices.options, choices.default) if choices else None


def _with_default(rows: Sequence[str], line: str, bracket: Bracket) -> InputPrompt | None:
    """Match a default in the bracket: "Port [8080]:", "Is this OK? (yes)", "version: (1.0.0)"."""
    head, inside = bracket.head.rstrip(), bracket.inside
    default = default_of(inside)
    if default.lower() in patterns.YES | patterns.NO:
        above = rows_above(rows, line)
        question = head or (above[-1].strip() if above else "")
        if question.endswith("?"):
            short = len(default) == 1
            options = ("y", "n") if short else ("yes", "no")
            text = line if head else f"{question}\n{line}"
            return InputPrompt(text, "confirmation", options, default.lower())
    if bracket.sign == "<" or not _may_ask(head) or not (":" in bracket.end or head[-1:] in ":?"):
        return None
    label = re.sub(r"\([^()]*\)", "", head).rstrip(":? ")
    named = (
        _is_noun(label)
        or patterns.ASKS_FOR.match(label + ":") is not None
        or patterns.OPEN.match(head) is not None
    )
    if has_default(inside):
        return InputPrompt(line, "text", (), default)
    if bracket.sign == "[" or head[-1:] in ":?":
        value = " " not in inside or "/" in inside or named
        return (
            InputPrompt(line, "text", (), default)
            if value and not re.search(r"[#=]{2}|\d%", inside)
            else None
        )
    if not named:
        return _named_value(line) if patterns.IDENTIFIER.fullmatch(label) else None
    # round brackets after a name hold a default if it looks like a value, else a remark such as "(optional)"
    is_value = re.search(r"[./\\@_\d-]", inside) is not None and " " not in inside
    return InputPrompt(line, "text", (), default if is_value else None)


def _named_value(line: str) -> InputPrompt | None:
    """Match a name and its default, "slug (myproj):", whatever the words are."""
    bracket = bracket_of(line)
    if bracket is None or ":" not in bracket.end or not bracket.inside or not _may_ask(bracket.head):
        return None
    remark = re.search(r"\d\s*/\s*\d|\d\s*%|^(?:optional|required|e\.?g)\b", bracket.inside, re.I)
    return None if remark else InputPrompt(line, "text", (), default_of(bracket.inside))


def _prompt_without_brackets(line: str, sentence: str) -> InputPrompt | None:
    """Match a question, a request, or a name with a colon."""
    if patterns.LOG_LEVEL.match(line):
        return None
    after_name = re.sub(r"^[\w./-]{1,20}: (?=\w)", "", sentence)  # rm: remove regular file 'a'?
    for text in dict.fromkeys((sentence, after_name)):
        if patterns.POLAR.fullmatch(text):
            either = re.search(r"\bor\b", text) and not re.search(r"\bor not\b", text)
            return InputPrompt(line, "text") if either else InputPrompt(line, "confirmation", ("y", "n"))
        if patterns.OPEN.fullmatch(text):
            return InputPrompt(line, "text")
    if patterns.POLAR_JAPANESE.search(sentence):
        if patterns.OPEN_JAPANESE.search(sentence):
            return InputPrompt(line, "text")
        return InputPrompt(line, "confirmation", ("y", "n"))
    if patterns.ASKS_FOR_JAPANESE.search(sentence) or patterns.ASKS_FOR.fullmatch(sentence):
        return InputPrompt(line, "text")
    if line[-1] in ":?" and (_is_noun(line[:-1]) or patterns.FOR_SOMETHING.fullmatch(line)):
        return InputPrompt(line, "text")
    return InputPrompt(line, "text") if re.search(r"は\?$", line) else None


def with_placeholder(line: str) -> InputPrompt | None:
    """Match "? Project name: › my-app", where the text after the sign is the default."""
    match = re.fullmatch(r"\?\s+(.{1,200}?[:?]?)\s+[›»]\s*(.{0,200})", line)
    if match is None:
        return None
    bracket = bracket_of(match[2]) if match[2] else None
    choices = choices_of(bracket.inside) if bracket and not bracket.head else None
    if choices and choices.yes_no:
        return InputPrompt(line, "confirmation", choices.options, choices.default)
    if patterns.SECRET.search(match[1]):
        return InputPrompt(line, "password")
    return InputPrompt(line, "text", (), match[2].strip() or None)


def _may_ask(head: str) -> bool:
    """Return whether the text before a bracket has words and is not a log line."""
    return (
        re.search(r"[^\W\d_]", head) is not None and len(head) <= 200 and not patterns.LOG_LEVEL.match(head)
    )


def _is_noun(label: str) -> bool:
    """Match "Name", "Your e-mail address", "メールアドレス": a few words that end with a known noun."""
    label = label.strip("?*-> \t")
    parts = label.split()
    if not 1 <= len(parts) <= 5 or not re.fullmatch(r"[\w'’ -]+", label):
        return False
    return parts[-1].lower() in patterns.NOUNS or " ".join(parts[-2:]).lower() in patterns.NOUN_PAIRS


def rows_above(rows: Sequence[str], line: str) -> list[str]:
    """Return the rows above the last one."""
    above = list(rows)
    if above and above[-1].strip() == line:
        above.pop()
    return above


def joined(rows: Sequence[str]) -> str:
    """Join rows to one text, cut to its last LONGEST_PROMPT characters."""
    return "\n".join(rows)[-LONGEST_PROMPT:]
