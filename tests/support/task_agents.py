"""Agents for tests of tasks: each is one function, and says what a terminal program's agent would say."""

import secrets
from datetime import UTC, datetime, timedelta
from typing import Any

from smoldesk.events import (
    Ask,
    Delta,
    RunEvent,
    Shown,
    StepStarted,
)
from smoldesk.messages import (
    Code,
    Debug,
    DebugContent,
    Json,
    StepOutput,
    Text,
)
from smoldesk.store.asks import Answer
from smoldesk.tools.run_context import RunContext


def write(ctx: RunContext, *pieces: str, step: int = 1) -> None:
    """Pieces of output; each an event of its own, for it is committed before the next one comes."""
    for piece in pieces:
        ctx.emit_soon(Delta(step=step, kind="output", text=piece))
        ctx.settle()


def show(ctx: RunContext, *messages: StepOutput) -> None:
    """A batch: debug first."""
    content = DebugContent(agent_response={"raw_output": ""}, parsed_outputs=[], output_count=len(messages))
    displayed: list[RunEvent] = [Shown(message=Debug(content=content))]
    ctx.emit(*displayed, *(Shown(message=message) for message in messages))


def question(**about: Any) -> Ask:
    """What a program asks; it stays open for a minute unless `seconds` says else."""
    seconds = about.pop("seconds", 60)
    inputs: dict[str, Any] = {"kind": "input", "prompt": "Continue? (y/n): ", "input_type": "confirmation"}
    expires_at = datetime.now(UTC) + timedelta(seconds=seconds)
    return Ask(id=f"a_{secrets.token_hex(8)}", expires_at=expires_at, **inputs | about)


def ask(ctx: RunContext, **about: Any) -> Answer:
    return ctx.ask(question(**about))


def talk(message: str, ctx: RunContext) -> str:
    """Text in three pieces, then code, then text again."""
    ctx.emit(StepStarted(step=1))
    write(ctx, "Looking\n", "at ", "it.\n")
    show(ctx, Text(content="Looking\nat it."), Code(content="print('hello')", language="python"))
    write(ctx, "Done: ", message)
    show(ctx, Text(content=f"Done: {message}"))
    return f"Looking\nat it.\nDone: {message}"


def confirm(message: str, ctx: RunContext) -> str:
    """Asks once, and says how it was answered."""
    ctx.emit(StepStarted(step=1))
    write(ctx, "About to begin.\n")
    show(ctx, Text(content="About to begin."))
    answer = ask(ctx, options=["y", "n"], default="n")
    ctx.emit(StepStarted(step=2))
    text = f"granted={answer.granted} value={answer.value!r} reason={answer.reason!r}"
    write(ctx, text, step=2)
    show(ctx, Text(content=text))
    return text


def count(message: str, ctx: RunContext) -> str:
    """As many pieces as the message says, then data."""
    ctx.emit(StepStarted(step=1))
    number = int(message.split()[-1])
    write(ctx, *(f"{piece};" for piece in range(number)))
    show(ctx, Text(content="".join(f"{piece};" for piece in range(number))), Json(content={"count": number}))
    return ""


BLOCK = 10_000
"""Characters of a piece of a flood."""


def flood(message: str, ctx: RunContext) -> str:
    """As many large pieces as the message says, as fast as they can be written."""
    ctx.emit(StepStarted(step=1))
    for number in range(int(message.split()[-1])):
        ctx.emit_soon(Delta(step=1, kind="output", text=f"{number};".ljust(BLOCK, "x")))
    return ""
