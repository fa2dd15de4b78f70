"""Each benchmark, tiny: that it runs against the desk of today and reports what it promises. No figure is judged.

Nine that start the most processes are slow tests; each has a quicker neighbour here that goes the same way: the echo, the
tasks of A2A, streams, the debug pane, the start and the overhead of a run.
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from bench import (
    a2a,
    analyst,
    beside_cells,
    conversations,
    databases,
    echo,
    growth,
    log,
    map,
    open_sockets,
    overhead,
    page,
    parser,
    sandbox,
    startup,
    stream,
    tables,
    tasks,
    terminals,
    trace,
    wires,
)
from bench.browsing import chromium
from bench.report import CannotMeasure, Section
from tests.support.aio import aside
from tests.support.postgres import TestPostgres
from tests.support.servers import http_served

pytestmark = [pytest.mark.starts, pytest.mark.slow]

NUMBER = re.compile(r"\d+(\.\d+)?")


def names(section: Section) -> list[str]:
    """The names of the figures; each has a number."""
    assert all(NUMBER.search(value) for _, value in section.figures)
    assert all(ratio.ratio > 0 for ratio in section.ratios)
    return [name for name, _ in section.figures]


def test_the_overhead_of_a_run_is_told_whole_and_around_the_agent() -> None:
    section = aside(lambda: overhead.measure(turns=1, memory=2))
    assert names(section)[:4] == ["desk, whole", "desk, around the agent", "bare, OFF", "bare, default"]
    assert [ratio.goal for ratio in section.ratios] == [0.3, 0.3, 0.3, None, None]


def test_the_log_is_measured_alone_and_beside_busy_cells() -> None:
    section = aside(lambda: log.measure(events=200, chats=4, rate=20, seconds=0.5, cells=1))
    assert names(section) == ["appended at most", "latency alone", "latency beside 1 busy cells"]
    assert len(section.ratios) == 2


def test_every_wire_is_measured_beside_a_bare_stream() -> None:
    section = aside(lambda: wires.measure(messages=1, pieces=2))
    reports = [
        f"{what}, {wire}" for wire in wires.WIRES for what in ("message to first event", "event to frame")
    ]
    assert names(section) == [name for name in reports if name != f"event to frame, {wires.MCP}"]
    assert len(section.ratios) == 4 * (len(wires.WIRES) - 1) - 2


def test_open_descriptors_are_counted_before_and_after_clients_of_each_wire(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(open_sockets, "REST_SECONDS", 0.1)
    section = aside(lambda: open_sockets.measure(clients=3))
    assert [ratio.goal for ratio in section.ratios] == [1] * (len(wires.WIRES) - 1)


def test_the_echo_is_measured_alone_and_beside_running_chats() -> None:
    section = aside(lambda: echo.measure(chats=2, repeats=3))
    assert names(section) == ["echo alone", "echo with 2 chats running", "meanwhile to the others"]
    assert len(section.ratios) == 2


def test_the_echo_is_measured_beside_cells_of_both_executors() -> None:
    section = aside(lambda: beside_cells.measure(chats=2, rounds=2, warm_seconds=0))
    assert names(section) == ["echo beside sandbox cells", "echo beside ast cells"]
    assert len(section.ratios) == 2


def test_streams_are_measured_against_the_four_pane_wire_and_a_bare_server() -> None:
    section = aside(lambda: stream.measure(most=2, pieces=3, large=2, repeats=1))
    wires = ["SSE", "/ws", "/live", "bare"]
    assert names(section) == [
        *(f"{wire}, 1 stream" for wire in wires),
        *(f"{wire}, 2 streams" for wire in wires),
        *(f"SSE, {count}, from the model's word" for count in ("1 stream", "2 streams")),
        *(f"{wire}, 2 streams, server's processor" for wire in wires),
        *(
            f"{wire}, {count} as fast as taken"
            for count in ("1 stream", "2 streams")
            for wire in ("SSE", "bare")
        ),
    ]
    assert {"event to frame, 2 streams p99: SSE to bare", "time of 2 streams to 1"} <= {
        ratio.name for ratio in section.ratios
    }


def test_agents_are_followed_against_the_wire_of_plain_tasks() -> None:
    section = aside(lambda: a2a.measure(tasks=2, pieces=3, rate=8, messages=2))
    assert len(section.figures) == len(section.ratios) == 4
    assert dict(section.figures)["event to follower, A2A"].endswith("(6 times)")


def test_subscribers_of_tasks_are_counted_and_timed_against_the_four_pane_wire() -> None:
    section = aside(lambda: tasks.measure(tasks=2, subscribers=4, pieces=3, rate=8, programs=2))
    assert names(section) == [
        "pieces that came",
        "event to subscriber",
        "event to socket of /ws",
        "program's write to subscriber, 8 a second",
        "program's write to subscriber, 80 a second",
    ]
    assert section.figures[0][1].startswith("12 of 12")
    assert all(value.endswith("(6 arrivals)") for _, value in section.figures[3:])
    assert len(section.ratios) == 2


def test_growth_compares_twice_the_events() -> None:
    section = aside(lambda: growth.measure(events=100, repeats=1))
    assert names(section) == ["append", "replay"]
    assert [ratio.goal for ratio in section.ratios] == [growth.GOAL, growth.GOAL]


def test_the_parser_is_measured_in_pieces_whole_and_as_an_answer() -> None:
    section = parser.measure(megabytes=(1, 2), repeats=1, unit=5_000)
    assert [name.partition(",")[0] for name in names(section)] == [
        "stream",
        "parse_text",
        "parse",
        "rooms named",
    ]
    assert [ratio.goal for ratio in section.ratios] == [parser.GOAL] * 4


@pytest.mark.browser
def test_the_page_is_fed_messages_and_deltas() -> None:
    section = aside(lambda: page.measure(turns=3, deltas=100, repeats=1, loads=0))
    fed, pressed = names(section)[:10:5], names(section)[10:]
    assert fed == ["30 messages, until drawn", "100 deltas, until drawn"]
    assert [name.split(",")[0] for name in pressed] == ["keys and clicks after 30 messages"] * 2
    assert [ratio.goal for ratio in section.ratios] == [page.GOAL] * 4


def test_the_map_is_moved_beside_leaflet() -> None:
    try:
        section = aside(lambda: map.measure(sizes=(60,), rounds=1))
    except CannotMeasure as reason:
        pytest.skip(str(reason))
    driven = ("ours, zoom", "ours, pan", "Leaflet, zoom", "Leaflet, pan", "Leaflet dragged, pan")
    assert names(section) == [
        *(f"60 rooms, {name}" for name in driven),
        "60 rooms coloured by one message",
    ]
    assert [ratio.goal for ratio in section.ratios] == [map.GOAL, map.GOAL]


@pytest.mark.browser
def test_a_map_that_shows_no_room_is_not_measured() -> None:
    def drive_empty_floor() -> None:
        with (
            http_served(map.Handler, directory=str(map.PAGES)) as served,
            chromium(*map.UNLIMITED) as browser,
        ):
            map.driven(browser, f"{served}/pages/ours.html?rooms=0")

    with pytest.raises(CannotMeasure, match="the map shows no room"):
        aside(drive_empty_floor)


def test_each_kind_of_database_is_measured(postgres: TestPostgres) -> None:
    """`postgres` only for its word that there is one; the benchmark starts its own, with fsync."""
    section = databases.measure(events=100, chats=3, repeats=1)
    assert [name.split(",")[0] for name in names(section)] == ["SQLite"] * 2 + ["PostgreSQL"] * 2
    assert [ratio.goal for ratio in section.ratios] == [databases.GOAL, databases.GOAL, None]


def test_the_start_of_our_side_is_measured_without_the_peer() -> None:
    section = startup.measure(repeats=1, warm=0, peer=False, env={"SMOLDESK_SANDBOX_PRELOAD": "[]"})
    assert names(section) == ["ours: first 200", "ours: memory then", "ours: memory after warm-up"]
    assert section.ratios == []


def test_the_sandbox_is_measured_against_plain_python() -> None:
    section = aside(lambda: sandbox.measure(repeats=1, rounds=1, starts=2, trips=3, chats=(1, 2)))
    assert {"loop of 2e6, sandbox", "loop of 2e6, plain", "fork, jail and first cell"} <= set(names(section))
    assert [ratio.name for ratio in section.ratios][:4] == list(sandbox.PROGRAMS)


def test_a_missing_peer_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(CannotMeasure, match="gradio is not installed"):
        startup.measure(repeats=1)


def test_the_analyst_is_measured_against_a_groupby_its_index_twice_as_large_and_the_idle_echo() -> None:
    sizes = {"rows": 400, "names": 100, "repeats": 1, "uploaded": 2_000, "echoes": 3}
    section = aside(lambda: analyst.measure(grown=(1_000, 2_000), **sizes))
    assert names(section) == [
        "first use of 504 values, once for a file",
        "groupby",
        *analyst.REQUESTS,
        "index of 1000 rows",
        "index of 2000 rows",
        "echo idle",
        "echo beside an upload",
        "2000 rows uploaded, read and indexed",
    ]
    assert [ratio.goal for ratio in section.ratios] == [*[2.0] * len(analyst.REQUESTS), 2.5, None, None]


def test_tables_are_queried_profiled_and_paged_against_duckdb_and_the_echo_at_rest() -> None:
    sizes = {"rows": 3_000, "repeats": 1, "large": 400_000, "pages_of": 1, "echoes": 4}
    section = aside(lambda: tables.measure(seconds=0.1, memory=48 * 1024**2, **sizes))
    assert names(section)[-2:] == ["echo of a ping of a bare server beside tables", "meanwhile"]
    goals = [2.0, 1.5, 1.5, 1.25, 1.25, 1, 1, 1, 1, 2.0, None, None, None]
    assert [ratio.goal for ratio in section.ratios] == goals


def test_terminal_text_is_compared_with_pyte_and_with_twice_as_much() -> None:
    section = terminals.measure(megabytes=1, repeats=1, flood=1, unit=20_000)
    assert [name for name, _ in section.figures] == [
        "text, the screen lagging",
        "pyte alone",
        "through a terminal, looked at",
        "through a terminal, thrown away",
    ]
    assert [ratio.goal for ratio in section.ratios] == [0.1, terminals.GOAL, None]


@pytest.mark.browser
def test_the_debug_pane_is_measured_and_kept_prompts_are_a_tenth_of_the_log_at_most() -> None:
    section = aside(lambda: trace.measure(runs=8, repeats=1))
    assert names(section)[:2] == ["the pane opens", "the slowest of all filters"]
    assert dict(section.figures)["writes of the pane in its busiest frame"] == "1"
    [opens, filters, stored] = section.ratios
    assert [opens.goal, filters.goal, stored.goal, stored.verdict] == [1, 1, 0.1, "met"]


def test_conversations_are_measured_by_the_service_and_over_the_wire() -> None:
    section = aside(lambda: conversations.measure(conversations=3, rounds=1, text=3, stored=50))
    assert [name for name, _ in section.figures] == [
        "by the service, messages",
        "by the service, poll latency",
        "over /mcp, messages",
        "over /mcp, poll latency",
        "a word beside 0 messages",
        "a word beside 50 messages",
    ]
    assert [ratio.goal for ratio in section.ratios] == [conversations.GOAL]


@pytest.mark.skipif(shutil.which("make") is None, reason="no make here")
def test_make_takes_the_names_of_parts() -> None:
    created = ["make", "--dry-run", "bench", "wires", "tables"]
    done = subprocess.run(created, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "-m bench wires tables" in done.stdout, done.stderr
