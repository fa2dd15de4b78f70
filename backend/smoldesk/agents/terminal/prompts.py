"""Detects on the rendered screen whether a program waits for input, and for which. Pure.

`PromptDetector` inspects one screen; `idle` decides whether the prompt stood long enough and is new since the last answer.
Never raises; the work is bounded whatever the screen holds.

To teach it a prompt, add its shape to `prompt_patterns`, `prompt_marks` or `prompt_choices`, a rule to `prompt_rules` if
needed, and lines to the tables of its test: real prompts, and text that only looks like them.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace

from smoldesk.agents.terminal import prompt_patterns as patterns
from smoldesk.agents.terminal.prompt_choices import (
    BUTTONS,
    MAX_ROWS,
    menu_of,
    numbered_list,
    unframed,
)
from smoldesk.agents.terminal.prompt_marks import bracket_of, choices_of
from smoldesk.agents.terminal.prompt_rules import (
    LONGEST_PROMPT,
    InputPrompt,
    any_prompt,
    input_field,
    is_ready,
    joined,
    match_prompt,
    rows_above,
    waiting_screen,
    with_placeholder,
)
from smoldesk.agents.terminal.terminal_profiles import InputDetection, PromptPattern

__all__ = ["InputPrompt", "PromptDetector", "is_ready", "tidy", "waiting_screen"]


class PromptDetector:
    """Prompt detector for one profile."""

    def __init__(self, rules: InputDetection | None = None) -> None:
        rules = rules or InputDetection()
        self._enabled = rules.enabled
        self._profile_patterns = [
            (re.compile(prompt_pattern.pattern, re.I), prompt_pattern)
            for prompt_pattern in rules.additional_patterns
        ]

    def detect(
        self,
        lines: Sequence[str],
        last_line: str,
        cursor_at_end: bool,
        hidden: bool = False,
        waits: bool = False,
        by_keys: bool = False,
    ) -> InputPrompt | None:
        """Return the prompt on the screen, or None.

        `lines` are the screen's rows, `last_line` the one with the cursor, which must be behind its text (menus hide the cursor
        and are found anyway). `hidden`: the program turned its echo off, so the input is secret. `waits`: it waits for
        input, so more lines are prompts. `by_keys`: it waits for single keys.
        """
        if not self._enabled:
            return None
        rows = [unframed(tidy(row)) for row in lines[-MAX_ROWS:]]
        while rows and not rows[-1]:
            rows.pop()
        prompt = self._detect(rows, last_line, cursor_at_end, hidden, waits, by_keys)
        if prompt is None:
            return None
        original_rows = {
            unframed(tidy(row)).strip(): unframed(printable(row)).strip()
            for row in (*lines[-MAX_ROWS:], last_line)
        }
        return replace(prompt, prompt=_original_text(prompt.prompt, original_rows))

    def _detect(
        self,
        rows: Sequence[str],
        last_line: str,
        cursor_at_end: bool,
        hidden: bool,
        waits: bool,
        by_keys: bool,
    ) -> InputPrompt | None:
        plain = tidy(last_line)
        line = unframed(plain).strip()
        # inside a box, its border comes after the cursor
        at_end = cursor_at_end or len(line) < len(plain.strip())
        if at_end and line and (profile_prompt := self._match_profile_prompt(rows, line)):
            return profile_prompt
        if menu := menu_of(rows, by_keys):
            moves = {option: at - menu.chosen for at, option in enumerate(menu.options)}
            text = "\n".join(menu.rows)[:LONGEST_PROMPT]
            # no default: typing the pointed-at option on expiry would approve something unasked
            return InputPrompt(text, "selection", menu.options, None, moves, unticked=menu.unticked)
        if not line:
            return input_field(rows, last_line) if by_keys and at_end and len(last_line) > 1 else None
        if by_keys and BUTTONS.fullmatch(line):
            return _dialog_box(rows, line)
        prompt = (match_prompt(rows, line) if at_end else None) or with_placeholder(line)
        if prompt is None and at_end:
            prompt = (by_keys and input_field(rows, plain)) or (waits and any_prompt(line)) or None
        if hidden and at_end and (prompt is None or prompt.input_type != "password"):
            prompt = InputPrompt(line, "password")
        return prompt

    def _match_profile_prompt(self, rows: Sequence[str], line: str) -> InputPrompt | None:
        for pattern, prompt_pattern in self._profile_patterns:
            # a rendered row has no blanks at its end
            match = pattern.search(line) or pattern.search(line + " ")
            # text behind it that does not end like a prompt is an answer
            if match and (not (after := line[match.end() :].strip()) or after[-1] in ":?>)]}.…：？"):
                return _profile_prompt(prompt_pattern, rows, line)
        return None


def _dialog_box(rows: Sequence[str], buttons: str) -> InputPrompt:
    """Return the question of a dialog box, whose buttons react to their first letters."""
    text = joined([row for row in (unframed(row) for row in rows) if row.strip()])
    names = re.findall(r"\w+", buttons.lower())
    if names[:2] == ["yes", "no"]:
        return InputPrompt(text, "confirmation", ("y", "n"), by_key=True)
    return InputPrompt(text, "text")


def tidy(line: str) -> str:
    """Return the end of a row as the rules read it: ASCII for full-width signs, blanks for unprintable characters."""
    return printable(unicodedata.normalize("NFKC", line[-patterns.LONGEST :])[-patterns.LONGEST :])


def printable(line: str) -> str:
    """Return the end of a row with blanks for unprintable characters."""
    return "".join(letter if letter.isprintable() else " " for letter in line[-patterns.LONGEST :]).rstrip()


def _original_text(prompt: str, original_rows: Mapping[str, str]) -> str:
    """Return the prompt's rows as the program wrote them, not in the normalized form of the rules."""
    rows = prompt.split("\n")
    indent = [len(row) - len(row.lstrip()) for row in rows]
    least = min(indent)
    original_lines = [
        " " * (by - least) + original_rows.get(row.strip(), row.strip())
        for by, row in zip(indent, rows, strict=True)
    ]
    return "\n".join(original_lines)[-LONGEST_PROMPT:]


def _profile_prompt(pattern: PromptPattern, rows: Sequence[str], line: str) -> InputPrompt:
    options, default, text = pattern.options or (), pattern.default, line
    bracket = bracket_of(line)
    choices = choices_of(bracket.inside) if bracket else None
    if pattern.type in ("confirmation", "selection") and not options:
        if choices:
            options, default = choices.options, default or choices.default
        elif pattern.type == "selection":
            numbers, list_rows = numbered_list(rows_above(rows, line))
            options, text = tuple(numbers), "\n".join([*list_rows, line])
        else:
            options = ("y", "n")
    if pattern.type == "selection" and not options:  # no choices are visible: accept any text
        return InputPrompt(text[:LONGEST_PROMPT], "text", (), default, from_profile=True)
    return InputPrompt(text[:LONGEST_PROMPT], pattern.type, options, default, from_profile=True)
