"""Observations: the model's view of output. Code gives its prints and its value or error; long drawings are cut."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from smolagents.local_python_executor import CodeOutput
from smolagents.utils import truncate_content

INTERPRETER = "python_interpreter"


@dataclass(frozen=True)
class CodeRan:
    """Result of code that ran to its end. Its `str` is the observation, cut to the model's limit.

    `output` is the value of the last expression, or the argument of `final_answer`.
    """

    output: Any
    is_final_answer: bool
    observation: str

    def __str__(self) -> str:
        return self.observation


class CodeFaulted(Exception):
    """Code that failed. Its `str` is the error alone; `observation` has the prints before it as well."""

    def __init__(self, error: str, printed: str = "") -> None:
        super().__init__(error)
        self.observation = f"Execution logs:\n{printed}\nError: {error}" if printed else f"Error: {error}"


def code_result(done: CodeOutput, clean_text: Callable[[str], str]) -> CodeRan:
    """Return the result of a cell, in smolagents' own format, which models know; `clean_text` removes images."""
    value = truncate_content(clean_text(str(done.output)))
    observation = f"Execution logs:\n{done.logs}Last output from code snippet:\n{value}"
    return CodeRan(done.output, done.is_final_answer, observation)


# Characters of a drawing command in an observation; the command of a route is shorter and stays complete.
LONGEST = 8_000
_LONG = re.compile(rf"(?<![A-Za-z0-9_])(MAP_(?:FRAMES_)?COMMAND: )(\{{[^\n]{{{LONGEST},}})")


def without_long_commands(text: str) -> str:
    """Replace every long `MAP_COMMAND: {json}` by a note of its length."""
    return _LONG.sub(lambda match: f"{match[1]}{{… {len(match[2]):,} characters, drawn on the map}}", text)
