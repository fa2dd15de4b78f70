"""What a model reads of what ran: of code its prints and value or error, of a long drawing only that it was drawn."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from smolagents.local_python_executor import CodeOutput
from smolagents.utils import truncate_content

INTERPRETER = "python_interpreter"


@dataclass(frozen=True)
class CodeRan:
    """Code that ran to its end. `str` of it is the observation, already cut to what a model should read.

    `output` is the value of the last expression, or what the code gave `final_answer`.
    """

    output: Any
    is_final_answer: bool
    observation: str

    def __str__(self) -> str:
        return self.observation


class CodeFaulted(Exception):
    """Code that failed. `str` of it is the error alone; `observation` begins with what was printed before."""

    def __init__(self, error: str, printed: str = "") -> None:
        super().__init__(error)
        self.observation = f"Execution logs:\n{printed}\nError: {error}" if printed else f"Error: {error}"


def ran(done: CodeOutput, clean_text: Callable[[str], str]) -> CodeRan:
    """The words are smolagents' own for a CodeAgent, so that models know them; `told` takes images out of texts."""
    value = truncate_content(clean_text(str(done.output)))
    observation = f"Execution logs:\n{done.logs}Last output from code snippet:\n{value}"
    return CodeRan(done.output, done.is_final_answer, observation)


# Characters of a drawing that a model is told; a route stays whole.
LONGEST = 8_000
_LONG = re.compile(rf"(?<![A-Za-z0-9_])(MAP_(?:FRAMES_)?COMMAND: )(\{{[^\n]{{{LONGEST},}})")


def without_long_commands(text: str) -> str:
    """The text with every long `MAP_COMMAND: {json}` cut to a remark of how long it is."""
    return _LONG.sub(lambda match: f"{match[1]}{{… {len(match[2]):,} characters, drawn on the map}}", text)
