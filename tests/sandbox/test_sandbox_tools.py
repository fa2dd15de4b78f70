"""Tools called from a cell: they run on the host, and the cell sees results and exceptions as its own."""

import threading
import time

import pytest

from smoldesk.errors import Stopped
from tests.support.waiting import come_true


def test_a_call_reaches_the_host_with_names_line_and_source(desk):
    desk.tool("add", lambda request: request.kwargs["a"] + request.kwargs["b"], a="integer", b="integer")
    assert desk.run("x = 1\ny = add(x, b=2)  # here\ny").value == 3
    (request,) = desk.host.requests
    assert (request.tool, request.args, request.kwargs) == ("add", [], {"a": 1, "b": 2})
    assert (request.line, request.source) == (2, "y = add(x, b=2)  # here")


def test_the_line_is_the_cells_own_also_when_an_older_function_calls(desk):
    desk.tool("ping", lambda _request: "pong")
    desk.run("\n\ndef old():\n    return ping()")
    desk.run("x = 1\nold()")
    assert (desk.host.requests[0].line, desk.host.requests[0].source) == (2, "old()")


@pytest.mark.parametrize("end", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1e"], ids=ascii)
def test_no_character_that_only_looks_like_a_line_end_moves_the_line(desk, end):
    desk.tool("pay", lambda _request: "paid", to="string")
    desk.run(f"""note = 'kind words{end}pay("Alice")  # '\npay("Mallory")""")
    (request,) = desk.host.requests
    assert (request.kwargs, request.line, request.source) == ({"to": "Mallory"}, 2, 'pay("Mallory")')


@pytest.mark.parametrize("end", ["\r", "\r\n"], ids=ascii)
def test_every_line_end_of_python_counts(desk, end):
    desk.tool("ping", lambda _request: "pong")
    desk.run(f"x = 1{end}y = 2{end}ping()")
    assert (desk.host.requests[0].line, desk.host.requests[0].source) == (3, "ping()")


def test_the_proxy_has_the_tools_signature_and_docstring(desk):
    desk.tool("draw", lambda _request: None, room="string", direction="string", size="integer?")
    code = "import inspect\n[str(inspect.signature(draw)), draw.__name__, draw.__doc__]"
    signature, name, doc = desk.run(code).value
    assert signature == "(room: str, direction: str, size: int = None) -> Any"
    assert name == "draw"
    assert "What draw does." in doc and "direction: the direction" in doc


def test_wrong_arguments_are_told_before_the_host_is_asked(desk):
    desk.tool("draw", lambda _request: None, room="string", direction="string")
    result = desk.run("draw('Kitchen', colour='red')")
    assert result.error.name == "TypeError"
    assert "draw(room, direction)" in result.error.message
    assert desk.host.requests == []


def test_an_argument_that_cannot_be_passed_names_itself_and_what_can(desk):
    desk.tool("keep", lambda _request: None, thing="any")
    result = desk.run("keep(thing=open)")
    assert "argument 'thing'" in result.error.message and "accepted are" in result.error.message
    assert "nested more than" in desk.run("x = []\nx.append(x)\nkeep(x)").error.message


def test_values_arrive_as_plain_data(desk):
    desk.tool("keep", lambda _request: None, thing="any")
    code = "import datetime, pathlib, enum\nclass E(enum.Enum):\n    A = 'a'\n"
    code += "keep({'d': datetime.date(2024, 2, 29), 's': (1, 2), 'n': float('nan'), "
    code += "'e': E.A, 3: pathlib.Path('x')})"
    desk.run(code)
    assert desk.host.requests[0].kwargs["thing"] == {
        "d": "2024-02-29",
        "s": [1, 2],
        "n": None,
        "e": "a",
        "3": "x",
    }


@pytest.mark.parametrize(
    ("fault", "caught"),
    [
        (ValueError("no such room"), "ValueError"),
        (KeyError("x"), "KeyError"),
        (UnicodeDecodeError("utf-8", b"", 0, 1, "bad"), "RuntimeError"),
        (type("RoomMissing", (Exception,), {})("gone"), "RuntimeError"),
        (type("SystemExit", (Exception,), {})("gone"), "RuntimeError"),
    ],
)
def test_an_exception_of_the_tool_is_one_of_the_same_name_in_the_cell(desk, fault, caught):
    def fail(_request):
        raise fault

    desk.tool("go", fail)
    code = f"try:\n    go()\nexcept {caught} as e:\n    got = [type(e).__name__, str(e)]\ngot"
    name, message = desk.run(code).value
    assert name in (type(fault).__name__, caught)
    assert str(fault) in message


def test_a_result_that_cannot_be_passed_is_an_error_of_the_call(desk):
    desk.tool("odd", lambda _request: {1, 2})
    desk.tool("huge", lambda _request: "x" * (17 * 1024 * 1024))
    assert "cannot be passed" in desk.run("odd()").error.message
    assert "16,777,216" in desk.run("huge()").error.message
    assert desk.run("'fine'").output == "fine"


def test_arguments_too_large_for_a_frame_are_refused_in_the_cell(desk):
    desk.tool("keep", lambda _request: None, thing="any")
    assert "write a file" in desk.run("keep('x' * (17 * 1024 * 1024))").error.message


def test_two_threads_take_turns(desk):
    inside = []
    most = []

    def slow(request):
        inside.append(1)
        most.append(len(inside))
        time.sleep(0.01)
        inside.pop()
        return request.kwargs["n"]

    desk.tool("slow", slow, n="integer")
    code = "from concurrent.futures import ThreadPoolExecutor\n"
    code += "with ThreadPoolExecutor(4) as pool: got = list(pool.map(slow, range(12)))\ngot"
    assert desk.run(code).value == list(range(12))
    assert set(most) == {1}


def test_a_thread_that_calls_after_the_cell_is_refused(desk):
    desk.tool("ping", lambda _request: "pong")
    code = """
import os, threading, time
def late():
    while not os.path.exists("go"): time.sleep(0.01)
    try: said = ping()
    except RuntimeError as fault: said = str(fault)
    open("said.part", "w").write(said)
    os.rename("said.part", "said")
threading.Thread(target=late).start()
"""
    desk.run(code)
    (desk.folder / "go").touch()
    desk.child.process.resume()  # between cells it stands still, and its threads with it
    come_true((desk.folder / "said").exists)
    assert (desk.folder / "said").read_text() == "ping was called after the cell was over"
    assert desk.run("1 + 1").value == 2
    assert desk.host.requests == []


def test_a_tool_of_an_earlier_run_is_gone_in_the_next(desk):
    desk.tool("ping", lambda _request: "pong")
    assert desk.run("ping()").value == "pong"
    later = desk.again()
    assert later.run("ping()").error.name == "NameError"


def test_a_tool_that_reports_the_stop_ends_the_cell_and_variables_stay(desk):
    def wait(_request):
        threading.Timer(0.1, desk.stop.set, ["the person pressed Stop"]).start()
        desk.stop.wait(20)
        raise Stopped(desk.stop.reason)

    desk.tool("approve", wait)
    result = desk.run("x = 42\ntry:\n    approve()\nexcept Exception:\n    pass\nx = 0")
    assert isinstance(desk.raised, Stopped)
    assert "the person pressed Stop" in str(desk.raised)
    assert (result.stopped, result.variables_intact) == (True, True)
    assert desk.again().run("x").value == 42


def test_the_clock_stands_while_a_tool_works(desk):
    desk.child.cell_seconds = 1.5
    desk.tool("think", lambda _request: time.sleep(1.7))
    assert desk.run("think()\n'in time'").output == "in time"


def test_an_unknown_tool_named_by_hand_is_refused(desk):
    """Code may look at the channel itself: the host still calls only tools of this run."""
    desk.tool("ping", lambda _request: "pong")
    code = "held = [cell.cell_contents for cell in ping.__closure__]\n"
    code += "d = [each for each in held if hasattr(each, 'call')][0]\n"
    result = desk.run(code + "d.call('other', {})")
    assert result.error.name == "NameError"
    assert desk.host.requests == []
