"""Turns: a few threads, one job at a time for each key, and an answer for whoever waits."""

import threading

import pytest

from smoldesk.errors import DeskError
from smoldesk.sandbox.keyed_executor import KeyedExecutor

WAIT = 30


def test_jobs_of_one_key_run_in_order_and_keys_take_turns() -> None:
    turns = KeyedExecutor(1, "turns")
    held = threading.Event()
    done: list[str] = []
    first = turns.submit("a", lambda: held.wait(WAIT))
    rest = [turns.submit(name[0], lambda name=name: done.append(name)) for name in ("a1", "a2", "b1", "b2")]
    held.set()
    for future in (first, *rest):
        future.result(WAIT)
    assert done == ["b1", "a1", "b2", "a2"]
    turns.close()


def test_what_a_job_raises_reaches_who_waits_and_the_next_one_runs() -> None:
    turns = KeyedExecutor(1, "turns")
    failing = turns.submit("a", lambda: 1 / 0)
    after = turns.submit("a", lambda: 7)
    with pytest.raises(ZeroDivisionError):
        failing.result(WAIT)
    assert after.result(WAIT) == 7
    turns.close()


def test_closing_tells_everybody_whose_job_has_not_begun() -> None:
    turns = KeyedExecutor(1, "turns")
    begun, held = threading.Event(), threading.Event()

    def work() -> str:
        begun.set()
        held.wait(WAIT)
        return "done"

    running = turns.submit("a", work)
    assert begun.wait(WAIT)
    behind = turns.submit("a", lambda: None)
    other = turns.submit("b", lambda: None)  # it has a thread to wait for, and is the first of its key
    turns.close()
    for dropped in (behind, other):
        with pytest.raises(DeskError) as told:
            dropped.result(WAIT)
        assert told.value.code == "closing"
    with pytest.raises(DeskError):
        turns.submit("c", lambda: None)
    held.set()
    assert running.result(WAIT) == "done"
    turns.close()
