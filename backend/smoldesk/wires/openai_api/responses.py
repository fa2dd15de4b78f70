"""Pieces of an answer as a response: the events of its stream, and the object that they come to. Pure.

The same pieces always make the same events under the same numbers: a stream that was lost goes on where it was.
"""

from collections.abc import Iterator
from typing import Any, assert_never

from pydantic import JsonValue

from smoldesk.runs import ClientToolSpec, RunOptions, RunRecord
from smoldesk.wires.openai_api.models import (
    CALL,
    METADATA_PREFIX,
    NAMED,
    AnswerEnd,
    AnswerText,
    ClientCall,
    Object,
    Piece,
    ReasoningPiece,
    ResponsePosition,
    client_name,
)

STATES = {"finished": "completed", "waiting": "completed", "failed": "failed", "cancelled": "cancelled"}
# The last event of a stream; the protocol has none for a cancelled one.
LAST = {
    "completed": "response.completed",
    "failed": "response.failed",
    "cancelled": "response.incomplete",
}


class ResponseFold:
    """One response; feed it all pieces, in order."""

    def __init__(self, place: ResponsePosition, record: RunRecord) -> None:
        self._name = place.named("resp")
        self._record = record
        self._number = -1
        self._output: list[Object] = []
        self._open: Object | None = None
        self._text: list[str] = []
        self._end: AnswerEnd | None = None

    # --- events ---------------------------------------------------------------------------------------------------------

    def begin(self) -> Iterator[Object]:
        """Yield the first events."""
        started = self.response() | {
            "status": "in_progress"
        }  # whether it was queued a moment ago is not in the log
        yield self._event("response.created", response=started)
        yield self._event("response.in_progress", response=started)

    def take(self, piece: Piece) -> Iterator[Object]:
        """Yield the events of a piece."""
        match piece:
            case ReasoningPiece(text=text):
                yield from self._write("reasoning", text)
            case AnswerText(text=text):
                yield from self._write("message", text)
            case ClientCall():
                yield from self._end_item()
                yield from self._call(piece)
            case AnswerEnd():
                yield from self._end_item()
                self._end = piece
                yield self._event(LAST[STATES[piece.state]], response=self.response())
            case _:
                assert_never(piece)

    def _event(self, kind: str, **fields: Any) -> Object:
        self._number += 1
        return {"type": kind, "sequence_number": self._number, **fields}

    def _write(self, kind: str, text: str) -> Iterator[Object]:
        if self._open is None or self._open["type"] != kind:
            yield from self._end_item()
            yield from self._begin_item(kind)
        self._text.append(text)
        yield self._event(f"{_PART[kind]}.delta", **self._here(kind), delta=text, **_LOGPROBS[kind])

    def _begin_item(self, kind: str) -> Iterator[Object]:
        self._text = []
        self._open = self._item(kind, "in_progress", "")
        yield self._event(
            "response.output_item.added", output_index=len(self._output), item=_bare(self._open)
        )
        added = (
            "response.reasoning_summary_part.added" if kind == "reasoning" else "response.content_part.added"
        )
        yield self._event(added, **self._here(kind), part=_part(kind, ""))

    def _end_item(self) -> Iterator[Object]:
        if self._open is None:
            return
        kind, text = str(self._open["type"]), "".join(self._text)
        yield self._event(f"{_PART[kind]}.done", **self._here(kind), text=text, **_LOGPROBS[kind])
        done = "response.reasoning_summary_part.done" if kind == "reasoning" else "response.content_part.done"
        yield self._event(done, **self._here(kind), part=_part(kind, text))
        item = self._item(kind, "completed", text)
        self._open = None
        yield from self._done(item)

    def _done(self, item: Object) -> Iterator[Object]:
        self._output.append(item)
        yield self._event("response.output_item.done", output_index=len(self._output) - 1, item=item)

    def _call(self, call: ClientCall) -> Iterator[Object]:
        item: Object = {"id": f"fc_{call.call_id}", "type": "function_call", "call_id": call.call_id}
        item |= {"name": call.name, "arguments": "", "status": "in_progress"}
        here = {"item_id": item["id"], "output_index": len(self._output)}
        yield self._event("response.output_item.added", output_index=len(self._output), item=item)
        function = {"name": call.name, "arguments": call.arguments}
        yield self._event("response.function_call_arguments.delta", **here, delta=call.arguments)
        yield self._event("response.function_call_arguments.done", **here, **function)
        yield from self._done(item | {"arguments": call.arguments, "status": "completed"})

    def _here(self, kind: str) -> Object:
        index = "summary_index" if kind == "reasoning" else "content_index"
        return {"item_id": self._item_id(kind), "output_index": len(self._output), index: 0}

    def _item_id(self, kind: str) -> str:
        return (
            f"{'rs' if kind == 'reasoning' else 'msg'}_{self._name.removeprefix('resp_')}_{len(self._output)}"
        )

    def _item(self, kind: str, status: str, text: str) -> Object:
        item: Object = {"id": self._item_id(kind), "type": kind, "status": status}
        if kind == "reasoning":
            return item | {"summary": [_part(kind, text)]}
        return item | {"role": "assistant", "content": [_part(kind, text)]}

    # --- the object -----------------------------------------------------------------------------------------------------

    def response(self) -> Object:
        """Return the current response."""
        record, end = self._record, self._end
        metadata = record.options.metadata or {}

        def stored_value(name: str) -> JsonValue:
            return metadata.get(f"{METADATA_PREFIX}{name}")

        form = record.options.answer_format
        state = STATES[end.state] if end else "queued" if record.state == "queued" else "in_progress"
        failed = state == "failed" and end is not None
        return {
            "id": self._name,
            "object": "response",
            "created_at": int(record.created_at),
            "completed_at": int(end.at) if end and state == "completed" else None,
            "status": state,
            "background": bool(stored_value("background")),
            "error": {"code": "server_error", "message": end.message} if failed and end else None,
            "incomplete_details": None,
            "instructions": stored_value("instructions"),
            "max_output_tokens": None,
            "model": stored_value("model") or "",
            "output": [*self._output],
            "parallel_tool_calls": True,
            "previous_response_id": stored_value("previous"),
            "conversation": {"id": stored_value("conversation")} if stored_value("conversation") else None,
            "reasoning": {"effort": None, "summary": None},
            "store": bool(stored_value("store")),
            "temperature": None,
            "text": {"format": form if form and form["type"] != CALL else {"type": "text"}},
            "tool_choice": _choice(record.options),
            "tools": [_declared(tool) for tool in record.options.client_tools or []],
            "top_p": None,
            "truncation": "disabled",
            "usage": _usage(end) if end else None,
            "metadata": {
                name: value for name, value in metadata.items() if not name.startswith(METADATA_PREFIX)
            },
        }


_PART = {"reasoning": "response.reasoning_summary_text", "message": "response.output_text"}
_LOGPROBS: dict[str, Object] = {"reasoning": {}, "message": {"logprobs": []}}


def _declared(tool: ClientToolSpec) -> Object:
    schema = {name: value for name, value in tool.parameters.items() if name != NAMED}
    about: Object = {"type": "function", "name": client_name(tool), "description": tool.description}
    return about | {"parameters": schema, "strict": False}


def _choice(options: RunOptions) -> JsonValue:
    form = options.answer_format
    if form is not None and form["type"] == CALL:
        return {"type": "function", "name": form["name"]}
    return "required" if options.must_call else "auto"


def _part(kind: str, text: str) -> Object:
    if kind == "reasoning":
        return {"type": "summary_text", "text": text}
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _bare(item: Object) -> Object:
    """Return an item without content, for its start."""
    return item | ({"summary": []} if item["type"] == "reasoning" else {"content": []})


def _usage(end: AnswerEnd) -> Object:
    input_tokens, output_tokens = end.input_tokens or 0, end.output_tokens or 0
    return {
        "input_tokens": input_tokens,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": output_tokens,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": input_tokens + output_tokens,
    }
