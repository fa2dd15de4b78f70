"""Encoding of one run's events as response chunks: pure, stateful; the type checker verifies that every event is handled.

A `ChunkEncoder` folds one run from its first event. A response that continues a run also folds the events that the client
has, without sending them, so that open parts, asks and counts are right at every position.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, assert_never

from smoldesk import events as e
from smoldesk import messages as m
from smoldesk.wires.ai_sdk import models as c
from smoldesk.wires.ai_sdk.models import Chunk, CodeCell
from smoldesk.wires.serialization import alternatives_json, file_url, image_type, table_url

# `sse`: a response ends where the run waits. `bidi`: it continues, with a closed step around each approval.
Mode = Literal["sse", "bidi"]

# Output of a call that continues after the pause. The SDK's sendAutomaticallyWhen helpers wait until every call has one.
WAITING = "Waiting for an answer."
# Class names of the desk's errors, removed from error texts.
_DESK_ERROR_PREFIXES = ("ToolDenied: ", "ClientToolFailed: ")


@dataclass
class _Call:
    """Open call; `ask_id` is the ask that it waits for."""

    tool: str
    ask_id: str | None = None


class ChunkEncoder:
    """Encoder of one run. It must get every event of the run, in order."""

    def __init__(
        self, mode: Mode, model: str = "", definition: Mapping[str, Any] | None = None, chat_id: str = ""
    ) -> None:
        """`model` goes into the metadata, `definition` (of the building) before the first map."""
        self._mode = mode
        self._model = model
        self._definition = definition
        self._chat_id = chat_id
        self._run_id = ""
        self._part_counts = {"text": 0, "reasoning": 0}
        self._open: tuple[c.Prose, str] | None = None
        self._message_text = ""
        self._cell: CodeCell | None = None
        self._calls: dict[str, _Call] = {}
        self._inputs: dict[str, e.Ask] = {}
        self._started_at: datetime | None = None
        self._at: datetime | None = None
        self._steps: list[float] = []
        self._tokens: dict[str, int | None] = {"promptTokens": None, "completionTokens": None}

    # --- the ends of a response ------------------------------------------------------------------------------------

    def begin(self, message_id: str | None, run_id: str | None = None) -> list[Chunk]:
        """Return the first chunk of a response."""
        facts = {"chatId": self._chat_id} | ({"runId": run_id} if run_id else {})
        return [c.start(message_id, facts)]

    def pause(self) -> list[Chunk]:
        """End the response of a waiting run and close open parts: clients act only on complete messages."""
        waiting = [
            c.output_available(call_id, WAITING)
            for call_id in [*self._open_cell(), *self._calls]
            if call_id not in self._calls or self._calls[call_id].ask_id is None
        ]
        return [*self._end_text(), *waiting, c.finish("stop", self._facts())]

    def fail(self, text: str) -> list[Chunk]:
        """End the response with an error and close open parts.

        A call that waits for a person stays open, since it can still be answered.
        """
        unfinished = [
            c.output_error(call_id, text) for call_id, call in self._calls.items() if call.ask_id is None
        ]
        return [*self._end_cell(text), *unfinished, c.error(text), c.finish("error", self._facts())]

    def _facts(self) -> dict[str, Any]:
        counted = [count for count in self._tokens.values() if count is not None]
        usage = self._tokens | {"totalTokens": sum(counted) if counted else None}
        took = (self._at - self._started_at).total_seconds() if self._at and self._started_at else 0.0
        durations = {"run": round(took, 3), "steps": self._steps}
        return {"usage": usage, "modelVersion": self._model, "durations": durations}

    # --- events ----------------------------------------------------------------------------------------------------

    def take(self, stored: e.StoredEvent, image_url: str | None = None) -> list[Chunk]:
        """Return the chunks of an event; `image_url` is a data URL of its image."""
        self._run_id = stored.run_id or self._run_id
        self._at = stored.at
        event = stored.event
        match event:
            case e.Delta():
                return self._delta(event)
            case e.RunStarted():
                self._started_at = stored.at
                return []
            case e.StepStarted():
                return self._end_text()
            case e.Printed():
                flushed = self._flush_cell()
                where = self._cell.call_id if self._cell else None
                printed = {"toolCallId": where, "text": event.text}
                return [*flushed, c.data("printed", printed, transient=True)]
            case e.ToolCalled():
                self._calls[event.call_id] = _Call(event.tool)
                started = c.input_start(event.call_id, event.tool)
                ready = c.input_available(event.call_id, event.tool, event.arguments)
                return [*self._flush_cell(), started, ready]
            case e.ToolReturned():
                self._calls.pop(event.call_id, None)
                output = event.result if event.value is None else event.value
                return [*self._end_text(), c.output_available(event.call_id, output)]
            case e.ToolFailed():
                self._calls.pop(event.call_id, None)
                return [*self._end_text(), c.output_error(event.call_id, _strip_error_class(event.error))]
            case e.ToolProgress():
                facts = {
                    "toolCallId": event.call_id,
                    "agent": event.agent,
                    "state": event.state,
                    "text": event.text,
                }
                more = {} if event.share is None else {"share": event.share}
                return [c.data("tool-progress", facts | more, transient=True)]
            case e.AskOpened():
                return self._on_ask(event.ask)
            case e.AskClosed():
                return self._answered(event)
            case e.Shown():
                return self._encode_message(event.message, image_url)
            case e.StepFinished():
                return self._step_finished(event)
            case e.Nested():
                return self._nested(stored.model_copy(update={"event": event.event}), image_url)
            case e.RunFinished():
                return [*self._end_cell("The run ended"), *self._answer(event.text), *self._end("stop")]
            case e.RunFailed():
                text = f"{event.message} {event.hint}".strip()
                return [*self._end_cell(event.message), *self.fail(text)]
            case e.RunCancelled():
                return [*self._end_cell(event.reason), *self._end_text(), c.abort(), *self._end("other")]
            case (
                e.RunQueued()
                | e.PromptProgress()
                | e.ModelCalled()
                | e.RunWaiting()
                | e.RunResumed()
                | e.ChatFact()
            ):
                return []
            case _:
                assert_never(event)

    def _end(self, reason: c.FinishReason) -> list[Chunk]:
        return [*self._end_text(), c.finish(reason, self._facts())]

    def _nested(self, inner: e.StoredEvent, image_url: str | None) -> list[Chunk]:
        """Encode calls and output of a managed agent. Its calls may wait for the client; its texts are for its manager."""
        match inner.event:
            case e.ToolCalled() | e.ToolReturned() | e.ToolFailed() | e.ToolProgress() | e.Shown():
                return self.take(inner, image_url)
            case e.StepFinished():
                self._count(inner.event)
                return []
            case _:
                return []

    def _count(self, event: e.StepFinished) -> None:
        for name, count in (("promptTokens", event.input_tokens), ("completionTokens", event.output_tokens)):
            if count is not None:
                self._tokens[name] = (self._tokens[name] or 0) + count

    # --- text --------------------------------------------------------------------------------------------------------

    def _delta(self, event: e.Delta) -> list[Chunk]:
        if not event.text:  # a restart alone: what was sent cannot be taken back
            return []
        match event.kind:
            case "text" | "output":
                return self._write("text", event.text)
            case "reasoning":
                return self._write("reasoning", event.text)
            case "code":
                ended = self._end_text()
                if self._cell is None:
                    self._cell = CodeCell(self._run_id, event.step)
                return [*ended, *self._cell.write(event.text)]
            case _:
                assert_never(event.kind)

    def _write(self, kind: c.Prose, text: str) -> list[Chunk]:
        goes_on = self._open is not None and self._open[0] == kind
        if not goes_on and not text.strip():
            return []  # blank lines between two code blocks make no text part
        started: list[Chunk] = []
        if not goes_on:
            started = self._end_text()
            self._part_counts[kind] += 1
            self._open = (kind, f"{kind}-{self._part_counts[kind]}")
            started.append(c.prose_start(*self._open))
        assert self._open is not None
        if kind == "text":
            self._message_text = self._message_text + text if goes_on else text
        return [*started, c.prose_delta(*self._open, text)]

    def _end_text(self) -> list[Chunk]:
        """Close the open text or reasoning; at most one is open."""
        ended, self._open = self._open, None
        return [c.prose_end(*ended)] if ended is not None else []

    def _answer(self, text: str) -> list[Chunk]:
        """Write the answer of the run, unless the agent streamed it."""
        ended = self._end_text()
        if not text.strip() or self._message_text.strip() == text.strip():
            return ended
        return [*ended, *self._write("text", text), *self._end_text()]

    # --- code --------------------------------------------------------------------------------------------------------

    def _open_cell(self) -> list[str]:
        return [self._cell.call_id] if self._cell else []

    def _flush_cell(self) -> list[Chunk]:
        """Complete the code part, since the code runs now."""
        return [*self._end_text(), *(self._cell.ready() if self._cell else [])]

    def _end_cell(self, reason: str) -> list[Chunk]:
        """Close the code part of a run that ended within a step."""
        cell, self._cell = self._cell, None
        ended = self._end_text()
        return [*ended, *cell.ready(), c.output_error(cell.call_id, reason)] if cell else ended

    def _step_finished(self, event: e.StepFinished) -> list[Chunk]:
        self._steps.append(round(event.duration, 3))
        self._count(event)
        code = event.memory.get("code_action")
        cell, self._cell = self._cell, None
        if cell is None and isinstance(code, str):
            cell = CodeCell(self._run_id, event.step)
        ended = self._end_text()
        if cell is None:
            return ended
        ready = cell.ready(code if isinstance(code, str) else None)
        match event.memory:
            case {"error": {"message": str(words)}}:
                return [*ended, *ready, c.output_error(cell.call_id, words)]
            case _:
                output = event.memory.get("observations") or ""
                return [*ended, *ready, c.output_available(cell.call_id, output)]

    # --- asks --------------------------------------------------------------------------------------------------------

    def _on_ask(self, ask: e.Ask) -> list[Chunk]:
        ended = [*self._flush_cell()]
        call = self._calls.get(ask.call_id or "")
        if call is not None:
            call.ask_id = ask.id
        match ask.kind:
            case "approval":
                request = c.approval_request(ask.id, ask.call_id or "")
                stepped = [c.start_step(), request, c.finish_step()]
                return [*ended, *(stepped if self._mode == "bidi" else [request])]
            case "client_tool":
                return ended  # the client has the call's input and runs the tool itself
            case "input":
                self._inputs[ask.id] = ask
                return [*ended, _question(ask, is_open=True)]
            case _:
                assert_never(ask.kind)

    def _answered(self, event: e.AskClosed) -> list[Chunk]:
        question = self._inputs.pop(event.ask_id, None)
        if question is not None:
            return [*self._end_text(), _question(question, is_open=False)]
        for call in self._calls.values():
            if call.ask_id == event.ask_id:
                call.ask_id = None
        return []

    # --- messages ----------------------------------------------------------------------------------------------------

    def _encode_message(self, message: m.StepOutput | m.Debug, image_url: str | None) -> list[Chunk]:
        match message:
            case m.Image():
                return [*self._end_text(), *self._image(message, image_url)]
            case m.Table():
                content = m.as_json(message)["content"]
                facts = content | {"url": table_url(self._chat_id, message.content.table_id)}
                return [*self._end_text(), c.data("table", facts, part_id=message.content.table_id)]
            case m.Chart():
                return [*self._end_text(), *self._chart(message.content, image_url)]
            case m.File():
                facts = m.as_json(message.content)
                if message.content.file_id:  # without an id it was only mentioned
                    facts["url"] = file_url(self._chat_id, message.content.name, message.content.file_id)
                return [*self._end_text(), c.data("file", facts, part_id=message.content.file_id or None)]
            case m.Json():
                return [*self._end_text(), c.data("json", message.content)]
            case m.Reading():
                return [*self._end_text(), c.data("reading", m.as_json(message.content))]
            case m.Evidence(content=content):
                return [*self._end_text(), c.data("evidence", m.as_json(content))]
            case m.Alternatives(content=content):
                return [*self._end_text(), c.data("alternatives", alternatives_json(content, self._chat_id))]
            case m.Map() | m.MapFrames() | m.HighlightRoom() | m.Arrow() | m.ClearArrows() | m.ClearMap():
                return [*self._end_text(), *self._map(message)]
            case m.Text(without_code=True):
                return [*self._end_text(), c.data("without-code", {"withoutCode": True})]
            case m.McpApp() | m.Text() | m.Code() | m.Error() | m.Debug():
                return []  # views are for the desk's page; texts are in the answer, code and errors in the code part
            case _:
                assert_never(message)

    def _image(self, image: m.Image, image_url: str | None) -> list[Chunk]:
        stored_url = file_url(self._chat_id, image.path or image.file_id, image.file_id)
        facts = m.as_json(image)
        facts = {
            name: facts[name] for name in ("fileId", "format", "path", "width", "height") if name in facts
        }
        picture = c.file(image_url or stored_url, image_type(image.format))
        return [picture, c.data("image", facts | {"url": stored_url}, part_id=image.file_id)]

    def _chart(self, chart: m.ChartContent, image_url: str | None) -> list[Chunk]:
        """Encode a chart as an image file, for every client, and as data; `url` is its Vega-Lite spec."""
        stored_url = file_url(self._chat_id, f"{chart.name}.png", chart.image_id)
        facts = m.as_json(chart) | {
            "url": file_url(self._chat_id, f"{chart.name}.json", chart.spec_id),
            "imageUrl": stored_url,
        }
        return [c.file(image_url or stored_url, "image/png"), c.data("chart", facts, part_id=chart.spec_id)]

    def _map(self, message: m.Shape) -> list[Chunk]:
        # Once per response: it is large, and most runs draw no map.
        definition, self._definition = self._definition, None
        first = [c.data("map-definition", definition, part_id="map-definition")] if definition else []
        return [*first, c.data("map", m.as_json(message))]


def _strip_error_class(error: str) -> str:
    for kind in _DESK_ERROR_PREFIXES:
        error = error.removeprefix(kind)
    return error


def _question(ask: e.Ask, is_open: bool) -> Chunk:
    """Return an input ask as a data part, since the protocol has none; POST /api/asks/{askId} answers it."""
    facts = {"askId": ask.id, "open": is_open, "prompt": ask.prompt, "inputType": ask.input_type}
    return c.data("ask", facts | {"options": ask.options, "default": ask.default}, part_id=ask.id)
