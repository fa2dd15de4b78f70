"""Input for an answer to a program's question, or for a missing one. Pure.

A denial never confirms: it types a no where the prompt allows one, else interrupts the program. Expiry types the default
that the program announced, if its profile says so.
"""

from dataclasses import dataclass
from typing import Literal

from smoldesk.agents.terminal.keys import clean
from smoldesk.agents.terminal.prompt_patterns import NO, YES
from smoldesk.agents.terminal.prompts import InputPrompt
from smoldesk.store.asks import Answer


@dataclass(frozen=True)
class Type:
    """A line to type; Enter alone when it is empty. `erases`: the input field holds a text that it replaces."""

    value: str
    secret: bool = False
    erases: bool = False


@dataclass(frozen=True)
class Press:
    """Keys to press without Enter."""

    keys: str


@dataclass(frozen=True)
class Pick:
    """Option of a menu to move to with the arrow keys."""

    option: str


@dataclass(frozen=True)
class Interrupt:
    """Interrupt, because nothing can be typed; with `fails` the run fails, too."""

    fails: bool


Reply = Type | Press | Pick | Interrupt


def reply_to(prompt: InputPrompt, answer: Answer, on_expiry: Literal["default", "interrupt"]) -> Reply:
    """Return the reaction to a prompt that was answered, denied, or not answered in time."""
    if answer.granted:
        return _granted(prompt, answer)
    if answer.by == "expiry":
        if on_expiry == "default" and prompt.default is not None:
            return _reply_with(prompt, prompt.default)
        return Interrupt(fails=True)
    return _refused(prompt)


def _granted(prompt: InputPrompt, answer: Answer) -> Reply:
    value = answer.value
    if isinstance(value, str):
        return _reply_with(prompt, value)
    return _reply_with(prompt, _matching_option(prompt, YES) or (prompt.options[0] if prompt.options else ""))


def _refused(prompt: InputPrompt) -> Reply:
    no = _matching_option(prompt, NO) if prompt.input_type == "confirmation" else None
    if no is None and prompt.default is not None:
        harmless = (
            prompt.default.lower() in NO if prompt.options else prompt.input_type in ("text", "password")
        )
        no = prompt.default if harmless else None
    return Interrupt(fails=False) if no is None else _reply_with(prompt, no)


def _matching_option(prompt: InputPrompt, replies: frozenset[str]) -> str | None:
    return next((option for option in prompt.options if option.lower() in replies), None)


def _reply_with(prompt: InputPrompt, value: str) -> Reply:
    if value in prompt.moves:
        return Pick(value)
    if prompt.by_key and (keys := clean(value)):
        return Press(keys)
    if prompt.filled and value in ("", prompt.default):
        return Type("")
    return Type(value, secret=prompt.input_type == "password", erases=prompt.filled)
