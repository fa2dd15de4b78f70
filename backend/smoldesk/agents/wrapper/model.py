"""Model of a run's agent: the chosen one, with its replies streamed into the log.

smolagents' own streaming (`stream_outputs=True`) redraws all text at every delta. Here deltas are emitted from inside the
model, and the agent sees one complete message. Reasoning is streamed and then dropped: the agent, its memory and the parser
of its code never see it.
"""

import itertools
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from smolagents.models import ChatMessage, ChatMessageStreamDelta, Model, agglomerate_stream_deltas

from smoldesk.agents.call_meter import CallMeter
from smoldesk.agents.wrapper.call_record import CallLog, CallRecord
from smoldesk.agents.wrapper.prompt_limits import PromptLimits
from smoldesk.agents.wrapper.sent_pictures import SentPictures
from smoldesk.agents.wrapper.shown_reply import DeltaKind, ShownReply
from smoldesk.agents.wrapper.window import Window
from smoldesk.errors import DeskError, ModelFault
from smoldesk.events import Delta, PromptProgress, StepStarted
from smoldesk.models import close_model, translate
from smoldesk.models.adaptation import AdaptingCalls, SchemaRefused
from smoldesk.models.capabilities import SCHEMA, refusal_in
from smoldesk.models.errors import TooLong
from smoldesk.models.reasoning import CompleteReply, ReasonedDelta
from smoldesk.models.retries import Retries
from smoldesk.output_parser.model_text import ReplySplitter
from smoldesk.output_parser.structured_text import StructuredSplitter, structured_reply
from smoldesk.tools.run_context import RunContext

# Errors of a stream that began and did not come to its end.
_BROKEN = ("model_unreachable", "model_unavailable")
# What a library of another package's provider may refuse.
_SCHEMA_REQUEST: dict[str, Any] = {SCHEMA: {}, "messages": []}


class RunModel(Model):
    """Model of one run. `step` returns the number of the current step; `tags` are around code, None for an agent of calls."""

    def __init__(
        self,
        inner: Model,
        ctx: RunContext,
        step: Callable[[], int],
        tags: tuple[str, str] | None,
        limits: PromptLimits | None = None,
        pictures: SentPictures | None = None,
        meter: CallMeter | None = None,
    ) -> None:
        super().__init__(model_id=inner.model_id)
        self._inner = inner
        self._ctx = ctx
        self._step = step
        self._tags = tags
        self._started_step = 0
        self._written = False
        self._calls = CallLog(ctx, inner, step, meter or CallMeter())
        self._limits = limits or PromptLimits(Window(None))
        self._pictures = pictures or SentPictures()

    def generate(self, messages: list[ChatMessage], *args: Any, **kwargs: Any) -> ChatMessage:
        """Return one reply, streamed into the log. Raises Stopped or ModelFault.

        A stream that breaks is asked for again within the limit of retries: nothing of a reply runs before its end.
        """
        self._ctx.stop.check()
        structured = kwargs.get("response_format") is not None
        if structured:
            kwargs["stop_sequences"] = None  # they would also match inside of the JSON's strings
        messages = self._pictures.named(messages)
        try:
            return self._retried(messages, structured, *args, **kwargs)
        except TooLong as fault:
            if not self._limits.learn(fault):
                raise
            return self._retried(
                messages, structured, *args, **kwargs
            )  # shortened to the window of the error

    def _retried(
        self, messages: list[ChatMessage], structured: bool, *args: Any, **kwargs: Any
    ) -> ChatMessage:
        for attempt in itertools.count():
            self._start()
            with self._retry(attempt):
                return self._call(messages, structured, *args, **kwargs)
        raise AssertionError("the last attempt returns or raises")

    def _start(self) -> None:
        """Announce a step at its first call; at a further one, say that what the step has shown counts no longer."""
        if self._step() != self._started_step:
            self._started_step = self._step()
            self._ctx.emit(StepStarted(step=self._started_step))
        elif self._written:
            self._ctx.emit_soon(Delta(step=self._started_step, kind="text", text="", restart=True))
        self._written = False

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
            # an estimate, as the built-in analyst reports, says nothing of a window
            if record.usage is not None and getattr(self._inner, "counts_tokens", True):
                self._limits.check_count(record.usage.input_tokens, self._ctx)
        return reply

    def _reply(
        self, record: CallRecord, messages: list[ChatMessage], *args: Any, **kwargs: Any
    ) -> ChatMessage:
        stream: Callable[..., Any] | None = getattr(self._inner, "generate_stream", None)
        if stream is None:
            return self._inner.generate(messages, *args, **kwargs)
        structured = kwargs.get("response_format") is not None
        shown = ShownReply(
            self._emit_delta, StructuredSplitter() if structured else ReplySplitter(self._tags)
        )
        deltas: list[ChatMessageStreamDelta] = []
        endings: list[ReasonedDelta] = []
        for delta in stream(messages, *args, **kwargs):
            self._ctx.stop.check()
            reasoning = ""
            if isinstance(delta, ReasonedDelta):
                reasoning = delta.reasoning
                endings.append(delta)
            record.add_delta(delta, bool(reasoning))
            if isinstance(delta, ReasonedDelta) and delta.progress and record.is_news(delta.progress):
                self._ctx.emit(PromptProgress(step=self._step(), **delta.progress._asdict()))
            shown.write_reasoning(reasoning)
            deltas.append(replace(delta, content=shown.write(delta.content or "")))
        deltas.append(ChatMessageStreamDelta(content=shown.end()))
        reply = agglomerate_stream_deltas(deltas)
        if not any(delta.token_usage for delta in deltas):
            reply.token_usage = None  # smolagents sets 0 when the provider sends no counts
        if structured and isinstance(reply.content, str):
            reply.content = structured_reply(reply.content)
        return CompleteReply(
            **vars(reply),
            finish_reason=next((delta.finish_reason for delta in endings if delta.finish_reason), None),
            refusal="".join(delta.refusal for delta in endings),
            reasoned=shown.reasoned,
        )

    def _emit_delta(self, kind: DeltaKind, text: str, restart: bool = False) -> None:
        self._written = self._written or kind != "reasoning"
        self._ctx.emit_soon(Delta(step=self._step(), kind=kind, text=text, restart=restart))

    @contextmanager
    def _retry(self, attempt: int) -> Generator[None]:
        """Swallow the error of a broken stream, after a pause, when a further attempt is allowed."""
        try:
            yield
        except ModelFault as fault:
            retries = getattr(self._inner, "retries", None)
            if not (
                isinstance(retries, Retries)
                and attempt < retries.limit
                and self._written
                and fault.code in _BROKEN
            ):
                raise
            retries.pause(attempt)
            self._ctx.stop.check()

    def _log_changes(self, record: CallRecord) -> None:
        """Log the requests that the server refused before it took a changed one."""
        adapting: AdaptingCalls | None = getattr(self._inner, "adapting", None)
        for change in adapting.take_changes() if adapting else ():
            record.refusals.append(str(change))

    def _close_model(self) -> None:
        close_model(self._inner)

    def parse_tool_calls(self, message: ChatMessage) -> ChatMessage:
        """Read calls as the model's own class does, for agents that keep smolagents' step."""
        return self._inner.parse_tool_calls(message)
