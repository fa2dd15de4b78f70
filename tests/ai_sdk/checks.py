"""What is wrong with a turn, in words: nothing, if the server kept the protocol and the client came to its end."""

from collections.abc import Iterator

from tests.ai_sdk.driving import Drive, Exchange
from tests.ai_sdk.legend import legend
from tests.ai_sdk.scenarios import Scenario

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


def _different(what: str, came: object, wanted: object) -> Iterator[str]:
    if came != wanted:
        yield f"{what}: {came}, not {wanted}"
