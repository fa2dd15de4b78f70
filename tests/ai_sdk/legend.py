"""A turn in one line, to compare at a glance.

S start; i tool-input-start and tool-input-available; ss, fs start-step, finish-step; q tool-approval-request; ok
tool-output-available; no tool-output-error; T text-start, text-delta (one or more), text-end; F finish; D [DONE].
`>>` is the client's answer, `>>out` one with the output of a tool that the client ran. Where a turn has several calls,
each token of a call carries its letter: iA, qB. Reasoning is left out: it may come anywhere. Anything else stands under
its own type in angle brackets.
"""

from collections.abc import Iterable, Iterator
from string import ascii_uppercase

from tests.ai_sdk.driving import Chunk, Exchange, is_tool

DONE: Chunk = {"type": "[DONE]"}
PLAIN = {"start": "S", "start-step": "ss", "finish-step": "fs", "finish": "F", "[DONE]": "D"}
OF_A_CALL = {
    "tool-input-available": "i",
    "tool-approval-request": "q",
    "tool-output-available": "ok",
    "tool-output-error": "no",
}
RUNS = {
    "text-start": ("text-delta", "text-end", "T"),
    "reasoning-start": ("reasoning-delta", "reasoning-end", ""),
}


def legend(turn: Iterable[Exchange]) -> str:
    """The line for a turn."""
    turn = list(turn)
    letters = _letters(turn)
    served: set[str] = set()
    words: list[str] = []
    for number, exchange in enumerate(turn):
        if number:
            words.append(">>out" if _brings_output(exchange, served) else ">>")
        words += _words([*exchange.chunks, *[DONE] * exchange.done], letters)
        served |= {
            chunk["toolCallId"] for chunk in exchange.chunks if chunk["type"].startswith("tool-output")
        }
    return " ".join(words)


def _letters(turn: list[Exchange]) -> dict[str, str]:
    """A letter per call, in the order they came; none for a single one."""
    ids = [chunk["toolCallId"] for exchange in turn for chunk in exchange.chunks if "toolCallId" in chunk]
    calls = list(dict.fromkeys(ids))
    return {
        call: letter if len(calls) > 1 else "" for call, letter in zip(calls, ascii_uppercase, strict=False)
    }


def _brings_output(exchange: Exchange, served: set[str]) -> bool:
    return any(
        is_tool(part)
        and part["state"] in ("output-available", "output-error")
        and part["toolCallId"] not in served
        for part in exchange.sent_parts
    )


def _words(chunks: list[Chunk], letters: dict[str, str]) -> Iterator[str]:
    place = 0
    while place < len(chunks):
        kind = chunks[place]["type"]
        if kind in RUNS:
            word, place = _run(chunks, place)
            if word:
                yield word
            continue
        letter = letters.get(chunks[place].get("toolCallId", ""), "")
        if kind in PLAIN:
            yield PLAIN[kind]
        elif kind == "tool-input-start" and _goes_on(chunks, place):
            pass  # its tool-input-available follows at once and speaks for both
        elif kind == "tool-input-available" and not _came_before(chunks, place):
            yield f"<{kind}>{letter}"
        elif kind in OF_A_CALL:
            yield OF_A_CALL[kind] + letter
        elif kind != "tool-input-delta":
            yield f"<{kind}>{letter}"
        place += 1


def _run(chunks: list[Chunk], place: int) -> tuple[str, int]:
    """One text or reasoning, and where it ends; one that does not end well stands there as its start's type."""
    kind = chunks[place]["type"]
    delta, end, word = RUNS[kind]
    last = place + 1
    while last < len(chunks) and chunks[last]["type"] == delta and chunks[last]["id"] == chunks[place]["id"]:
        last += 1
    ends = last < len(chunks) and chunks[last]["type"] == end and chunks[last]["id"] == chunks[place]["id"]
    if ends and last > place + 1:
        return word, last + 1
    return f"<{kind}>", last


def _call_chunks(chunks: list[Chunk], place: int, step: int) -> str:
    """The type of the nearest chunk before or after that is no delta of the same call's input; empty for another call."""
    call = chunks[place]["toolCallId"]
    place += step
    while 0 <= place < len(chunks) and chunks[place]["type"] == "tool-input-delta":
        place += step
    if not 0 <= place < len(chunks) or chunks[place].get("toolCallId") != call:
        return ""
    return chunks[place]["type"]


def _goes_on(chunks: list[Chunk], place: int) -> bool:
    return _call_chunks(chunks, place, 1) == "tool-input-available"


def _came_before(chunks: list[Chunk], place: int) -> bool:
    return _call_chunks(chunks, place, -1) == "tool-input-start"
