"""Model of a run's agent: the chosen one, with its replies streamed into the log.

smolagents' own streaming (`stream_outputs=True`) redraws all text at every delta. Here deltas are emitted from inside the
model, and the agent sees one complete message. Reasoning is streamed and then dropped: the agent, its memory and the parser
of its code never see it.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from smolagents.models import ChatMessage, ChatMessageStreamDelta, Model, agglomerate_stream_deltas

from smoldesk.agents.call_meter import CallMeter
from smoldesk.agents.wrapper.call_record import CallLog, CallRecord
from smoldesk.agents.wrapper.prompt_limits import PromptLimits
from smoldesk.agents.wrapper.sent_pictures import SentPictures
from smoldesk.agents.wrapper.window import Window
from smoldesk.errors import DeskError, ModelFault
from smoldesk.events import Delta, PromptProgress, StepStarted
from smoldesk.models import close_model, translate
from smoldesk.models.adaptation import AdaptingCalls, SchemaRefused
from smoldesk.models.capabilities import SCHEMA, refusal_in
from smoldesk.models.errors import TooLong
from smoldesk.models.reasoning import ReasonedDelta
from smoldesk.output_parser.model_text import CodeTagSplitter, Part, ThinkSplitter
from smoldesk.output_parser.structured_text import StructuredSplitter, structured_reply
from smoldesk.tools.run_context import RunContext

# Empty replies in a row that fail a run.
EMPTY_LIMIT = 2
# What a library of another package's provider may refuse.
_SCHEMA_REQUEST: dict[str, Any] = {SCHEMA: {}, "messages": []}


class RunModel(Model):
    """Model of one run. `step` returns the number of the current step."""

    def __init__(
        self,
        inner: Model,
        ctx: RunContext,
        step: Callable[[], int],
        splits_code: bool,
        limits: PromptLimits | None = None,
        pictures: SentPictures | None = None,
        meter: CallMeter | None = None,
    ) -> None:
        super().__init__(model_id=inner.model_id)
        self._inner = inner
        self._ctx = ctx
        self._step = step
        self._splits_code = splits_code
        self._empty = 0
        self._started_step = 0
        self._calls = CallLog(ctx, inner, step, meter or CallMeter())
        self._limits = limits or PromptLimits(Window(None))
        self._pictures = pictures or SentPictures()

    def generate(self, messages: list[ChatMessage], *args: Any, **kwargs: Any) -> ChatMessage:
        """Return one reply, streamed into the log. Raises Stopped, or ModelFault after repeated empty replies."""
        self._ctx.stop.check()
        if self._step() != self._started_step:  # a step may call the model twice
            self._started_step = self._step()
            self._ctx.emit(StepStarted(step=self._started_step))
        structured = kwargs.get("response_format") is not None
        if structured:
            kwargs["stop_sequences"] = None  # they would also match inside of the JSON's strings
        messages = self._pictures.named(messages)
        try:
            reply = self._call(messages, structured, *args, **kwargs)
        except TooLong as fault:
            if not self._limits.learn(fault):
                raise
            reply = self._call(messages, structured, *args, **kwargs)  # shortened to the window of the error
        self._refuse_silence(reply)
        return reply

    def _call(self, messages: list[ChatMessage], structured: bool, *args: Any, **kwargs: Any) -> ChatMessage:
        messages, shortened_count = self._limits.fit(messages, kwargs.get("tools_to_call_from"))
        with (
            self._calls.call(messages, shortened_count, structured) as record,
            self._ctx.stop.calling(self._close_model),
        ):
            try:
                reply = self._reply(record, self._pictures.with_pictures(messages), *args, **kwargs)
            except Exception as fault:
                self._ctx.stop.check()  # a stop closes the connection, which shows here as a broken stream
                if structured and not isinstance(fault, DeskError) and refusal_in(fault, _SCHEMA_REQUEST):
                    raise SchemaRefused(str(translate(fault))) from None
                raise
            finally:
                self._log_changes(record)
            record.end(reply)
            if record.usage is not None:
                self._limits.check_count(record.usage.input_tokens, self._ctx)
        return reply

    def _reply(
        self, record: CallRecord, messages: list[ChatMessage], *args: Any, **kwargs: Any
    ) -> ChatMessage:
        stream: Callable[..., Any] | None = getattr(self._inner, "generate_stream", None)
        if stream is None:
            return self._inner.generate(messages, *args, **kwargs)
        thinking = ThinkSplitter()
        structured = kwargs.get("response_format") is not None
        tags = CodeTagSplitter() if self._splits_code else None
        splitter = StructuredSplitter() if structured else tags
        deltas: list[ChatMessageStreamDelta] = []
        for delta in stream(messages, *args, **kwargs):
            self._ctx.stop.check()
            reasoning = delta.reasoning if isinstance(delta, ReasonedDelta) else ""
            record.add_delta(delta, bool(reasoning))
            if isinstance(delta, ReasonedDelta) and delta.progress and record.is_news(delta.progress):
                self._ctx.emit(PromptProgress(step=self._step(), **delta.progress._asdict()))
            if reasoning:
                self._emit_deltas([("reasoning", reasoning)])
            parts = thinking.feed(delta.content or "")
            deltas.append(replace(delta, content=self._stream_parts(parts, splitter)))
        last_text = self._stream_parts(thinking.flush(), splitter)
        if splitter:
            self._emit_deltas(splitter.flush())
        reply = agglomerate_stream_deltas([*deltas, ChatMessageStreamDelta(content=last_text)])
        if not any(delta.token_usage for delta in deltas):
            reply.token_usage = None  # smolagents sets 0 when the provider sends no counts
        if structured and isinstance(reply.content, str):
            reply.content = structured_reply(reply.content)
        return reply

    def _stream_parts(self, parts: list[Part], splitter: CodeTagSplitter | StructuredSplitter | None) -> str:
        """Stream parts of a reply into the log; return their text, which alone the agent gets."""
        texts: list[str] = []
        for kind, part in parts:
            if kind == "text":
                texts.append(part)
                self._emit_deltas(splitter.feed(part) if splitter else [("text", part)])
            else:
                self._emit_deltas([("reasoning", part)])
        return "".join(texts)

    def _emit_deltas(self, pieces: list[tuple[Any, str]]) -> None:
        for kind, text in pieces:
            self._ctx.emit_soon(Delta(step=self._step(), kind=kind, text=text))

    def _log_changes(self, record: CallRecord) -> None:
        """Log the requests that the server refused before it took a changed one."""
        adapting: AdaptingCalls | None = getattr(self._inner, "adapting", None)
        for change in adapting.take_changes() if adapting else ():
            record.refusals.append(str(change))

    def _close_model(self) -> None:
        close_model(self._inner)

    def _refuse_silence(self, reply: ChatMessage) -> None:
        silent = not reply.tool_calls and not (isinstance(reply.content, str) and reply.content.strip())
        self._empty = self._empty + 1 if silent else 0
        if self._empty >= EMPTY_LIMIT:
            raise ModelFault(
                "The model returned an empty reply twice.",
                "Try again, or choose another model.",
                code="model_empty",
            )

    def parse_tool_calls(self, message: ChatMessage) -> ChatMessage:
        return self._inner.parse_tool_calls(message)
