"""What is typed for an answer to an ask, and what when there is none. Pure.

A denial never says yes: to a question it is a no, where a no can be typed; else the program is interrupted. Expiry types
the default that the program itself announced, when its profile wants that.
"""

from dataclasses import dataclass
from typing import Literal

from smoldesk.agents.terminal.keys import clean
from smoldesk.agents.terminal.prompt_patterns import NO, YES
from smoldesk.agents.terminal.prompts import InputPrompt
from smoldesk.store.asks import Answer


@dataclass(frozen=True)
class Type:
    """One line to type; Enter alone when it is empty."""

    value: str
    secret: bool = False


@dataclass(frozen=True)
class Press:
    """Keys to press, and no Enter."""

    keys: str


@dataclass(frozen=True)
class Pick:
    """A choice of a menu, to be gone to with the arrow keys."""

    option: str


@dataclass(frozen=True)
class Interrupt:
    """Nothing can be typed; `fails` says that the run ends with it."""

    fails: bool


Reply = Type | Press | Pick | Interrupt


def reply_to(prompt: InputPrompt, answer: Answer, on_expiry: Literal["default", "interrupt"]) -> Reply:
    """What to do about a prompt that was answered, denied, or left alone for too long."""
    if answer.granted:
        return _granted(prompt, answer)
    if answer.by == "expiry":
        if on_expiry == "default" and prompt.default is not None:
            return _typed(prompt, prompt.default)
        return Interrupt(fails=True)
    return _refused(prompt)


def _granted(prompt: InputPrompt, answer: Answer) -> Reply:
    value = answer.value
    if isinstance(value, str):
        return _typed(prompt, value)
    return _typed(prompt, _matching_option(prompt, YES) or (prompt.options[0] if prompt.options else ""))


def _refused(prompt: InputPrompt) -> Reply:
    no = _matching_option(prompt, NO) if prompt.input_type == "confirmation" else None
    if no is None and prompt.default is not None:
        harmless = (
            prompt.default.lower() in NO if prompt.options else prompt.input_type in ("text", "password")
        )
        no = prompt.default if harmless else None
    return Interrupt(fails=False) if no is None else _typed(prompt, no)


def _matching_option(prompt: InputPrompt, replies: frozenset[str]) -> str | None:
    return next((option for option in prompt.options if option.lower() in replies), None)


def _typed(prompt: InputPrompt, value: str) -> Reply:
    if value in prompt.moves:
        return Pick(value)
    if prompt.by_key and (keys := clean(value)):
        return Press(keys)
    return Type(value, secret=prompt.input_type == "password")
