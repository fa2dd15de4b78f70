"""An agent elsewhere for tests: a real A2A server made with the library's server side, whose agent does what it is told.

The first word of a message says what happens; `Seen` keeps what came in. Cancelling is as the library does it.
"""

import asyncio
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from a2a.helpers.proto_helpers import new_task_from_user_message
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill, Message, Part, Task
from google.protobuf.json_format import MessageToDict
from pydantic import JsonValue
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from smoldesk.agents.a2a_client import Peers
from smoldesk.agents.a2a_client.tool import AskAgent
from smoldesk.events import Ask, ProgressState
from smoldesk.folders import add
from smoldesk.messages import McpApp
from smoldesk.stopping import StopFlag
from smoldesk.store.asks import Answer
from smoldesk.tools.run_context import RunContext
from tests.support.aio import aside
from tests.support.servers import app_served

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)


@dataclass
class Seen:
    """What reached the server."""

    messages: list[Message] = field(default_factory=list[Message])
    cancelled: list[str] = field(default_factory=list[str])
    headers: list[dict[str, str]] = field(default_factory=list[dict[str, str]])

    def texts(self) -> list[str]:
        return [message.parts[0].text for message in self.messages]

    def metadata(self) -> list[dict[str, Any]]:
        return [MessageToDict(message.metadata) for message in self.messages]

    def contexts(self) -> list[str]:
        return [message.context_id for message in self.messages]


class Obedient(AgentExecutor):
    """Does what the first word of a message says."""

    def __init__(self, received: Seen, url: str) -> None:
        self._seen = received
        self._url = url

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        assert context.message is not None
        self._seen.messages.append(context.message)
        user_input = context.get_user_input()
        task = context.current_task or new_task_from_user_message(context.message)
        if user_input.startswith("say"):
            reply = Message(message_id="m", role="ROLE_AGENT", parts=[Part(text=user_input[4:])])
            reply.context_id = task.context_id
            await event_queue.enqueue_event(reply)
            return
        if context.current_task is None:
            await event_queue.enqueue_event(task)
        updater = TaskUpdater(event_queue, task.id, task.context_id)
        await self._do(user_input, updater, task)

    async def _do(self, text: str, updater: TaskUpdater, task: Task) -> None:
        def message(text: str) -> Message:
            return updater.new_agent_message([Part(text=text)])

        first, _, remaining = text.partition(" ")
        if len(task.history) > 1 or first not in VERBS:  # the answer to a question
            await updater.complete(message(f"You said {text}."))
            return
        await updater.start_work(message("Looking at it."))
        match first:
            case "work":
                pieces = ("The answer ", "comes in ", "pieces.")
                for number, piece in enumerate(pieces):
                    await updater.add_artifact(
                        [Part(text=piece)],
                        artifact_id="a",
                        append=number > 0,
                        last_chunk=number == len(pieces) - 1,
                    )
                    await asyncio.sleep(0.12)
                await updater.complete()
            case "ask":
                await updater.requires_input(message("Which town?"))
            case "choose":
                question = updater.new_agent_message([Part(text="Which one?")])
                choice = Part()
                choice.data.struct_value.update({"options": ["red", "blue"]})
                question.parts.append(choice)
                await updater.requires_input(question)
            case "fail":
                await updater.failed(message("The well is dry."))
            case "reject":
                await updater.reject(message("Not on Sundays."))
            case "auth":
                await updater.requires_auth(message("Log in first."))
            case "hang":
                await asyncio.sleep(3600)
            case "files":
                await updater.add_artifact([Part(text="Two files.")], artifact_id="text")
                raw = Part(raw=b"a,b\n1,2\n", filename="../../numbers.csv", media_type="text/csv")
                await updater.add_artifact([raw], artifact_id="raw")
                stored = Part(
                    url=f"{self._url}/files/dot.png?x=1", media_type="image/png", filename="dot.png"
                )
                away = Part(url="http://192.0.2.1/secret.txt", media_type="text/plain")
                await updater.add_artifact([stored, away], artifact_id="urls")
                await updater.complete()
            case "data":
                part = Part()
                part.data.struct_value.update({"count": 42, "mean": 1.5})
                await updater.add_artifact([Part(text="Numbers:"), part], artifact_id="d")
                await updater.complete()
            case "flood":
                for number in range(int(remaining)):
                    await updater.add_artifact([Part(text="x" * 10_000)], artifact_id="f", append=number > 0)
                await updater.complete()
            case _:
                raise AssertionError(first)

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        assert context.task_id and context.context_id
        self._seen.cancelled.append(context.task_id)
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


VERBS = ("work", "ask", "choose", "fail", "reject", "auth", "hang", "files", "data", "flood")


@dataclass
class PeerServer:
    """A served agent; `card` is the address of its card."""

    url: str
    seen: Seen

    @property
    def card(self) -> str:
        return f"{self.url}/.well-known/agent-card.json"

    def toml(self, name: str = "helper", more: str = "") -> str:
        """The lines of agents.toml that list it."""
        return f'[peers.{name}]\ncard = "{self.card}"\ndescription = "Helps."\n{more}\n'


@contextmanager
def peer_server(
    streaming: bool = True, bindings: tuple[str, ...] = ("JSONRPC", "HTTP+JSON"), token: str | None = None
) -> Generator[PeerServer]:
    """Serve the obedient agent on a free port."""
    received = Seen()

    def app(url: str) -> ASGIApp:
        result = _app(url, received, streaming, bindings)
        return result if token is None else _guarded(result, token)

    with served(app) as url:
        yield PeerServer(url, received)


def _app(url: str, received: Seen, streaming: bool, bindings: tuple[str, ...]) -> ASGIApp:
    paths = {"JSONRPC": "/a2a", "HTTP+JSON": "/rest"}
    card = AgentCard(
        name="The helper",
        description="Helps.",
        version="1",
        supported_interfaces=[
            AgentInterface(url=url + paths[binding], protocol_binding=binding, protocol_version="1.0")
            for binding in bindings
        ],
        capabilities=AgentCapabilities(streaming=streaming),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[AgentSkill(id="help", name="help", description="Helps.", tags=["help"])],
    )
    agent = Obedient(received, url)
    handler = DefaultRequestHandler(agent_executor=agent, task_store=InMemoryTaskStore(), agent_card=card)

    async def file(request: Request) -> Response:
        received.headers.append(dict(request.headers))
        return Response(PNG, media_type="image/png")

    return Starlette(
        routes=[
            *create_agent_card_routes(card),
            *create_jsonrpc_routes(handler, rpc_url="/a2a"),
            Route("/files/{name}", file),
            *create_rest_routes(handler, path_prefix="/rest"),
        ]
    )


def _guarded(app: ASGIApp, token: str) -> ASGIApp:
    """Everything but the card wants the token."""

    async def door(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and not scope["path"].startswith("/.well-known/"):
            text = dict(scope["headers"]).get(b"authorization", b"").decode()
            if text != f"Bearer {token}":
                await PlainTextResponse("no", status_code=401)(scope, receive, send)
                return
        await app(scope, receive, send)

    return door


@contextmanager
def served(make: Callable[[str], ASGIApp]) -> Generator[str]:
    """Serve an app from a thread on a free port; `make` makes it for its address, which is what comes out."""
    apps: list[ASGIApp] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await apps[0](scope, receive, send)

    with app_served(app, log_level="error", timeout_graceful_shutdown=1) as url:
        apps.append(make(url))
        yield url


@dataclass
class NotingContext:
    """Implements tools.context.RunContext; `answer` is what people say to an ask."""

    folder: Path
    answer: Callable[[Ask], Answer] = lambda ask: Answer(granted=True, value="Kyoto")
    chat_id: str = "c_1"
    call_id: str = "r_1.1"
    stop: StopFlag = field(default_factory=StopFlag)
    said: list[tuple[str, ProgressState, str]] = field(default_factory=list[tuple[str, ProgressState, str]])
    contexts: list[str] = field(default_factory=list[str])
    asks: list[Ask] = field(default_factory=list[Ask])
    on_progress: Callable[[str], None] = lambda text: None

    def report_progress(
        self,
        agent: str,
        state: ProgressState,
        text: str = "",
        context_id: str | None = None,
        share: float | None = None,
    ) -> None:
        self.said.append((agent, state, text))
        if context_id is not None:
            self.contexts.append(context_id)
        self.on_progress(text)

    def settle(self) -> None: ...

    def ask(self, ask: Ask) -> Answer:
        self.asks.append(ask)
        return self.answer(ask)

    def add_file(self, name: str, content: bytes) -> str:
        return add(self.folder, name, content)

    def keep_app(self, name: str, content: bytes) -> str:
        raise AssertionError("agents elsewhere show no views")

    def show_app(self, app: McpApp) -> None:
        raise AssertionError("agents elsewhere show no views")

    def share_state(self, changes: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        raise AssertionError("agents elsewhere share no state")

    def nested(self, agent: str) -> RunContext:
        raise AssertionError("agents elsewhere work elsewhere")

    def words(self) -> str:
        return "".join(text for _, _, text in self.said)

    def states(self) -> list[ProgressState]:
        """Each state once, in order."""
        results: list[ProgressState] = []
        for _, state, _ in self.said:
            if not results or results[-1] != state:
                results.append(state)
        return results


def ask_of(peers: Peers, message: str, context: NotingContext, depth: int = 0) -> str:
    """What the first of these agents answers to a call of `ask_agent`."""
    call: dict[str, JsonValue] = {"name": next(iter(peers.entries)), "message": message}
    return aside(lambda: AskAgent(peers, depth).run_in_context(context, call))
