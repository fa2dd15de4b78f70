"""How turns are compared: in one line, where each fault of order shows, and fixtures without what differs from run to run."""

import json
from dataclasses import replace
from typing import Any

from tests.ai_sdk import recorded
from tests.ai_sdk import replaying_server as written
from tests.ai_sdk.checks import legend
from tests.ai_sdk.driving import Chunk, Drive, Exchange
from tests.ai_sdk.recorded import Fixture
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
    ask_exchange = exchange(written.ASKED_SSE)
    assert legend([ask_exchange, exchange(written.APPROVED_SSE[1], ran)]) == "S i q F D >>out S ok T F D"
    served = [exchange(written.APPROVED_SSE[1]), exchange([], ran)]
    assert legend(served) == "S ok T F D >>"


def test_reasoning_and_pieces_of_an_input_are_left_out() -> None:
    start, delta = written.call()
    pieces = [{"type": "tool-input-delta", "toolCallId": "call-1", "inputTextDelta": piece} for piece in "{}"]
    assert line(written.start(), REASONING, start, pieces, delta) == "S i"


def test_what_has_no_partner_or_no_token_stands_under_its_own_type() -> None:
    start, input_delta = written.call()
    begin, delta, end = written.text()
    assert line(start, begin) == "<tool-input-start> <text-start>"
    assert line(input_delta) == "<tool-input-available>"
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


SCENARIO = next(
    scenario for scenario in SCENARIOS if scenario.name == "process_payment-approved-sse-baseline"
)
SAID = {"id": "m", "role": "user", "parts": [{"type": "text", "text": SCENARIO.message}]}


def fixture_of(responses: list[list[str]], name: str = SCENARIO.name) -> Fixture:
    """The fixture of a turn in which these responses came."""
    exchanges = [
        Exchange(
            request={
                "messages": [SAID if number == 0 else {"role": "assistant"}],
                "trigger": "submit-message",
            },
            events=events,
            chunks=[json.loads(event[len("data: ") :]) for event in events if event != written.DONE],
            done=events.count(written.DONE),
            ended=True,
            malformed=[],
            invalid=[],
        )
        for number, events in enumerate(responses)
    ]
    played = Drive(6, "chat", "ready", [], [], [], exchanges, [], None)
    return recorded.fixture(played, replace(SCENARIO, name=name), "by hand")


def paid(transaction: str, call_id: str, when: str, *pieces: str) -> list[list[str]]:
    output = {"transaction_id": transaction, "timestamp": when, "wallet_balance": 970}
    begin, delta, end = written.text()
    text_chunks: list[Any] = [begin, *({**delta, "delta": piece} for piece in pieces), end]
    ask_events = written.events(written.start(), written.call(call_id), written.asks(call_id), written.FINISH)
    metadata = {"usage": {"totalTokens": len(when)}, "durations": {"run": len(when), "steps": [len(when)]}}
    finish = written.FINISH | {"messageMetadata": metadata}
    answer_events = written.events(written.start(), written.gives(call_id, output), text_chunks, finish)
    return [[*ask_events, written.DONE], [*answer_events, written.DONE]]


def test_ids_times_counts_and_pieces_of_text_make_no_difference() -> None:
    first = fixture_of(paid("txn_12345678", "call-a", "2026-01-01T00:00:00Z", "Paid: ", "txn_12345678"))
    other = fixture_of(
        paid("txn_87654321", "call-b", "2026-02-02T02:02:02.123Z", "Pa", "id: txn_876", "54321")
    )
    assert first != other
    assert recorded.normal(first) == recorded.normal(other)


def test_another_balance_text_order_or_end_makes_a_difference() -> None:
    responses = paid("txn_12345678", "call-a", "now", "Paid.")
    normal = recorded.normal(fixture_of(responses))
    for old, new in (("970", "940"), ("Paid.", "Not paid."), ('"stop"', '"error"'), ("Alice", "Mallory")):
        changed = [[event.replace(old, new) for event in events] for events in responses]
        assert changed != responses
        assert recorded.normal(fixture_of(changed)) != normal
    assert recorded.normal(fixture_of([responses[0], responses[1][:-1]])) != normal
    assert recorded.normal(fixture_of([[*responses[0][:-2], written.DONE], responses[1]])) != normal


def test_which_id_is_meant_makes_a_difference() -> None:
    calls = [*written.call("call-a"), *written.call("call-b")]
    first = [written.events(calls, written.gives("call-a"), written.fails("call-b"))]
    other = [written.events(calls, written.gives("call-b"), written.fails("call-a"))]
    assert recorded.normal(fixture_of(first)) != recorded.normal(fixture_of(other))


def test_a_fixture_holds_the_events_as_they_came() -> None:
    fixture = fixture_of(written.APPROVED_SSE)
    assert fixture["input"] == {"messages": [SAID], "trigger": "submit-message"}
    assert fixture["output"]["rawEvents"][-1] == "data: [DONE]\n\n"
    assert fixture["output"]["expectedDoneCount"] == 2
    assert fixture["output"]["expectedStreamCompletion"] is True
    assert recorded.responses(fixture) == written.APPROVED_SSE


def test_a_turn_over_bidi_is_replayed_up_to_each_open_approval() -> None:
    assert (
        recorded.responses(fixture_of(written.DENIED_BIDI, "process_payment-denied-bidi-baseline"))
        == written.DENIED_BIDI
    )


def test_a_turn_that_broke_off_is_no_complete_one() -> None:
    broken = fixture_of([written.APPROVED_SSE[0], written.APPROVED_SSE[1][:-1]])
    assert broken["output"]["expectedStreamCompletion"] is False
