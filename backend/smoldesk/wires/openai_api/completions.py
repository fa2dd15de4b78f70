"""Pieces of an answer as a chat completion: whole, or in chunks. Pure.

What the agent does on its way is `reasoning_content`, as front ends show it apart; the answer is `content`, Markdown.
"""

from collections.abc import Iterable, Iterator
from typing import Any, assert_never

from smoldesk.wires.openai_api.errors import RunBroke, error_of
from smoldesk.wires.openai_api.models import AnswerEnd, AnswerText, ClientCall, Object, Piece, ReasoningPiece


class Completion:
    """One answer; feed it all pieces, in order."""

    def __init__(self, name: str, model: str, created: float, usage: bool = False) -> None:
        """`name` is its id, `usage` whether a chunk with the counted tokens ends it."""
        self._head: Object = {"id": name, "created": int(created), "model": model}
        self._usage = usage
        self._calls = 0

    # --- in chunks ------------------------------------------------------------------------------------------------------

    def begin(self) -> Object:
        """Return the first chunk."""
        return self._chunk({"role": "assistant", "content": ""})

    def chunks(self, piece: Piece) -> Iterator[Object]:
        """Yield the chunks of a piece; an AnswerEnd without an answer is {"error"}, which clients raise."""
        match piece:
            case ReasoningPiece(text=text):
                yield self._chunk({"reasoning_content": text})
            case AnswerText(text=text):
                yield self._chunk({"content": text})
            case ClientCall():
                self._calls += 1
                yield self._chunk({"tool_calls": [{"index": self._calls - 1, **_call(piece)}]})
            case AnswerEnd(state="failed" | "cancelled"):
                yield {"error": error_of(piece.code, piece.message)}
            case AnswerEnd():
                yield self._chunk({}, _reason(self._calls))
                if self._usage:
                    yield self._chunk(None) | {"usage": usage_of(piece)}
            case _:
                assert_never(piece)

    def _chunk(self, delta: Object | None, reason: str | None = None) -> Object:
        choices = (
            [] if delta is None else [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}]
        )
        more: Object = {"usage": None} if self._usage else {}
        return self._head | {"object": "chat.completion.chunk", "choices": choices} | more

    # --- whole ----------------------------------------------------------------------------------------------------------

    def completion(self, pieces: Iterable[Piece]) -> Object:
        """Return the completion of all pieces. Raises RunBroke for one without an answer."""
        thoughts: list[str] = []
        texts: list[str] = []
        calls: list[Object] = []
        usage: Object | None = None
        for piece in pieces:
            match piece:
                case ReasoningPiece(text=text):
                    thoughts.append(text)
                case AnswerText(text=text):
                    texts.append(text)
                case ClientCall():
                    calls.append(_call(piece))
                case AnswerEnd(state="failed" | "cancelled"):
                    raise RunBroke(piece)
                case AnswerEnd():
                    usage = usage_of(piece)
                case _:
                    assert_never(piece)
        message: Object = {
            "role": "assistant",
            "content": "".join(texts) or (None if calls else ""),
            "refusal": None,
        }
        if thoughts:
            message["reasoning_content"] = "".join(thoughts)
        if calls:
            message["tool_calls"] = calls
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _reason(len(calls))}
        return self._head | {"object": "chat.completion", "choices": [choice], "usage": usage}


def _call(call: ClientCall) -> dict[str, Any]:
    return {
        "id": call.call_id,
        "type": "function",
        "function": {"name": call.name, "arguments": call.arguments},
    }


def _reason(calls: int) -> str:
    return "tool_calls" if calls else "stop"


def usage_of(end: AnswerEnd) -> Object:
    """Return the counted tokens; 0 if unknown, since clients accept no other value."""
    prompt, completion = end.input_tokens or 0, end.output_tokens or 0
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
