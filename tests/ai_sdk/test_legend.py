"""A turn as one line: each fault of order or pairing shows in it."""

import json

from tests.ai_sdk import written
from tests.ai_sdk.driving import Chunk, Exchange
from tests.ai_sdk.legend import legend
from tests.ai_sdk.scenarios import SCENARIOS

REASONING: list[Chunk] = [
    {"type": "reasoning-start", "id": "r"},
    {"type": "reasoning-delta", "id": "r", "delta": "hm"},
    {"type": "reasoning-end", "id": "r"},
]


def exchange(events: list[str], parts: list[Chunk] | None = None) -> Exchange:
    chunks = [json.loads(event.removeprefix("data: ")) for event in events if event != written.DONE]
    message = {"role": "assistant" if parts is not None else "user", "parts": parts or []}
    return Exchange({"messages": [message]}, events, chunks, events.count(written.DONE), True, [], [])


def line(*chunks: Chunk | list[Chunk]) -> str:
    return legend([exchange(written.events(*chunks))])


def test_each_part_of_a_turn_has_its_token() -> None:
    turn = [exchange(written.ASKED_BIDI), exchange(written.DENIED_BIDI[1], [])]
    assert legend(turn) == "S i ss q fs >> no T F D"


def test_two_calls_are_told_apart_by_letters() -> None:
    both = [*written.call("1"), *written.call("2"), written.asks("1"), written.asks("2")]
    assert line(both, written.gives("2"), written.fails("1")) == "iA iB qA qB okB noA"


def test_an_output_that_the_client_ran_marks_its_answer() -> None:
    ran = [{"type": "tool-get_location", "toolCallId": "call-1", "state": "output-available"}]
    asked = exchange(written.ASKED_SSE)
    assert legend([asked, exchange(written.APPROVED_SSE[1], ran)]) == "S i q F D >>out S ok T F D"
    served = [exchange(written.APPROVED_SSE[1]), exchange([], ran)]
    assert legend(served) == "S ok T F D >>"


def test_reasoning_and_pieces_of_an_input_are_left_out() -> None:
    begun, given = written.call()
    pieces = [{"type": "tool-input-delta", "toolCallId": "call-1", "inputTextDelta": piece} for piece in "{}"]
    assert line(written.start(), REASONING, begun, pieces, given) == "S i"


def test_what_has_no_partner_or_no_token_stands_under_its_own_type() -> None:
    begun, given = written.call()
    begin, delta, end = written.text()
    assert line(begun, begin) == "<tool-input-start> <text-start>"
    assert line(given) == "<tool-input-available>"
    assert line(begin, end) == "<text-start> <text-end>"
    assert line(delta) == "<text-delta>"
    assert line(REASONING[:2]) == "<reasoning-start>"
    assert line({"type": "data-table", "data": {}}) == "<data-table>"
    assert line([*written.call("1")[:1], *written.call("2"), *written.call("1")[1:]]) == (
        "<tool-input-start>A iB <tool-input-available>A"
    )


def test_there_are_21_scenarios_with_names_of_their_own() -> None:
    assert len({scenario.name for scenario in SCENARIOS}) == len(SCENARIOS) == 21
    for scenario in SCENARIOS:
        assert scenario.mode in scenario.name
        assert scenario.done_count == (1 if scenario.mode == "bidi" else 1 + scenario.legend.count(">>"))
