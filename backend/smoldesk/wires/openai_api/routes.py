"""The routes of this wire."""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from starlette.routing import BaseRoute

from smoldesk.agents import DeskAgents
from smoldesk.desk import Desk
from smoldesk.errors import NotFound
from smoldesk.runs import RunRecord
from smoldesk.wires.base import Wire
from smoldesk.wires.bodies import read_bounded, read_object
from smoldesk.wires.client_turns import ClientTurns
from smoldesk.wires.disconnects import client_gone
from smoldesk.wires.event_stream import event_stream, event_text
from smoldesk.wires.openai_api.chat_requests import read_completion
from smoldesk.wires.openai_api.completions import Completion
from smoldesk.wires.openai_api.errors import OpenAIRoute
from smoldesk.wires.openai_api.following import AnswerFollower
from smoldesk.wires.openai_api.models import Object, Piece, Question, ResponsePosition
from smoldesk.wires.openai_api.question_handling import DEFAULT, WIRE, QuestionHandler
from smoldesk.wires.openai_api.requests import BODY_LIMIT, EXPECTED
from smoldesk.wires.openai_api.response_requests import read_response
from smoldesk.wires.openai_api.responses import ResponseFold
from smoldesk.wires.openai_api.stored_responses import StoredResponses
from smoldesk.wires.openai_api.waiting_runs import WaitingRuns
from smoldesk.wires.serialization import json_text

LEFT = "The client closed the connection"
CANCELLED = "Cancelled by the client"
DONE = b"data: [DONE]\n\n"
EVERY_METHOD = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]


class OpenAIWire(Wire):
    """The desk's agents as models, for clients of the OpenAI API: `/v1`."""

    name = "openai"

    def routes(self) -> Sequence[BaseRoute]:
        return router(self.desk).routes


def router(desk: Desk) -> APIRouter:
    """Return the routes of this wire."""
    # a protocol of its own, told in spec/reference/openai_api.md
    routes = APIRouter(prefix="/v1", route_class=OpenAIRoute, include_in_schema=False)
    limit = desk.settings.message_limit
    models = ModelList(desk.agents)
    turns = ClientTurns(desk, WIRE)
    questions = QuestionHandler(desk, turns)
    waiting = WaitingRuns(desk.runs, questions)
    following = AnswerFollower(desk.runs, desk.files, desk.buildings, inline_pictures=desk.settings.has_token)
    stored_responses = StoredResponses(desk.runs, desk.chats, questions, turns)

    async def begin(question: Question) -> ResponsePosition:
        """Do what a request asks for; where its answer is."""
        question = await questions.after_forced_call(question)
        agent = await questions.agent_of(question)
        return await waiting.go_on(question) or await questions.ask(question, agent)

    def answered(answer: "_Answer") -> AsyncGenerator[list[Piece]]:
        return following.pieces(answer.place, answer.record, answer.base)

    async def all_pieces(request: Request, answer: "_Answer") -> list[Piece]:
        """Return all pieces of an answer; a client that leaves before its end stops the run."""

        async def collected() -> list[Piece]:
            async with aclosing(answered(answer)) as batches:
                return [piece async for batch in batches for piece in batch]

        work, gone = asyncio.create_task(collected()), asyncio.create_task(client_gone(request))
        try:
            await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                await turns.cancel(answer.record.id, LEFT)
            return await work
        finally:
            gone.cancel()
            work.cancel()

    async def stream(answer: "_Answer", events: "_Events", stops: bool) -> AsyncGenerator[bytes]:
        """Yield an answer as events; with `stops`, a client that disconnects before its end stops the run."""
        is_over = False
        try:
            yield b"".join(events.begin())
            async with aclosing(answered(answer)) as batches:
                async for batch in batches:
                    yield b"".join(text for piece in batch for text in events.take(piece))
            is_over = True
            yield events.end
        finally:
            if stops and not is_over:
                await turns.cancel(answer.record.id, LEFT)

    def streamed(answer: "_Answer", events: "_Events", stops: bool) -> Response:
        return event_stream(stream(answer, events, stops), desk.settings.keep_alive_seconds)

    async def answer_of(request: Request, place: ResponsePosition) -> "_Answer":
        return _Answer(place, await desk.runs.records.get(place.run_id), str(request.base_url).rstrip("/"))

    # --- models ----------------------------------------------------------------------------------------------------------

    @routes.get("/models")
    async def list_models() -> Response:  # pyright: ignore[reportUnusedFunction]
        return _json({"object": "list", "data": await asyncio.to_thread(models.all)})

    @routes.get("/models/{name:path}")
    async def model(name: str) -> Response:  # pyright: ignore[reportUnusedFunction]
        return _json(await asyncio.to_thread(models.get, name))

    # --- chat completions --------------------------------------------------------------------------------------------------

    @routes.post("/chat/completions")
    async def complete(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        body = await read_body(request)
        request_ = await asyncio.to_thread(read_completion, body, request.headers, limit)
        answer = await answer_of(request, await begin(request_.question))
        name = answer.place.named("chatcmpl")
        completion = Completion(name, request_.question.model, answer.record.created_at, request_.usage)
        if request_.stream:
            return streamed(answer, _ChunkEvents(completion), stops=True)
        try:
            return _json(completion.completion(await all_pieces(request, answer)))
        finally:
            if request_.is_chore:
                await stored_responses.discard(answer.record)

    # --- responses -----------------------------------------------------------------------------------------------------------

    @routes.post("/responses")
    async def respond(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        body = await read_body(request)
        request_ = await asyncio.to_thread(read_response, body, request.headers, limit)
        answer = await answer_of(request, await begin(request_.question))
        fold = ResponseFold(answer.place, answer.record)
        if request_.stream:
            return streamed(answer, _ResponseEvents(fold), stops=not request_.background)
        if request_.background:
            return _json(fold.response())
        return _json(folded(fold, await all_pieces(request, answer)))

    @routes.get("/responses/{name}")
    async def retrieve(  # pyright: ignore[reportUnusedFunction]
        name: str,
        request: Request,
        stream: bool = False,
        starting_after: Annotated[int, Query(ge=0)] = -1,
    ) -> Response:
        await questions.response(ResponsePosition.of(name))
        answer = await answer_of(request, ResponsePosition.of(name))
        fold = ResponseFold(answer.place, answer.record)
        if stream:
            return streamed(answer, _ResponseEvents(fold, starting_after), stops=False)
        return _json(folded(fold, await following.now(answer.place, answer.record, answer.base)))

    @routes.post("/responses/{name}/cancel")
    async def cancel(name: str, request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        await stored_responses.cancel(ResponsePosition.of(name), CANCELLED)
        return await retrieve(name, request)

    @routes.delete("/responses/{name}")
    async def delete(name: str) -> Response:  # pyright: ignore[reportUnusedFunction]
        await stored_responses.delete(ResponsePosition.of(name))
        return _json({"id": name, "object": "response", "deleted": True})

    @routes.get("/responses/{name}/input_items")
    async def input_items(name: str) -> Response:  # pyright: ignore[reportUnusedFunction]
        return _json(await stored_responses.input_items(ResponsePosition.of(name)))

    @routes.api_route("/{rest:path}", methods=EVERY_METHOD)
    async def unknown(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        message = f"Unknown request URL: {request.method} {request.url.path[:200]}."
        raise NotFound(message, "See spec/reference/openai_api.md for what there is.", code="unknown_url")

    return routes


class _Answer:
    """An answer under way, and the desk's address as its client has it."""

    def __init__(self, place: ResponsePosition, record: RunRecord, base: str) -> None:
        self.place = place
        self.record = record
        self.base = base


class _Events:
    """Pieces as server-sent events."""

    end = b""

    def begin(self) -> Iterable[bytes]:
        raise NotImplementedError

    def take(self, piece: Piece) -> Iterable[bytes]:
        raise NotImplementedError


class _ChunkEvents(_Events):
    end = DONE

    def __init__(self, completion: Completion) -> None:
        self._completion = completion

    def begin(self) -> Iterable[bytes]:
        return [event_text(json_text(self._completion.begin()))]

    def take(self, piece: Piece) -> Iterable[bytes]:
        return [event_text(json_text(chunk)) for chunk in self._completion.chunks(piece)]


class _ResponseEvents(_Events):
    def __init__(self, fold: ResponseFold, after: int = -1) -> None:
        """Create a filter that leaves out the events up to the number `after`: the client has them."""
        self._encoder = fold
        self._after = after

    def begin(self) -> Iterable[bytes]:
        return self._new_events(self._encoder.begin())

    def take(self, piece: Piece) -> Iterable[bytes]:
        return self._new_events(self._encoder.take(piece))

    def _new_events(self, events: Iterable[Object]) -> Iterable[bytes]:
        new = [event for event in events if event["sequence_number"] > self._after]
        return [event_text(json_text(event), event=event["type"]) for event in new]


def folded(fold: ResponseFold, pieces: Iterable[Piece]) -> Object:
    """Return the response of these pieces."""
    for piece in pieces:
        for _ in fold.take(piece):
            pass
    return fold.response()


async def read_body(request: Request) -> Object:
    """Read a JSON object on a thread, since its parsing takes time. Raises BadInput."""
    return await asyncio.to_thread(read_object, await read_bounded(request, BODY_LIMIT), BODY_LIMIT, EXPECTED)


def _json(value: Object) -> Response:
    return Response(json_text(value).encode("utf-8", "replace"), media_type="application/json")


class ModelList:
    """The agents that can answer; each is looked at anew. Imports smolagents, perhaps, so not on the event loop."""

    def __init__(self, agents: DeskAgents) -> None:
        self._agents = agents

    def all(self) -> list[Object]:
        """Return all models, after the one for the default agent."""
        entries = self._agents.agent_list.entries
        names = [name for name, entry in entries.items() if not self._agents.checks.problems(entry)]
        return [_model(name) for name in dict.fromkeys([DEFAULT, *names])]

    def get(self, name: str) -> Object:
        """Return one by its name. Raises NotFound."""
        if any(model["id"] == name for model in self.all()):
            return _model(name)
        message = f"The model {name[:80]!r} does not exist."
        raise NotFound(message, "GET /v1/models lists those that there are.", code="model_not_found")


def _model(name: str) -> Object:
    return {"id": name, "object": "model", "created": 0, "owned_by": "smoldesk"}
