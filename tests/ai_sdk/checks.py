"""What is wrong with a turn, in words: nothing, if the server kept the protocol and the client came to its end."""

from collections.abc import Iterable, Iterator
from string import ascii_uppercase

from tests.ai_sdk.driving import Chunk, Drive, Exchange, is_tool
from tests.ai_sdk.scenarios import Scenario

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
    """A turn in one line, to compare at a glance.

    S start; i tool-input-start and tool-input-available; ss, fs start-step, finish-step; q tool-approval-request; ok
    tool-output-available; no tool-output-error; T text-start, text-delta (one or more), text-end; F finish; D [DONE].
    `>>` is the client's answer, `>>out` one with the output of a tool that the client ran. Where a turn has several calls,
    each token of a call carries its letter: iA, qB. Reasoning is left out: it may come anywhere, and so is the evidence of
    an answer's figures. Anything else stands under its own type in angle brackets.
    """
    turn = list(turn)
    letters = _letters(turn)
    served: set[str] = set()
    labels: list[str] = []
    for number, exchange in enumerate(turn):
        if number:
            labels.append(">>out" if _brings_output(exchange, served) else ">>")
        labels += _labels([*exchange.chunks, *[DONE] * exchange.done], letters)
        served |= {
            chunk["toolCallId"] for chunk in exchange.chunks if chunk["type"].startswith("tool-output")
        }
    return " ".join(labels)


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


def _labels(chunks: list[Chunk], letters: dict[str, str]) -> Iterator[str]:
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
        elif kind not in ("tool-input-delta", "data-evidence"):
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


FINAL = {"output-available", "output-error", "output-denied"}
HEADERS = {
    "content-type": "text/event-stream",
    "cache-control": "no-cache",
    "x-vercel-ai-ui-message-stream": "v1",
    "x-accel-buffering": "no",
}


def problems(drive: Drive, scenario: Scenario) -> list[str]:
    """Everything wrong with a scenario that was played as the drive's first turn."""
    turn = drive.turns[0] if drive.turns else []
    return [
        *client_problems(drive),
        *wire_problems(drive, scenario.mode),
        *_different("the turn", legend(turn), scenario.legend),
        *_different("the parts", drive.states[: len(scenario.states)], list(scenario.states)),
        *_different("the number of [DONE]", sum(exchange.done for exchange in turn), scenario.done_count),
        *ran_though_denied(drive),
    ]


def client_problems(drive: Drive) -> Iterator[str]:
    """Whether the chat is at rest, with one whole message for each turn."""
    if drive.stopped:
        yield f"the client had to be stopped: {drive.stopped}"
    yield from drive.errors
    if drive.status != "ready":
        yield f"the chat is left {drive.status}"
    if len(drive.replies) != len(drive.turns):
        yield f"{len(drive.replies)} messages of the assistant for {len(drive.turns)} turns"
    for call in drive.calls:
        if call["state"] not in FINAL:
            yield f"{call['type']} is left {call['state']}"
    for reply in drive.replies:
        last = reply["parts"][-1] if reply["parts"] else {}
        if last.get("type") != "text" or last.get("state") != "done" or not last["text"].strip():
            yield f"a message ends with no whole text but with {last}"


def wire_problems(drive: Drive, mode: str) -> Iterator[str]:
    """Whether each response, or over a socket each turn, has the protocol's form and ends once."""
    for number, exchange in enumerate(drive.exchanges):
        yield from (f"request {number}: {fault}" for fault in _event_problems(exchange))
        if mode == "sse":
            yield from (f"request {number}: {fault}" for fault in _response_problems(exchange))
    if mode == "bidi":
        for number, turn in enumerate(drive.turns):
            if (count := sum(exchange.done for exchange in turn)) != 1:
                yield f"turn {number}: {count} [DONE]"


def ran_though_denied(drive: Drive) -> Iterator[str]:
    """A call that a person denied has no output, ever."""
    denied = {
        part["toolCallId"]
        for exchange in drive.exchanges
        for part in exchange.sent_parts
        if (part.get("approval") or {}).get("approved") is False
    }
    for exchange in drive.exchanges:
        for chunk in exchange.chunks:
            if chunk["type"] == "tool-output-available" and chunk["toolCallId"] in denied:
                yield f"a denied call ran: {chunk}"


def _event_problems(exchange: Exchange) -> Iterator[str]:
    yield from exchange.malformed
    for fault in exchange.invalid:
        yield f"invalid for {fault['against']}: {fault['problem']} in {exchange.chunks[fault['index']]}"


def _response_problems(exchange: Exchange) -> Iterator[str]:
    if exchange.status != 200:
        yield f"status {exchange.status}: {exchange.refusal}"
        return
    for name, value in HEADERS.items():
        if not (came := (exchange.headers or {}).get(name, "")).startswith(value):
            yield f"header {name} is {came!r}, not {value!r}"
    if exchange.done != 1:
        yield f"{exchange.done} [DONE]"
    elif exchange.events[-1] != "data: [DONE]":
        yield f"something follows [DONE]: {exchange.events[-1]}"
    if not exchange.ended:
        yield "the response was not closed"


def _different(what: str, came: object, expected: object) -> Iterator[str]:
    if came != expected:
        yield f"{what}: {came}, not {expected}"
