"""Records of model calls: the prompt message by message, the response, duration and tokens."""

import json
import reprlib
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from json.encoder import encode_basestring
from typing import Any

from smolagents.models import ChatMessage, ChatMessageStreamDelta, Model
from smolagents.monitoring import TokenUsage

from smoldesk.agents.call_meter import CallMeter
from smoldesk.errors import DeskError, Stopped
from smoldesk.events import ModelCalled
from smoldesk.models.prices import cost_of
from smoldesk.models.reasoning import CachedUsage, PromptShare
from smoldesk.tools.run_context import RunContext

# Shares of a prompt that are reported, however often its server does.
PROGRESS_STEPS = 20
# UTF-8 bytes per token, to estimate a prompt before its call.
BYTES_PER_TOKEN = 3


def message_json(message: ChatMessage) -> str:
    """Return a prompt's message as it is stored: role, content and calls, in this order. Pictures are stored by name.

    Content that is not JSON (a plug-in's model may return anything) is stored as its `repr`: a record never fails a run.
    """
    content: Any = message.content
    part = content[0] if isinstance(content, list) and len(content) == 1 else {}  # pyright: ignore
    text: Any = part["text"] if isinstance(part, dict) and [*part] == ["type", "text"] else None  # pyright: ignore
    if isinstance(text, str) and part["type"] == "text" and not message.tool_calls:
        # the same JSON as below in a tenth of the time: most messages of a prompt have this form
        role, text = encode_basestring(message.role), encode_basestring(text)
        return f'{{"role":{role},"content":[{{"type":"text","text":{text}}}]}}'
    data: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        data["tool_calls"] = [
            {"id": call.id, "name": call.function.name, "arguments": call.function.arguments}
            for call in message.tool_calls
        ]
    try:
        return _json(data)
    except (TypeError, ValueError, RecursionError):
        return _json({"role": message.role, "content": reprlib.repr(message.content)})


def _json(data: Mapping[str, Any]) -> str:
    return json.dumps(
        data, ensure_ascii=False, separators=(",", ":"), default=lambda value: f"[{type(value).__name__}]"
    )


class CallRecord:
    """One call in progress."""

    def __init__(self, shortened_count: int = 0, structured: bool = False) -> None:
        self.shortened_count = shortened_count
        self.structured = structured
        self._started_at = time.monotonic()
        self.first_token: float | None = None
        self.usage: TokenUsage | None = None
        self._reported_steps = -1
        self.response: ChatMessage | None = None
        self.refusals: list[str] = []
        """Reasons of refused requests, which were repeated with a change before this call."""

    def add_delta(self, delta: ChatMessageStreamDelta, has_reasoning: bool) -> None:
        """Take note of a streamed piece: the time of the first one, and the token usage."""
        if self.first_token is None and (delta.content or delta.tool_calls or has_reasoning):
            self.first_token = self.seconds()
        self.usage = delta.token_usage or self.usage

    def is_news(self, progress: PromptShare) -> bool:
        """Return whether a share of the prompt is worth an event: of each call, at most `PROGRESS_STEPS` and one are."""
        steps = progress.processed * PROGRESS_STEPS // progress.total
        self._reported_steps, before = max(steps, self._reported_steps), self._reported_steps
        return steps > before

    def end(self, response: ChatMessage) -> None:
        """Store the complete response."""
        self.response = response
        self.usage = self.usage or response.token_usage

    def seconds(self) -> float:
        """Return the seconds since the call started."""
        return round(time.monotonic() - self._started_at, 4)


class CallLog:
    """Log of one run's model calls. Each prompt is logged as the difference from the one before."""

    def __init__(self, ctx: RunContext, model: Model, step: Callable[[], int], meter: CallMeter) -> None:
        self._ctx = ctx
        self._meter = meter
        self._model = model
        self._step = step
        self._sent: list[str] = []

    @contextmanager
    def call(
        self, messages: Sequence[ChatMessage], shortened_count: int = 0, structured: bool = False
    ) -> Generator[CallRecord]:
        """Record a call and log it, however it ends.

        `shortened_count` messages were shortened; `structured`: the model is to answer by a schema. Raises the DeskError of
        a meter that refuses the call.
        """
        texts = [message_json(message) for message in messages]
        self._meter.before_call(len("".join(texts).encode("utf-8", "replace")) // BYTES_PER_TOKEN)
        prompt = [self._ctx.keep_message(text) for text in texts]
        record = CallRecord(shortened_count, structured)
        try:
            yield record
        except Stopped:
            self._write(prompt, record, "stopped")
            raise
        except DeskError as fault:
            self._write(prompt, record, str(fault))
            raise
        except Exception as fault:
            self._write(prompt, record, type(fault).__name__)  # the text of a foreign error may contain a key
            raise
        self._write(prompt, record, None)

    def _write(self, prompt: list[str], record: CallRecord, error: str | None) -> None:
        for refusal in record.refusals:
            self._write(prompt, CallRecord(record.shortened_count, record.structured), refusal)
        keep = 0
        while keep < min(len(prompt), len(self._sent)) and prompt[keep] == self._sent[keep]:
            keep += 1
        self._sent = prompt
        response = record.response
        usage = record.usage if getattr(self._model, "counts_tokens", True) else None
        cached = min(usage.cached_tokens, usage.input_tokens) if isinstance(usage, CachedUsage) else None
        counts = (usage.input_tokens, usage.output_tokens) if usage else (None, None)
        priced_as: str | None = getattr(self._model, "priced_as", None)
        call = ModelCalled(
            step=self._step(),
            model=self._model.model_id or "",
            keep=keep,
            then=prompt[keep:],
            response=self._ctx.keep_message(message_json(response), is_answer=True) if response else None,
            duration=record.seconds(),
            first_token=record.first_token,
            input_tokens=counts[0],
            output_tokens=counts[1],
            cached_tokens=cached,
            cost=cost_of(priced_as, usage.input_tokens, usage.output_tokens, cached or 0) if usage else None,
            error=error,
            left_out=record.shortened_count,
            structured=record.structured,
        )
        self._meter.after_call(call)
        self._ctx.emit(call)
