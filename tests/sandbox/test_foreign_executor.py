"""smolagents' own executors at the desk: the interpreter works, what is missing is said; and the executor with keys."""

import threading

import pytest
from conftest import FakeTool, ScriptedHost

from smoldesk.errors import DeskError, Stopped
from smoldesk.sandbox.cell import CellFailed
from smoldesk.sandbox.executors import isolation_of
from smoldesk.sandbox.foreign_executor import ForeignExecutor
from smoldesk.sandbox.isolation import Isolation, Jail
from smoldesk.sandbox.keyed_executor import KeyedExecutor
from smoldesk.stopping import StopFlag


@pytest.fixture
def host():
    host = ScriptedHost()
    host.answers["double"] = lambda request: {"kind": "json", "value": 2 * request.args[0]}  # pyright: ignore[reportOperatorIssue]
    return host


@pytest.fixture
def ast(host):
    from smolagents import FinalAnswerTool

    executor = ForeignExecutor("ast", host, StopFlag())
    executor.send_variables(variables={})
    executor.send_tools({"double": FakeTool("double", x="integer"), "final_answer": FinalAnswerTool()})
    return executor


def test_interpreted_code_calls_tools_through_the_host_and_answers(ast, host):
    done = ast("x = double(21)\nprint('seen')\nfinal_answer(x)")
    assert (done.output, done.is_final_answer) == (42, True)
    assert [request.tool for request in host.requests] == ["double"]
    assert "seen" in ast.last.printed and "".join(host.pieces) == ast.last.printed


def test_a_failing_cell_is_told_and_keeps_what_it_printed(ast):
    with pytest.raises(CellFailed, match="division"):
        ast("print('before')\n1 / 0")
    assert "before" in ast.state["_print_outputs"]
    assert ast.last.error is not None


ALTERNATIVES = """\
with alternative("the sum"):
    print("adding")
    final_answer(double(2) + 1)
with alternative("a fault"):
    final_answer(1 / 0)
with alternative("the product"):
    final_answer("**6**")
"""


def test_each_alternative_is_answered_and_one_that_fails_hides_no_other(ast):
    done = ast(ALTERNATIVES)
    assert (done.output, done.is_final_answer) == (5, True)
    first, failed, last = ast.last.alternatives
    assert [first.sentence, failed.sentence, last.sentence] == ["the sum", "a fault", "the product"]
    assert [part.text for part in (*first.parts, *last.parts)] == ["5", "**6**"]
    assert failed.parts == [] and "division" in failed.error
    assert (ast.last.output, ast.last.is_final_answer) == ("5", True)


def test_a_cell_whose_alternatives_all_fail_is_an_error(ast):
    with pytest.raises(CellFailed, match="division"):
        ast('with alternative("a"):\n    1 / 0\nwith alternative("b"):\n    unknown')


def test_a_stop_before_a_cell_is_a_stop(host):
    stop = StopFlag()
    executor = ForeignExecutor("ast", host, stop)
    stop.set("enough")
    with pytest.raises(Stopped, match="enough"):
        executor("1")


@pytest.mark.parametrize("kind", ["docker", "e2b"])
def test_an_executor_that_cannot_be_had_is_named(kind, host):
    with pytest.raises(DeskError, match=f"The executor '{kind}' is not available") as caught:
        ForeignExecutor(kind, host, StopFlag())
    assert caught.value.code == "executor_unavailable"


def test_only_the_sandbox_has_the_isolation_of_the_jail():
    jail = Jail(None, {}).report()
    assert isolation_of("sandbox", jail) is jail
    assert isolation_of("ast", Isolation(isolated=True, label="isolated", reasons=[])).isolated is False
    assert isolation_of("docker", jail).isolated is True


def test_the_rungs_of_the_ladder():
    def rung(*missing):
        layers = (
            "namespaces",
            "private_root",
            "proc",
            "own_user",
            "landlock",
            "seccomp",
            "rlimits",
            "privileges",
        )
        return Jail({layer: layer not in missing for layer in layers}, dict.fromkeys(missing, "so"))

    assert rung().rung == "A"
    assert rung("namespaces", "private_root", "proc").rung == "B"
    assert rung("landlock").rung == "C"
    assert rung("landlock", "private_root").rung == "D"
    assert rung("seccomp").rung == "D"
    report = rung("landlock").report()
    assert (report.isolated, report.label) == (True, "isolated, no Landlock")
    assert report.reasons[-1] == "Missing: Landlock (so)."


WAIT = 30


def test_jobs_of_one_key_run_in_order_and_keys_take_turns() -> None:
    turns = KeyedExecutor(1, "turns")
    event_set = threading.Event()
    done: list[str] = []
    first = turns.submit("a", lambda: event_set.wait(WAIT))
    remaining = [
        turns.submit(name[0], lambda name=name: done.append(name)) for name in ("a1", "a2", "b1", "b2")
    ]
    event_set.set()
    for future in (first, *remaining):
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
    started, locked = threading.Event(), threading.Event()

    def work() -> str:
        started.set()
        locked.wait(WAIT)
        return "done"

    running = turns.submit("a", work)
    assert started.wait(WAIT)
    behind = turns.submit("a", lambda: None)
    other = turns.submit("b", lambda: None)  # it has a thread to wait for, and is the first of its key
    turns.close()
    for dropped in (behind, other):
        with pytest.raises(DeskError) as report:
            dropped.result(WAIT)
        assert report.value.code == "closing"
    with pytest.raises(DeskError):
        turns.submit("c", lambda: None)
    locked.set()
    assert running.result(WAIT) == "done"
    turns.close()
