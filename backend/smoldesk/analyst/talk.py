"""Reader of the messages that smolagents sends: the requests, the rooms selected with each, and the results of the last one."""

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from smolagents.models import ChatMessage, MessageRole

from smoldesk.analyst.language import Language, render
from smoldesk.analyst.schedule_phrases import without_schedule

_TASK = "New task:\n"
_OBSERVATION = "Observation:\n"
_SELECTED = "the person selected these rooms: "
# What smoldesk puts before a request for models: agents/chat_outline.py.
_OUTLINE = re.compile(r"\AData of this chat\. .*?\nEnd of the data\. The request:\n\n", re.DOTALL)
# Notes that smoldesk appends to a request for models; the person did not write them.
_NOTES = re.compile(r"(?:\A|\n\n|\n)\(Note: .*\)\Z", re.DOTALL)
_ERROR = re.compile(r"^Error:\n(.*?)(?:\nNow let's retry|\Z)", re.DOTALL | re.MULTILINE)
# Error replies of the map tools; a model that calls tools receives them as observations.
_TOOL_ERROR = re.compile(r"^(?:Observation:\s*)?(?:[a-z_]+: )?Error: (.+)", re.MULTILINE)
# The line of a tool in a system prompt, as agents/wrapper/prompt.py writes it, or smolagents.
_TOOL_IN_PROMPT = re.compile(r"^(?: *def )?([a-z_]\w*)\([^\n]*\)(?: -> \w+)?:", re.MULTILINE)
_READING = "(Note: the reading of this request is "
_ATTACHMENTS = "(Note: files that came with this message, in the working directory: "
# Note of a request whose shown readings were all refused: events.NO_READING.
_NO_READING = "(Note: none of the readings of this request that were shown is meant)"
# Prefix of the choice in the output of an offer's code.
CHOSEN = "Chosen reading: "
_MAX_ERROR = 400
Spot = tuple[str, str]
Messages = Sequence[ChatMessage]


@dataclass(frozen=True)
class UserTurn:
    """One request without its notes, and the rooms that were selected with it."""

    text: str
    selected: tuple[Spot, ...] = ()
    # Sentence of the offered interpretation that the person chose.
    chosen: str = ""
    # True if the person wants none of the shown interpretations.
    refused: bool = False
    # Query as JSON if the person corrected it; the text is then ignored.
    reading: object = None
    # Names of the files that came with it.
    attachments: tuple[str, ...] = ()


def talk_of(
    messages: Messages, rooms: Mapping[str, Sequence[str]]
) -> tuple[list[UserTurn], list[ChatMessage]]:
    """Return the requests of a conversation, oldest first, and the messages after the last one."""
    tasks: list[str] = []
    chosen: dict[int, str] = {}
    since: list[ChatMessage] = []
    for message in messages:
        text = text_of(message)
        if message.role == MessageRole.USER and text.startswith(_TASK):
            tasks.append(text[len(_TASK) :])
            since = []
        elif tasks:
            since.append(message)
            if message.role == MessageRole.TOOL_RESPONSE and (sentence := _chosen_in(text)):
                chosen[len(tasks) - 1] = sentence
    if not tasks:  # a bare message list without smolagents' task prefix
        tasks = [text_of(message) for message in messages if message.role == MessageRole.USER]
    return [_turn(task, chosen.get(number, ""), rooms) for number, task in enumerate(tasks)], since


def _turn(task: str, chosen: str, rooms: Mapping[str, Sequence[str]]) -> UserTurn:
    text, refused = without_schedule(_NOTES.sub("", _OUTLINE.sub("", task))), _NO_READING in task.splitlines()
    return UserTurn(text, selected_in(task, rooms), chosen, refused, reading_in(task), attachments_in(task))


def text_of(message: ChatMessage) -> str:
    """Return the text of a message."""
    content = message.content
    if isinstance(content, str):
        return content
    return "\n".join(str(part["text"]) for part in content or [] if part.get("type") == "text")


def tools_in(messages: Messages, to_call: Sequence[Any] | None) -> frozenset[str]:
    """Return the agent's tools: those it may call, or the functions that its system prompt declares."""
    if to_call:
        return frozenset(str(tool.name) for tool in to_call)
    prompts = [text_of(message) for message in messages if message.role == MessageRole.SYSTEM]
    return frozenset(name for prompt in prompts for name in _TOOL_IN_PROMPT.findall(prompt))


def observed(since: Messages) -> str:
    """Return the tools' results since the request; empty if the step failed."""
    texts = [text_of(message) for message in since if message.role == MessageRole.TOOL_RESPONSE]
    return "\n".join(text.removeprefix(_OBSERVATION) for text in texts if text.startswith(_OBSERVATION))


def has_chosen(since: Messages) -> bool:
    """Return whether the last response since the request is a choice of the person."""
    answers = [text_of(message) for message in since if message.role == MessageRole.TOOL_RESPONSE]
    return bool(answers) and bool(_chosen_in(answers[-1]))


def _chosen_in(text: str) -> str:
    lines = (line.removeprefix(CHOSEN).strip() for line in text.splitlines() if line.startswith(CHOSEN))
    return next(lines, "")


def error_in(since: Messages) -> str:
    """Return the last error that an agent reported since the request, without its advice to retry."""
    for message in reversed(since):
        if message.role != MessageRole.TOOL_RESPONSE:
            continue
        if error := error_observed(text_of(message)):
            return error.strip()[:_MAX_ERROR]
        if match := _ERROR.search(text_of(message)) or _TOOL_ERROR.search(text_of(message)):
            return match.group(1).strip()[:_MAX_ERROR]
    return ""


def reading_in(task: str) -> object:
    """Return the query of a task's note as JSON data; None without one."""
    queries = _noted(task, _READING)
    try:
        return json.loads(queries[-1]) if queries else None
    except ValueError:
        return {}


def attachments_in(task: str) -> tuple[str, ...]:
    """Return the names of the files that came with a task, from its note."""
    with suppress(ValueError):
        for names in _noted(task, _ATTACHMENTS)[:1]:
            return tuple(name for name in json.loads(names) if isinstance(name, str))
    return ()


def _noted(task: str, start: str) -> list[str]:
    """Return the data of the notes of a task that start with a text."""
    lines = (line for line in task.splitlines() if line.startswith(start) and line.endswith(")"))
    return [line[len(start) : -1] for line in lines]


def selected_in(note: str, rooms: Mapping[str, Sequence[str]]) -> tuple[Spot, ...]:
    """Return the rooms listed in a note, as floor and name; names may contain commas and brackets."""
    at = note.find(_SELECTED)
    if at < 0:
        return ()
    spots = {f"{name} ({floor})": (floor, name) for floor, names in rooms.items() for name in names}
    at += len(_SELECTED)
    selected: list[Spot] = []
    while fitting := [spot for spot in spots if note.startswith((f"{spot},", f"{spot})"), at)]:
        # "Room 1, annex" also starts with "Room 1": the longest label wins.
        label = max(fitting, key=len)
        selected.append(spots[label])
        at += len(label)
        if not note.startswith(", ", at):
            break
        at += 2
    return tuple(selected)


# --- the analyst as an agent that calls tools: its code goes to `python_interpreter` ---------------------------------------

INTERPRETER = "python_interpreter"

_VALUE = "Last output from code snippet:\n"
_FAILED = re.compile(rf"^(?:Observation:\s*)?{INTERPRETER}: (?:.*\n)?Error: (.+)\Z", re.MULTILINE | re.DOTALL)


def answer_observed(observation: str, language: Language) -> str:
    """Return the answer of the code from its observation; without one, refer to the output above."""
    _, marked, value = observation.rpartition(_VALUE)
    if marked and value.strip() not in ("", "None"):
        return value.strip()
    return render("output_above", language)


def error_observed(observation: str) -> str:
    """Return the complete error text of failed code; empty if it did not fail."""
    match = None if _VALUE in observation else _FAILED.search(observation)
    return match.group(1) if match else ""
