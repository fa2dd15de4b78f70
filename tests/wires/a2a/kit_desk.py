"""`python -m tests.wires.a2a.kit_desk FOLDER [--port 9999]`: the desk under the official kit (spec/reference/a2a_kit.md).

App, store, runs and wire are the desk's own. Scripted is the agent, which does what the kit's scenario files say for the
beginning of a messageId; and a handler gives what the desk itself never does. None of this can be switched on in the server.
"""

import argparse
import time
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, replace
from pathlib import Path

import uvicorn
from a2a.server.context import ServerCallContext
from a2a.types import a2a_pb2 as pb

from smoldesk.app import create_app, guarded
from smoldesk.desk import build_desk
from smoldesk.events import StepStarted
from smoldesk.messages import File, Json, StepOutput
from smoldesk.runs import Runs
from smoldesk.stopping import StopFlag
from smoldesk.store.run_options import RunOptions
from smoldesk.tools.run_context import Agent, RunContext
from smoldesk.wires.a2a import handler
from smoldesk.wires.a2a.handler import DeskHandler, Event, Services
from smoldesk.wires.a2a.models import MESSAGE_KEY, IncomingMessage
from smoldesk.wires.a2a.send_message import SentMessage
from tests.support.desk_server import settings_for
from tests.support.one_agent import OneAgent, Scripted
from tests.support.task_agents import ask, show, write

FINISH = "tck-complete-task"
APART_SECONDS = 0.3
"""Between two chunks that must not be merged."""
RESUBSCRIBED_SECONDS = 5.0
"""More than twice the kit's wait for an event of a stream."""
_finished: set[str] = set()
"""Tasks whose next answer is their last, by the id of the message it came in."""


def speak(text: str) -> "Callable[[str, RunContext], str]":
    return lambda message, ctx: text


def file(message: str, ctx: RunContext) -> str:
    stored = ctx.keep_bytes(b"Generated file content", "produced", "output.txt")
    return shown(ctx, File(content=stored.content()))


def chunks(message: str, ctx: RunContext) -> str:
    write(ctx, "chunk-1 ")
    time.sleep(APART_SECONDS)
    write(ctx, "chunk-2")
    return "chunk-1 chunk-2"


def last(message: str, ctx: RunContext) -> str:
    time.sleep(RESUBSCRIBED_SECONDS)
    return ""


def input_required(message: str, ctx: RunContext) -> str:
    while ctx.run_id not in _finished:
        ask(ctx, prompt="Input is needed.", input_type="text")
    return "Hello from TCK"


def shown(ctx: RunContext, message: StepOutput) -> str:
    show(ctx, message)
    return ""


SCRIPTS = {
    FINISH: speak("Hello from TCK"),
    "tck-artifact-text": speak("Generated text content"),
    "tck-artifact-file": file,  # and tck-artifact-file-url: our files are addresses
    "tck-artifact-data": lambda message, ctx: shown(ctx, Json(content={"key": "value", "count": 42})),
    "tck-input-required": input_required,
    "tck-stream-001": speak("Stream hello from TCK"),
    "tck-stream-002": speak(""),
    "tck-stream-003": speak("Stream task lifecycle"),
    "tck-stream-ordering-001": speak("Ordered output"),
    "tck-stream-artifact-text": speak("Streamed text content"),
    "tck-stream-artifact-file": file,
    "tck-stream-artifact-chunked": chunks,
    "test-resubscribe-message-id": last,
}


@dataclass
class KitAgents(OneAgent):
    """The agent of a run does what its messageId begins with; whatever is unknown is completed."""

    def build(self, chat_id: str, stop: StopFlag, options: RunOptions) -> Agent:
        message = (options.metadata or {}).get(MESSAGE_KEY)
        named = str(message.get("messageId", "")) if isinstance(message, dict) else ""
        script = next((do for prefix, do in SCRIPTS.items() if named.startswith(prefix)), self.answer)

        def act(message: str, ctx: RunContext) -> str:
            ctx.emit(StepStarted(step=1))
            return script(message, ctx)

        return Scripted(act)


class KitHandler(DeskHandler):
    """What the desk never gives, and what the kit's own faults need.

    The kit sends one messageId again and again and means a new task each time, and it asks for a refused media type to be
    taken (CORE-SEND-003).
    """

    modes = ()

    def __init__(self, services: Services, agent: str | None, extended_card: object) -> None:
        super().__init__(services, agent, extended_card)  # pyright: ignore
        services.message_sender.repeat_seconds = 0

    async def on_message_send(
        self, params: pb.SendMessageRequest, context: ServerCallContext
    ) -> pb.Task | pb.Message:
        return _unlike_us(params) or await super().on_message_send(params, context)

    async def on_message_send_stream(
        self, params: pb.SendMessageRequest, context: ServerCallContext
    ) -> AsyncGenerator[Event, None]:
        inputs = _unlike_us(params)
        if inputs is not None:
            yield inputs
            return
        async for event in super().on_message_send_stream(params, context):
            yield event

    async def _send(self, incoming: IncomingMessage, context: ServerCallContext) -> SentMessage:
        if incoming.task_id is not None and incoming.message_id.startswith(FINISH):
            _finished.add(incoming.task_id)
        return await super()._send(incoming, context)


def _unlike_us(params: pb.SendMessageRequest) -> pb.Message | None:
    named = params.message.message_id
    if named.startswith("tck-message-response"):
        parts = [pb.Part(text="Direct message response")]
        return pb.Message(
            message_id=f"answer-{named}", context_id=f"context-{named}", role=pb.ROLE_AGENT, parts=parts
        )
    return None


def serve(folder: Path, port: int, **options: object) -> None:
    """Serve until a signal comes."""
    handler.DeskHandler = KitHandler  # what the wire builds its handlers of
    settings = settings_for(folder, port=port, push_private_addresses=True, **options)
    desk = build_desk(settings)
    desk = replace(desk, runs=Runs(desk.store, KitAgents(lambda message, ctx: "Hello from TCK")))
    app = guarded(create_app(settings, desk), settings)
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", timeout_graceful_shutdown=1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--port", type=int, default=9999)
    parser.add_argument("--grpc-port", type=int, default=0)
    given = parser.parse_args()
    serve(given.folder, given.port, grpc_port=given.grpc_port)
