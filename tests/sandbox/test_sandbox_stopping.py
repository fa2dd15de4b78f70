"""Stop and the clock: a request, SIGINT, a grace, SIGKILL; what stays and what is told."""

import os
import signal
import threading
import time

import pytest

from smoldesk.errors import Stopped
from smoldesk.sandbox.termination import TerminationSteps

STOPPABLE = {
    "a Python loop": "while True: pass",
    "a sleep": "import time\ntime.sleep(60)",
    "a wait for a thread": "import threading\nthreading.Event().wait()",
    "asyncio": "import asyncio\nasync def main():\n    await asyncio.sleep(60)\nasyncio.run(main())",
    "a query of DuckDB": (
        "import duckdb\n"
        "duckdb.connect().cursor().sql('SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b').df()"
    ),
    "a printing loop": "while True: print('x')",
    "a thread that blocks the signal": (
        "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})\nwhile True: pass"
    ),
    "a loop that forgives errors": "while True:\n    try: 1 / 0\n    except Exception: pass",
}
UNSTOPPABLE = {
    "a C loop": "import itertools\nsum(itertools.repeat(1))",
    "a loop that swallows the signal": (
        "import time\nwhile True:\n    try: time.sleep(0.01)\n    except BaseException: pass"
    ),
    "a handler of its own": "import signal\nsignal.signal(signal.SIGINT, lambda *_: None)\nwhile True: pass",
}


def stop_when_it_runs(desk):
    """Set the stop flag soon after the cell has printed its first word."""
    pressed = threading.Timer(0.4, desk.stop.set, ["the person pressed Stop"])
    desk.host.on_print = lambda _text: None if pressed.ident else pressed.start()


@pytest.mark.parametrize("name", STOPPABLE)
def test_stop_ends_it_and_keeps_the_variables(desk, name):
    stop_when_it_runs(desk)
    result = desk.run(f"kept = 42\nprint('started')\n{STOPPABLE[name]}")
    assert isinstance(desk.raised, Stopped)
    assert (result.stopped, result.variables_intact) == (True, True)
    later = desk.again()
    assert later.run("kept").value == 42
    assert desk.children.lost(desk.chat_id) is None


@pytest.mark.parametrize("name", UNSTOPPABLE)
def test_stop_kills_what_does_not_end_and_says_what_is_lost(desk, name):
    stop_when_it_runs(desk)
    desk.child.grace_seconds = 0.4
    result = desk.run(f"kept = 42\nprint('started')\n{UNSTOPPABLE[name]}")
    assert isinstance(desk.raised, Stopped)
    assert (result.stopped, result.variables_intact) == (True, False)
    assert "started" in result.printed
    later = desk.again()
    assert desk.children.lost(desk.chat_id) == "the code was stopped and did not end by itself"
    assert desk.children.lost(desk.chat_id) is None
    assert later.run("'kept' in globals()").value is False


def test_the_clock_stops_a_loop_and_the_model_reads_why(desk):
    desk.child.cell_seconds = 0.8
    result = desk.run("kept = 42\nwhile True:\n    pass")
    assert str(desk.raised).startswith("Code failed at line")
    assert "TimeoutError: The code ran longer than 0.8 s and was stopped" in str(desk.raised)
    assert desk.raised.error.code == "code_timeout"
    assert (result.stopped, result.variables_intact) == (False, True)
    desk.child.cell_seconds = 30
    assert desk.run("kept").value == 42


def test_the_clock_kills_a_c_loop_and_the_next_cell_runs(desk):
    desk.child.cell_seconds, desk.child.grace_seconds = 0.8, 0.4
    result = desk.run(f"kept = 42\n{UNSTOPPABLE['a C loop']}")
    assert result.error.name == "TimeoutError"
    assert "variables are gone" in str(desk.raised)
    assert result.variables_intact is False
    desk.child.cell_seconds = 30
    assert desk.run("'kept' in globals()").value is False
    assert "replaced" in desk.output.logs
    assert desk.children.lost(desk.chat_id) == "the code ran too long"


def test_stop_ends_an_output_that_does_not_end(desk):
    """The value's own __repr__ runs in the cell's time too."""
    stop_when_it_runs(desk)
    code = "class Slow:\n    def __repr__(self):\n        while True: pass\nprint('started')\nSlow()"
    assert desk.run(code).stopped


def test_a_signal_to_an_idle_child_changes_nothing(desk):
    desk.run("kept = 42")
    for _ in range(5):
        os.kill(desk.child.process.pid, signal.SIGINT)
    assert desk.run("kept").value == 42


def test_a_late_signal_never_reaches_the_next_cell(desk):
    """Signals are sent between cells, as by a stop that came too late: each next cell is undisturbed."""
    desk.run("x = 0")
    for number in range(1, 60):
        desk.child.process.interrupt()
        result = desk.run("for _ in range(1000): pass\nx += 1\nx")
        assert (result.error, result.value) == (None, number)


def test_a_stop_at_any_moment_leaves_a_child_that_works(desk):
    """The signal meets prints, frames and ends of cells; the next run finds its variables all the same."""
    desk.tool("ping", lambda _request: "pong")
    desk.run("x = 42")
    here, tools = desk, desk.tools
    for number in range(30):
        here = here.again()
        here.host.answers = {"ping": lambda _request: {"kind": "json", "value": "pong"}}
        here.executor.send_tools(tools)
        timer = threading.Timer(0.0007 * number, here.stop.set, ["now"])
        timer.start()
        try:
            here.run("for i in range(40):\n    print(i)\n    ping()\n    x = x")
        except (Stopped, AssertionError):  # the stop came before the cell
            assert here.stop.is_set
        timer.join()
    assert here.children.lost(here.chat_id) is None
    assert here.again().run("x").value == 42


def test_calls_and_prints_go_on_after_a_stop_within_a_call(desk):
    desk.tool("wait", lambda _request: (desk.stop.set("enough"), time.sleep(0.05))[1])
    result = desk.run("kept = 1\nwait()\nwhile True: pass")
    assert (result.stopped, result.variables_intact) == (True, True)
    later = desk.again()
    later.tool("ping", lambda _request: "pong")
    assert later.run("print('p')\nping()").value == "pong"


def test_the_ladder_steps_once_and_in_order():
    now = [100.0]
    ladder = TerminationSteps(10, 2, clock=lambda: now[0])
    now[0] += 4
    assert ladder.remaining_seconds() == 6
    ladder.pause(5)
    assert ladder.remaining_seconds() == 11
    assert ladder.begin("deadline") is True
    assert (ladder.remaining_seconds(), ladder.why) == (2, "deadline")
    assert ladder.begin("stop") is False
    ladder.pause(5)
    now[0] += 3
    assert (ladder.remaining_seconds(), ladder.why) == (0, "deadline")


def test_a_signal_at_any_opcode_of_our_own_code_leaves_a_child_that_works(desk):
    """The cell traces the code that runs it, and raises the signal at its n-th opcode, up to `done`."""
    trace = """
import signal, sys
count = 0
def tracer(frame, event, arg):
    global count
    frame.f_trace_opcodes = True
    if frame.f_code.co_name == "receive":
        sys.settrace(None)  # the cell is over
    elif event == "opcode" and frame.f_code.co_filename.endswith(("cells.py", "interrupts.py")):
        count += 1
        if count == {n}:
            sys.settrace(None)
            signal.raise_signal(signal.SIGINT)
    return tracer
frame = sys._getframe()
frame.f_trace_opcodes = True  # before settrace, for CPython 3.12 (gh-114480)
sys.settrace(tracer)
while frame is not None:
    frame.f_trace, frame.f_trace_opcodes = tracer, True
    frame = frame.f_back
[print("out"), kept][1]
"""
    desk.run("kept = 42")
    desk.run(trace.format(n=-1))
    total = desk.run("import sys\nsys.settrace(None)\ncount").value
    assert total > 200
    hit = 0
    tried = [*range(1, total - 50, 7), *range(total - 50, total + 1)]  # the end is where it once went wrong
    for n in tried:
        result = desk.run(trace.format(n=n))
        assert result.variables_intact, (n, result.error)
        hit += result.error is not None
        assert desk.run("import sys\nsys.settrace(None)\nkept").value == 42, n
    assert len(tried) > hit > len(tried) / 5  # the others met a cell that was over already
