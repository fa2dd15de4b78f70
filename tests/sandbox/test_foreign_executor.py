"""smolagents' own executors at the desk: the interpreter works, what is missing is said."""

import pytest
from conftest import FakeTool, ScriptedHost

from smoldesk.errors import DeskError, Stopped
from smoldesk.sandbox.cell import CellFailed
from smoldesk.sandbox.executors import isolation_of
from smoldesk.sandbox.foreign_executor import ForeignExecutor
from smoldesk.sandbox.isolation import Isolation, Jail
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


def test_a_stop_before_a_cell_is_a_stop(host):
    stop = StopFlag()
    executor = ForeignExecutor("ast", host, stop)
    stop.set("enough")
    with pytest.raises(Stopped, match="enough"):
        executor("1")


@pytest.mark.parametrize("kind", ["docker", "e2b"])
def test_an_executor_that_cannot_be_had_is_named(kind, host):
    with pytest.raises(DeskError, match=f"The executor '{kind}' cannot be had") as caught:
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
