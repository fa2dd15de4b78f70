"""What a tool-calling agent's model reads of the code it had run: as a CodeAgent's model does, prints and value or error."""

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


def ran(done: CodeOutput, told: Callable[[str], str]) -> CodeRan:
    """The words are smolagents' own for a CodeAgent, so that models know them; `told` takes images out of texts."""
    value = truncate_content(told(str(done.output)))
    observation = f"Execution logs:\n{done.logs}Last output from code snippet:\n{value}"
    return CodeRan(done.output, done.is_final_answer, observation)
