"""The report: its arithmetic, its table, its exit code; and the pieces that a benchmark of streams relies on."""

import asyncio
import time

import pytest

from bench import stream
from bench.__main__ import report
from bench.pieces import END, Order, made, piece
from bench.report import CannotMeasure, Ratio, Section, median, percentile, table
from tests.support.aio import run_async


def test_a_ratio_is_held_to_its_goal_and_without_one_to_nothing() -> None:
    verdicts = [Ratio("n", "1", "2", 0.3, goal).verdict for goal in (0.3, 0.29, None)]
    assert verdicts == ["met", "missed", "-"]


def test_the_table_has_a_line_for_each_ratio_with_its_columns_in_place() -> None:
    ratios = [Ratio("start", "1.00 ms", "4.00 ms", 0.25, 0.3), Ratio("memory", "9 MiB", "3 MiB", 3.0)]
    head, _, start, memory = table(ratios).splitlines()
    assert head.split() == ["name", "ours", "peer", "ratio", "goal", "verdict"]
    assert start.split() == ["start", "1.00", "ms", "4.00", "ms", "0.25", "0.3", "met"]
    assert memory.split() == ["memory", "9", "MiB", "3", "MiB", "3.00", "-", "-"]
    assert head.index("verdict") == start.index("met") == memory.rindex("-")


def test_percentiles_lie_where_they_should() -> None:
    values = [float(number) for number in range(100, 0, -1)]
    assert (percentile(values, 0.5), percentile(values, 0.99), percentile(values, 1)) == (51, 100, 100)


def test_nothing_measured_is_said_and_not_guessed() -> None:
    for empty in (lambda: median([]), lambda: percentile([], 0.5)):
        with pytest.raises(CannotMeasure):
            empty()


def test_a_missed_goal_is_no_failure(capsys: pytest.CaptureFixture[str]) -> None:
    section = Section("slow", figures=[("it took", "9 s")], ratios=[Ratio("slow", "9 s", "1 s", 9.0, 0.3)])
    assert report({"slow": lambda: section}) == 0
    printed = capsys.readouterr().out
    assert "it took  9 s" in printed and "missed" in printed and "processors" in printed


def test_what_could_not_be_measured_fails_the_report_and_leaves_the_rest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def broken() -> Section:
        raise CannotMeasure("there is no peer")

    good = Section("good", ratios=[Ratio("good", "1", "2", 0.5, 1.0)])
    assert report({"broken": broken, "good": lambda: good}) == 1
    printed = capsys.readouterr().out
    assert "could not be measured: broken: there is no peer" in printed
    assert "met" in printed


def test_an_order_is_read_from_a_message_and_from_a_body_that_holds_it() -> None:
    order = Order(100, 60, 16)
    assert Order.read(order.message) == order
    assert Order.read(f'{{"messages": [{{"text": "{order.message}"}}]}}') == order
    assert Order.read("What is one?") is None


def test_only_an_order_with_a_rate_waits() -> None:
    started_at = time.monotonic()
    assert Order(9, 60, 0).wait(started_at, 8) == 0
    assert 90 < Order(9, 60, 1).wait(started_at, 100) <= 100
    assert Order(9, 60, 1).wait(started_at - 10, 8) == 0


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
