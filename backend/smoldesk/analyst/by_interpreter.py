"""The analyst as an agent that calls tools: the code it would write for a CodeAgent goes to `python_interpreter`.

Where an answer inside the code ends the run, as on the desk, that is all. Elsewhere the answer is read from what was
observed and given with `final_answer`.
"""

import re

from smoldesk.analyst.building.intents import ToolCall
from smoldesk.analyst.language import Language, told

INTERPRETER = "python_interpreter"

_VALUE = "Last output from code snippet:\n"
_FAILED = re.compile(rf"^(?:Observation:\s*)?{INTERPRETER}: (?:.*\n)?Error: (.+)\Z", re.MULTILINE | re.DOTALL)


def interpreter_call(code: str) -> ToolCall:
    """The call that runs code."""
    return ToolCall(INTERPRETER, (("code", code),))


def answer_observed(observation: str, language: Language) -> str:
    """The answer that code gave, by the observation of its call; when it gave none, that its output is there to see."""
    _, marked, value = observation.rpartition(_VALUE)
    if marked and value.strip() not in ("", "None"):
        return value.strip()
    return told("output_above", language)


def error_observed(observation: str) -> str:
    """Why the code failed, in all lines it was told in; empty when it did not."""
    found = None if _VALUE in observation else _FAILED.search(observation)
    return found.group(1) if found else ""
