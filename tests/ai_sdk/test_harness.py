"""The harness itself: the real clients come to their end on a stream in order, and every fault put into one is told.

The streams here are written by hand; what our server sends is tested in test_scenarios.py.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.ai_sdk import replaying_server as written
from tests.ai_sdk.checks import problems
from tests.ai_sdk.driving import (
    Drive,
    Version,
    drive,
    read_streams,
)
from tests.ai_sdk.replaying_server import Events, replaying
from tests.ai_sdk.scenarios import SCENARIOS, Scenario

BY_NAME = {scenario.name: scenario for scenario in SCENARIOS}
both_versions = pytest.mark.parametrize("version", [6, 7])


def played(
    node: Path, port: int, name: str, responses: Any, version: Version = 6, **parameters: Any
) -> tuple[Drive, list[str]]:
    """A scenario played against responses that were written by hand, and what is wrong with it."""
    scenario: Scenario = BY_NAME[name]
    with replaying(responses, port) as server:
        came = drive(node, scenario.played(server.url, version) | {"seconds": 60} | parameters)
    return came, problems(came, scenario)


def edited(responses: list[Events], request: int, old: str, new: str) -> list[Events]:
    """The responses with one text replaced in all events of one of them."""
    changed = [event.replace(old, new) for event in responses[request]]
    assert changed != responses[request], f"{old!r} is not in it"
    return [*responses[:request], changed, *responses[request + 1 :]]


@both_versions
def test_an_approval_over_sse_comes_to_its_end(node_path: Path, free_port: int, version: Version) -> None:
    came, wrong = played(
        node_path, free_port, "process_payment-approved-sse-baseline", written.APPROVED_SSE, version
    )
    assert wrong == []
    assert came.states == [("process_payment", "output-available")]
    assert len(came.exchanges) == 2
    assert came.statuses[-1] == "ready"
    part = came.exchanges[1].sent_parts[0]
    assert (part["state"], part["approval"]["approved"]) == ("approval-responded", True)


@both_versions
def test_a_denial_over_bidi_comes_to_its_end_on_one_socket(
    node_path: Path, free_port: int, version: Version
) -> None:
    came, wrong = played(
        node_path, free_port, "process_payment-denied-bidi-baseline", written.DENIED_BIDI, version
    )
    assert wrong == []
    assert came.states == [("process_payment", "output-error")]
    assert came.exchanges[1].sent_parts[-2]["approval"]["reason"] == "Not today"


def test_both_envelopes_and_a_ping_go_over_the_socket(node_path: Path, free_port: int) -> None:
    came, wrong = played(
        node_path,
        free_port,
        "process_payment-denied-bidi-baseline",
        written.DENIED_BIDI,
        envelope="nested",
        ping=True,
    )
    assert wrong == []
    assert came.exchanges[0].request.keys() == {"type", "version", "data"}
    assert came.out_of_band == ['{"type": "pong", "timestamp": 1234567890}']


def test_the_stock_websocket_transport_of_7_plays_requests_and_answers(
    node_path: Path, free_port: int
) -> None:
    parameters = {"text": "Pay 30 USD to Alice", "answers": [{"tool": "process_payment", "approved": True}]}
    with replaying(written.APPROVED_SSE, free_port) as server:
        url = server.url.replace("http", "ws") + "/live"
        came = drive(node_path, {"url": url, "version": 7, "transport": "stock", "turns": [parameters]})
    assert came.errors == []
    assert came.states == [("process_payment", "output-available")]
    assert [exchange.done for exchange in came.exchanges] == [1, 1]
    assert [exchange.request["type"] for exchange in came.exchanges] == ["send", "send"]


def test_a_request_that_expires_is_read_by_a_client_that_keeps_its_stream(
    node_path: Path, free_port: int
) -> None:
    responses = [written.ASKED_BIDI + written.DENIED_BIDI[1]]
    _, wrong = played(node_path, free_port, "process_payment-timeout-bidi-baseline", responses)
    assert wrong == []


@both_versions
def test_an_output_of_the_client_goes_with_its_approval(
    node_path: Path, free_port: int, version: Version
) -> None:
    location = written.call(tool="get_location", arguments={})
    response = [*written.events(written.start(), location, written.asks(), written.FINISH), written.DONE]
    came, wrong = played(
        node_path,
        free_port,
        "get_location-approved-sse-baseline",
        [response, written.APPROVED_SSE[1]],
        version,
    )
    assert wrong == []
    part = came.exchanges[1].sent_parts[0]
    assert (part["state"], part["approval"]["approved"]) == ("output-available", True)
    assert part["output"]["city"] == "Tokyo"


def test_a_key_that_only_later_releases_take_is_told(node_path: Path, free_port: int) -> None:
    faulty = edited(written.APPROVED_SSE, 0, '"type": "start"', '"type": "start", "colour": "red"')  # pyright: ignore[reportArgumentType]
    _, wrong = played(node_path, free_port, "process_payment-approved-sse-baseline", faulty)
    assert len(wrong) == 1
    assert 'request 0: invalid for 6.0.0: Unrecognized key: "colour"' in wrong[0]


def test_a_chunk_that_only_7_knows_is_told(node_path: Path, free_port: int) -> None:
    faulty = edited(written.APPROVED_SSE, 1, '"type": "start"', '"type": "reset-step"')  # pyright: ignore[reportArgumentType]
    _, wrong = played(node_path, free_port, "process_payment-approved-sse-baseline", faulty, 7)
    assert any('invalid for 6.0.0: no such chunk: "reset-step"' in fault for fault in wrong)


def test_a_chunk_that_kills_the_client_is_told(node_path: Path, free_port: int) -> None:
    faulty = edited(written.APPROVED_SSE, 1, '"messageId": "message-1"', '"messageId": null')  # pyright: ignore[reportArgumentType]
    came, wrong = played(node_path, free_port, "process_payment-approved-sse-baseline", faulty)
    assert came.status == "error"
    assert any("invalid for ai 6: messageId: Invalid input" in fault for fault in wrong)


def test_a_second_done_is_told(node_path: Path, free_port: int) -> None:
    faulty = [written.APPROVED_SSE[0], [*written.APPROVED_SSE[1], written.DONE]]
    _, wrong = played(node_path, free_port, "process_payment-approved-sse-baseline", faulty)
    assert "request 1: 2 [DONE]" in wrong


def test_a_done_in_the_middle_of_a_turn_over_bidi_is_told(node_path: Path, free_port: int) -> None:
    faulty = [[*written.ASKED_BIDI, written.DONE], written.DENIED_BIDI[1]]
    _, wrong = played(node_path, free_port, "process_payment-denied-bidi-baseline", faulty)
    # It comes before the client's answer went, or ends the stream that the answer opened.
    assert {"turn 0: 2 [DONE]", "tool-process_payment is left approval-responded"} & set(wrong)


def test_two_events_in_one_frame_are_told(node_path: Path, free_port: int) -> None:
    first, second, *remaining = written.DENIED_BIDI[1]
    faulty = [written.ASKED_BIDI, [f"{first}\n\n{second}", *remaining]]
    _, wrong = played(node_path, free_port, "process_payment-denied-bidi-baseline", faulty, seconds=4)
    assert any("not one JSON value" in fault for fault in wrong)


def test_a_client_that_asks_for_ever_is_stopped_and_told(node_path: Path, free_port: int) -> None:
    silent = [*written.events(written.start(), written.FINISH), written.DONE]

    def respond(request: int) -> Events:
        return silent if request else written.ASKED_SSE

    came, wrong = played(node_path, free_port, "process_payment-denied-sse-baseline", respond, maxRequests=5)
    assert len(came.exchanges) == 5
    assert "the client had to be stopped: more than 5 requests" in wrong
    assert "tool-process_payment is left approval-responded" in wrong


def test_a_client_that_is_left_waiting_is_stopped_and_told(node_path: Path, free_port: int) -> None:
    unfinished = [written.ASKED_BIDI, written.DENIED_BIDI[1][:-1]]
    _, wrong = played(node_path, free_port, "process_payment-denied-bidi-baseline", unfinished, seconds=1)
    assert "the client had to be stopped: not at its end after 1 s" in wrong


def test_a_denied_call_that_ran_is_told(node_path: Path, free_port: int) -> None:
    _, wrong = played(node_path, free_port, "process_payment-denied-sse-baseline", written.APPROVED_SSE)
    assert any(fault.startswith("a denied call ran") for fault in wrong)


def test_a_continuation_under_a_new_id_is_told(node_path: Path, free_port: int) -> None:
    faulty = edited(written.APPROVED_SSE, 1, "message-1", "message-2")  # pyright: ignore[reportArgumentType]
    _, wrong = played(node_path, free_port, "process_payment-approved-sse-baseline", faulty)
    assert "2 messages of the assistant for 1 turns" in wrong


def test_a_refused_request_is_told(node_path: Path, free_port: int) -> None:
    _, wrong = played(node_path, free_port, "process_payment-approved-sse-baseline", [written.ASKED_SSE])
    assert "request 1: status 409: there is no response left" in wrong


def test_chunks_in_another_order_are_told(node_path: Path, free_port: int) -> None:
    late = [*written.events(written.start(), written.text(), written.gives(), written.FINISH), written.DONE]
    _, wrong = played(
        node_path, free_port, "process_payment-approved-sse-baseline", [written.ASKED_SSE, late]
    )
    assert "the turn: S i q F D >> S T ok F D, not S i q F D >> S ok T F D" in wrong


@pytest.mark.parametrize("version", ["first", 6, 7])
def test_recorded_responses_are_read_again(node_path: Path, version: Any) -> None:
    responses = ["".join(f"{event}\n\n" for event in response) for response in written.APPROVED_SSE]
    [reading] = read_streams(node_path, version, [responses])
    assert reading.errors == []
    assert reading.message is not None
    assert [part["type"] for part in reading.message["parts"]] == ["tool-process_payment", "text"]


@pytest.mark.parametrize("version", ["first", 6, 7])
def test_a_recorded_response_that_no_client_could_read_is_told(node_path: Path, version: Any) -> None:
    [reading] = read_streams(node_path, version, [[f"{written.events(written.gives())[0]}\n\n"]])
    assert len(reading.errors) == 1
