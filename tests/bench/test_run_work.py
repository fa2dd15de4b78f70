"""A run's work, counted: what made runs slower before was work done for each run that could be done once.

The bounds on functions are a twentieth above what was counted (2,255 and 4,470). A tool more costs a run ten functions.
"""

import json
import subprocess
import sys

import pytest

from bench.run_work import RunWork
from tests.test_architecture import ROOT

pytestmark = pytest.mark.starts
COUNT = """
import dataclasses, json, sys
from bench.run_work import count_work
print(json.dumps(dataclasses.asdict(count_work(memory_runs=int(sys.argv[1]), runs=5))))
"""


def count_in_process(memory_runs: int) -> RunWork:
    """Count in a process of its own: in one that has run other tests a run calls a fifth more functions."""
    done = subprocess.run(
        [sys.executable, "-c", COUNT, str(memory_runs)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return RunWork(**json.loads(done.stdout.splitlines()[-1]))


@pytest.fixture(scope="module")
def fresh() -> RunWork:
    return count_in_process(0)


@pytest.fixture(scope="module")
def aged() -> RunWork:
    return count_in_process(40)


def test_a_run_reads_each_thing_from_the_store_once(fresh: RunWork, aged: RunWork) -> None:
    """Its chat's building, membership and kept prompts; and its memory, where it has one."""
    assert len(set(fresh.texts)) == len(fresh.texts) <= 3
    assert len(set(aged.texts)) == len(aged.texts) <= 4


def test_a_run_builds_no_statement(fresh: RunWork, aged: RunWork) -> None:
    assert (fresh.built, aged.built) == (0, 0)


def test_a_run_is_few_transactions(fresh: RunWork) -> None:
    """It is started and closed; what it says between is four groups of events at most, joined where it is quick."""
    assert 2 <= fresh.commits <= 6


def test_a_run_calls_few_functions(fresh: RunWork) -> None:
    assert fresh.calls <= 2_370


def test_a_run_in_memory_costs_the_next_ones_few_functions(fresh: RunWork, aged: RunWork) -> None:
    assert aged.calls <= 4_690
    assert aged.sent == pytest.approx(fresh.sent, rel=0.01)


def test_a_run_sends_its_child_little(fresh: RunWork) -> None:
    assert fresh.sent <= 14_500
    # 1,400 bytes of them are the outline of the bundled tables and rooms, which later runs with memory do not repeat
    assert (fresh.events, fresh.logged <= 4_000) == (12, True)
