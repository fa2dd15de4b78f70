"""Requests of a server during a call, as asks of the desk: questions (elicitation), and text of the chat's model
(sampling).
"""

import math
import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, cast

from pydantic import JsonValue

from smoldesk.errors import DeskError
from smoldesk.events import Ask
from smoldesk.stopping import StopFlag
from smoldesk.store.asks import Answer
from smoldesk.tools.run_context import ToolContext

# (role, text) of messages, the most tokens and the run's stop -> what the chat's model says, and its name.
Sample = Callable[[Sequence[tuple[str, str]], int, StopFlag], tuple[str, str]]
MAX_QUESTIONS = 20
MAX_FIELDS = 20
MAX_CHOICES = 200
LONGEST_MESSAGE = 2_000
LONGEST_PROMPT = 4_000
MAX_NOTES = 500
LONGEST_NOTES = 20_000
# Characters of a sampling request: the person who approves it sees all of them.
LONGEST_SAMPLE = 20_000
NONE = "(nothing)"
YES, NO = "yes", "no"


class _NotAnswered(Exception):
    def __init__(self, action: Literal["decline", "cancel"]) -> None:
        self.action: Literal["decline", "cancel"] = action


class RunAsker:
    """Implements connection.Asker for one call, on the run's own thread."""

    def __init__(self, context: ToolContext, server: str, seconds: float, sample: Sample | None) -> None:
        self._context = context
        self._server = server
        self._seconds = seconds
        self._sample = sample
        self._question_count = 0
        self._notes = 0
        self._noted = 0

    def progress(self, text: str, share: float | None) -> None:
        """Shown beside the call, within bounds."""
        self._notes += 1
        words = text.strip()[: max(0, LONGEST_NOTES - self._noted)]
        self._noted += len(words)
        if self._notes <= MAX_NOTES:
            self._context.report_progress(self._server, "running", f"{words}\n" if words else "", share=share)

    def elicit(self, params: Any) -> Any:
        """Ask the person. Raises Stopped."""
        from mcp_types import ElicitResult

        self._question_count += 1
        if self._question_count > MAX_QUESTIONS:
            return ElicitResult(action="cancel")
        message = params.message[:LONGEST_MESSAGE]  # so that what follows it is seen
        try:
            if getattr(params, "mode", "form") == "url":
                self._confirm(f"{message}\nIt asks you to open this address yourself: {params.url}")
                return ElicitResult(action="accept")
            schema: Any = params.requested_schema
            fields: Mapping[str, Any] = schema.get("properties") or {}
            if len(fields) > MAX_FIELDS:
                return ElicitResult(action="cancel")
            if not fields:
                self._confirm(message)
                return ElicitResult(action="accept", content={})
            required: list[Any] = schema.get("required") or []
            values: dict[str, Any] = {}
            for name, field in fields.items():
                value = self._field(message, name, field, name in required)
                if value is not None:
                    values[name] = value
            return ElicitResult(action="accept", content=values)
        except _NotAnswered as fault:
            return ElicitResult(action=fault.action)

    def sample(self, params: Any) -> Any:
        """Ask the chat's model. Raises Stopped."""
        from mcp_types import INTERNAL_ERROR, INVALID_REQUEST, CreateMessageResult, ErrorData, TextContent

        self._question_count += 1
        parts = [("system", params.system_prompt)] if params.system_prompt else []
        for message in params.messages:
            content: Any = message.content
            blocks: list[Any] = [*content] if isinstance(content, list) else [content]  # pyright: ignore[reportUnknownVariableType]
            if any(block.type != "text" for block in blocks):
                return ErrorData(code=INVALID_REQUEST, message="Only texts are taken.")
            parts.append((str(message.role), "\n".join(block.text for block in blocks)))
        prompt = "\n".join(f"{role}: {text}" for role, text in parts)
        if self._sample is None or self._question_count > MAX_QUESTIONS or len(prompt) > LONGEST_SAMPLE:
            return ErrorData(code=INVALID_REQUEST, message="This desk does not take it.")
        try:
            self._confirm(
                f"It wants to ask this chat's model, at your cost:\n{prompt}", LONGEST_SAMPLE + LONGEST_PROMPT
            )
            text, model = self._sample(parts, params.max_tokens, self._context.stop)
        except _NotAnswered:
            return ErrorData(code=-1, message="The person refused.")
        except DeskError as fault:
            self._context.stop.check()
            return ErrorData(code=INTERNAL_ERROR, message=f"The model failed: {fault.message}")
        return CreateMessageResult(role="assistant", content=TextContent(type="text", text=text), model=model)

    def _confirm(self, prompt: str, longest: int = LONGEST_PROMPT) -> None:
        self._put(prompt, "confirmation", [], None, longest)

    def _field(self, message: str, name: str, field: Mapping[str, Any], required: bool) -> JsonValue:
        """Return one value of a form; None where it may be left out and was. Raises _NotAnswered."""
        title = str(field.get("title") or name)
        about = f": {field['description']}" if field.get("description") else ""
        prompt = f"{message}\n{title}{about}"
        default: Any = field.get("default")
        kind = field.get("type")
        if kind == "boolean":
            default_text = None if default is None else YES if default else NO
            value = self._put(prompt, "selection", [YES, NO, *([] if required else [NONE])], default_text)
            return None if value == NONE else value == YES
        choices = _choices(field)
        if choices and kind != "array":
            options = [*choices, *([] if required else [NONE])]
            value = self._put(prompt, "selection", options, _title(choices, default))
            return choices.get(value)
        if kind == "array":
            prompt += f"\nSeveral may be chosen, with commas between: {', '.join(choices)}"
        while True:
            many = (
                [str(choice) for choice in cast("list[Any]", default)] if isinstance(default, list) else None
            )
            default_text = (
                ", ".join(many)
                if many is not None
                else None
                if default is None
                else str(cast("object", default))
            )
            entered = self._put(prompt, "text", [], default_text).strip()
            if not entered and not required:
                return None
            value, problem = _read(entered, str(kind), field, choices)
            if not problem:
                return value
            prompt = (
                f"{problem}\n{prompt.removeprefix(problem)}" if not prompt.startswith(problem) else prompt
            )
            self._question_count += 1
            if self._question_count > MAX_QUESTIONS:
                raise _NotAnswered("cancel")

    def _put(
        self,
        prompt: str,
        kind: Literal["confirmation", "selection", "text"],
        options: list[str],
        default: str | None,
        longest: int = LONGEST_PROMPT,
    ) -> str:
        if len(options) > MAX_CHOICES or sum(map(len, [*options, default or ""])) > LONGEST_SAMPLE:
            raise _NotAnswered("cancel")
        answer: Answer = self._context.ask(
            Ask(
                id=f"a_{secrets.token_hex(12)}",
                kind="input",
                prompt=f"{self._server}: {prompt}"[:longest],
                input_type=kind,
                options=options,
                default=default if default is not None and (not options or default in options) else None,
                expires_at=datetime.now(UTC) + timedelta(seconds=self._seconds),
            )
        )
        if not answer.granted:
            raise _NotAnswered("cancel" if answer.by == "expiry" else "decline")
        return answer.value if isinstance(answer.value, str) else ""


def _choices(field: Mapping[str, Any]) -> dict[str, JsonValue]:
    """Return the choices: label and value of each."""
    inner: Mapping[str, Any] = field.get("items") or {} if field.get("type") == "array" else field
    titled = inner.get("oneOf") or inner.get("anyOf") or ()
    if titled:
        return {str(choice.get("title") or choice.get("const")): choice.get("const") for choice in titled}
    values: list[Any] = inner.get("enum") or []
    names: list[Any] = field.get("enumNames") or values
    return {str(name): value for name, value in zip(names, values, strict=False)}


def _title(choices: Mapping[str, JsonValue], value: JsonValue) -> str | None:
    return next((title for title, choice in choices.items() if choice == value), None)


def _read(
    entered: str, kind: str, field: Mapping[str, Any], choices: Mapping[str, JsonValue]
) -> tuple[JsonValue, str]:
    """Return the value of the entered text, and the problem with it."""
    if kind == "array":
        chosen = [choice.strip() for choice in entered.split(",") if choice.strip()]
        strange = [choice for choice in chosen if choice not in choices]
        return [
            choices[choice] for choice in chosen if choice in choices
        ], f"There is no {strange[0]!r}." if strange else ""
    if kind in ("integer", "number"):
        try:
            number = int(entered) if kind == "integer" else float(entered)
        except ValueError:
            return None, "That is not an integer." if kind == "integer" else "That is not a number."
        low, high = field.get("minimum", -math.inf), field.get("maximum", math.inf)
        fits = math.isfinite(number) and low <= number <= high
        return number, "" if fits else f"Expected a number from {low} to {high}."
    short, long = field.get("minLength", 0), field.get("maxLength", math.inf)
    return entered, "" if short <= len(entered) <= long else f"Expected {short} to {long} characters."
