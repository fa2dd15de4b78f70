"""Pieces that are streamed and timed: what a benchmark of streams relies on."""

import asyncio
import time

import pytest

from bench import stream
from bench.pieces import END, Order, made, piece
from bench.report import CannotMeasure
from tests.support.aio import run_async


def test_an_order_is_read_from_a_message_and_from_a_body_that_holds_it() -> None:
    order = Order(100, 60, 16)
    assert Order.read(order.message) == order
    assert Order.read(f'{{"messages": [{{"text": "{order.message}"}}]}}') == order
    assert Order.read("What is one?") is None


def test_only_an_order_with_a_rate_waits() -> None:
    began = time.monotonic()
    assert Order(9, 60, 0).wait(began, 8) == 0
    assert 90 < Order(9, 60, 1).wait(began, 100) <= 100
    assert Order(9, 60, 1).wait(began - 10, 8) == 0


def test_joined_pieces_are_counted_and_know_the_first_ones_time() -> None:
    before = time.monotonic_ns()
    text = piece(3, 0, 60)
    after = time.monotonic_ns()
    joined = text + piece(3, 1, 60)
    assert (len(text), joined.count(END)) == (60, 2)
    assert before <= made(joined) <= after


def test_a_stream_that_lost_a_piece_is_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    async def loses_one(port: int, order: Order) -> dict[str, int]:
        await asyncio.sleep(0)
        return {piece(0, number, order.size): 1 for number in range(order.pieces - 1)}

    monkeypatch.setitem(stream.WIRES, "SSE", loses_one)
    monkeypatch.setattr(stream, "processor_time", lambda wire: 0.0)  # pyright: ignore
    with pytest.raises(CannotMeasure, match="4 of 5 pieces"):
        run_async(stream._round(stream.Rounds(), "SSE", 0, Order(5, 60, 0), 1))  # pyright: ignore[reportPrivateUsage]


def test_a_frame_without_an_event_is_not_measured() -> None:
    with pytest.raises(CannotMeasure, match="1 frames over SSE"):
        stream._delays("SSE", {piece(0, 0, 60): 1}, {})  # pyright: ignore[reportPrivateUsage]
