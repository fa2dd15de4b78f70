"""What code in a cell can do, and what its caller sees of it."""

import pytest

from smoldesk.sandbox.cell import CellFailed
from smoldesk.stopping import StopFlag


def test_the_last_expression_is_the_output_and_its_value(desk):
    result = desk.run("x = [1, 2]\nx + [3]")
    assert (result.output, result.value, result.is_final_answer) == ("[1, 2, 3]", [1, 2, 3], False)
    assert desk.output.output == "[1, 2, 3]"


def test_a_semicolon_keeps_the_last_value_quiet(desk):
    assert desk.run("1 + 1;").output == ""


def test_a_cell_without_a_value_has_none(desk):
    desk.run("x = 5")
    assert desk.output.output is None


def test_variables_stay_from_cell_to_cell_and_from_run_to_run(desk):
    desk.run("x = 41\ndef more(n): return n + 1")
    later = desk.again()
    assert later.run("more(x)").value == 42


def test_two_chats_do_not_see_each_other(desk, bare, tmp_path_factory):
    other = type(desk)(bare, "other", tmp_path_factory.mktemp("other"))
    desk.run("secret = 7\nopen('mine.txt', 'w').write('x')")
    result = other.run("import os\n('secret' in globals(), os.listdir())")
    assert result.value == [False, []]
    other.close()


def test_printed_text_arrives_in_order_and_is_kept(desk):
    result = desk.run("import sys\nprint('one')\nprint('two', file=sys.stderr)\nprint('three', end='')")
    assert result.printed == "one\ntwo\nthree"
    assert "".join(desk.host.pieces) == result.printed
    assert desk.output.logs == result.printed


def test_text_arrives_while_the_cell_still_runs(desk):
    """The cell waits for a file that only the live print brings about: it would not end otherwise."""
    desk.host.on_print = lambda _text: (desk.folder / "heard").write_text("yes")
    code = "import os, time\nprint('now')\nwhile not os.path.exists('heard'): time.sleep(0.01)\n'heard'"
    assert desk.run(code).output == "heard"


def test_output_of_the_c_library_is_captured(desk):
    assert desk.run("import ctypes\nctypes.CDLL(None).puts(b'from C');").printed == "from C\n"


def test_output_of_subprocesses_is_captured_where_they_can_be_had(plain):
    code = "import subprocess\nsubprocess.run(['echo', 'from a subprocess']);"
    assert plain.run(code).printed == "from a subprocess\n"


def test_a_flood_is_cut_and_the_cell_goes_on(desk):
    result = desk.run("for i in range(60_000): print('x' * 99)\n'survived'")
    assert result.output == "survived"
    assert "output cut after 1,048,576 characters" in result.printed
    assert len(result.printed) < 1_048_576 + 200


def test_bytes_and_half_surrogates_can_be_printed(desk):
    result = desk.run("import sys\nsys.stdout.buffer.write('é'.encode())\nprint('\\ud800')\n'\\ud800'")
    assert result.printed == "é?\n"
    assert result.output == "?"


def test_modern_python_runs(desk):
    code = """
from __future__ import annotations
import asyncio, enum
from dataclasses import dataclass

@dataclass
class Point:
    x: int
    y: int = 2

def numbers():
    yield from (1, 2)

async def later():
    await asyncio.sleep(0)
    return 3

class Kind(enum.Enum):
    A = 1

match Point(1):
    case Point(x=1, y=y):
        found = y
if (total := sum(numbers())) > 2:
    pass
[total, asyncio.run(later()), found, Kind.A.value, (lambda n=4: n)(), Point.__annotations__['x']]
"""
    assert desk.run(code).value == [3, 3, 2, 1, 4, "int"]


def test_pickle_and_inspect_find_what_a_cell_defined(desk):
    desk.run("class Thing:\n    n = 3\ndef twice(x):\n    return 2 * x")
    code = "import pickle, inspect\n[pickle.loads(pickle.dumps(Thing())).n, inspect.getsource(twice)]"
    assert desk.run(code).value == [3, "def twice(x):\n    return 2 * x\n"]


def test_an_error_names_line_and_source_and_keeps_what_was_printed(desk):
    result = desk.run("print('before')\nx = {}\nx['age']")
    assert isinstance(desk.raised, CellFailed)
    assert str(desk.raised) == "Code failed at line 3: x['age']\nKeyError: 'age'"
    assert (result.error.name, result.error.line, result.variables_intact) == ("KeyError", 3, True)
    assert desk.executor.state["_print_outputs"] == "before\n"


def test_a_deeper_error_shows_the_way_without_paths_of_the_host(desk):
    result = desk.run("import json\ndef read(text):\n    return json.loads(text)\nread('{')")
    assert "File <cell 1>, line 3, in read\n    return json.loads(text)" in result.error.traceback
    assert "JSONDecodeError" in str(desk.raised)
    assert "/" not in result.error.traceback.replace("json/", "")
    assert result.error.line == 4


def test_an_error_in_a_function_of_an_earlier_cell_points_to_both(desk):
    desk.run("def f():\n    return 1 / 0")
    result = desk.run("f()")
    assert "File <cell 1>, line 2, in f\n    return 1 / 0" in result.error.traceback
    assert (result.error.line, result.error.source) == (1, "f()")


def test_the_chats_folder_is_not_spelled_out_in_messages(desk):
    result = desk.run("open(__import__('os').getcwd() + '/nothing.csv')")
    assert "nothing.csv" in result.error.message
    assert str(desk.folder) not in result.error.message + result.error.traceback


def test_a_syntax_error_names_its_line(desk):
    result = desk.run("x = 1\nif x\n    pass")
    assert (result.error.name, result.error.line, result.error.source) == ("SyntaxError", 2, "if x")


def test_a_misspelt_name_is_answered_with_the_right_one(desk):
    assert "Did you mean: 'temperature'" in desk.run("temperature = 1\ntemprature").error.message


def test_code_nested_without_end_is_an_error_and_nothing_else(desk):
    desk.run("x = 1")
    assert desk.run("(" * 5_000 + ")" * 5_000).error.name in ("SyntaxError", "MemoryError", "RecursionError")
    assert desk.run("x").value == 1


def test_odd_code_is_an_error_of_the_cell(desk):
    for code in ("x = '\0'", "x = '\ud800\n", "raise SystemExit(3)", "input('name?')", "def f(): f()\nf()"):
        assert desk.run(code).error is not None, code
    assert desk.run("'still here'").output == "still here"


def test_an_object_that_cannot_be_shown_does_no_harm(desk):
    code = "class Odd:\n    def __repr__(self): raise ValueError('no')\nOdd()"
    assert desk.run(code).output == "<Odd whose repr raised ValueError>"
    code = "class Bad(Exception):\n    def __str__(self): raise ValueError('no')\nraise Bad()"
    assert desk.run(code).error.name == "Bad"


def test_a_huge_value_is_shown_in_bounds(desk):
    assert len(desk.run("list(range(10**6))").output) <= 20_000
    result = desk.run("'y' * 10**7")
    assert (len(result.output) <= 20_000, result.value) == (True, None)


def test_names_of_the_cell_reach_no_further_than_its_process(desk):
    """What a cell does to builtins and modules ends with its process."""
    desk.run("import builtins, json\nbuiltins.len = lambda _: 7\njson.dumps = None")
    assert desk.run("1").error is not None or desk.run("1").value == 1
    assert len([1, 2]) == 2


def test_variables_sent_by_the_agent_are_there(desk):
    desk.executor.send_variables(variables={"city": "Kyoto", "limits": {"low": [1, 2.5, None]}})
    assert desk.run("[city, limits['low'][1]]").value == ["Kyoto", 2.5]


def test_changing_the_folder_lasts_for_one_cell_only(desk):
    desk.run("import os\nos.mkdir('sub'); os.chdir('sub')\nopen('a.txt', 'w').write('x')")
    assert desk.run("os.path.exists('sub/a.txt')").value is True


def test_files_made_or_changed_are_reported_hidden_ones_not(desk):
    (desk.folder / "old.csv").write_text("a")
    (desk.folder / "same.csv").write_text("a")
    (desk.folder / "link").symlink_to("/etc/passwd")
    code = (
        "import os\nopen('old.csv', 'a').write('b')\nos.mkdir('out'); open('out/new.txt', 'w').write('123')\n"
    )
    code += "open('.hidden', 'w').write('x')"
    shown = desk.run(code).output_items
    assert [(item.kind, item.path, item.size) for item in shown] == [
        ("file", "old.csv", 2),
        ("file", "out/new.txt", 3),
    ]


def test_files_are_reported_after_an_error_too(desk):
    assert [item.path for item in desk.run("open('a.txt', 'w').write('x')\n1 / 0").output_items] == ["a.txt"]


def test_a_module_in_the_chats_folder_can_be_imported(desk):
    (desk.folder / "helpers.py").write_text("def five(): return 5")
    assert desk.run("import helpers\nhelpers.five()").value == 5


def test_a_stop_flag_that_is_set_already_runs_nothing(desk):
    stopped = type(desk.executor)(desk.child, desk.host, stop := StopFlag())
    stop.set("enough")
    try:
        stopped("open('ran', 'w')")
    except Exception as fault:
        assert "enough" in str(fault)
    assert not (desk.folder / "ran").exists()
    stopped.cleanup()
    stop.close()


def test_the_answer_is_the_output_and_its_value(desk):
    result = desk.run("final_answer({'rows': 3})\nopen('after', 'w')")
    assert (result.value, result.is_final_answer, result.error) == ({"rows": 3}, True, None)
    assert desk.output.output == {"rows": 3}
    assert not (desk.folder / "after").exists()


@pytest.mark.parametrize("handler", ["except Exception:", "except:", "except BaseException:", "finally:"])
def test_no_handler_defeats_it(desk, handler):
    code = (
        f"try:\n    final_answer('first')\n{handler}\n    x = 1\nopen('after', 'w')\nfinal_answer('second')"
    )
    result = desk.run(code)
    assert (result.output, result.is_final_answer, result.error) == ("first", True, None)
    assert not (desk.folder / "after").exists()


def test_an_error_after_it_does_not_take_it_back(desk):
    result = desk.run("try:\n    final_answer(1)\nfinally:\n    1 / 0")
    assert (result.value, result.error) == (1, None)


def test_no_tool_runs_after_it(desk):
    desk.tool("send", lambda _request: "sent")
    desk.run(
        "try:\n    final_answer(1)\nexcept BaseException:\n    try: send()\n    except BaseException: pass"
    )
    assert desk.host.requests == []


def test_a_loop_that_swallows_it_is_ended_by_the_clock_and_the_answer_stays(desk):
    desk.child.cell_seconds = 0.8
    code = (
        "import time\nwhile True:\n    try: final_answer('kept')\n    except BaseException: time.sleep(0.01)"
    )
    result = desk.run(code)
    assert (result.output, result.is_final_answer, result.error) == ("kept", True, None)


def test_an_answer_given_in_a_thread_counts(desk):
    code = "import threading\nt = threading.Thread(target=final_answer, args=(5,))\nt.start(); t.join()\n"
    result = desk.run("threading = __import__('threading')\nthreading.excepthook = lambda *a: None\n" + code)
    assert (result.value, result.is_final_answer) == (5, True)


def test_it_takes_one_value_by_position_or_name(desk):
    assert desk.run("final_answer(answer='named')").output == "named"
    assert desk.run("final_answer()").error.name == "TypeError"
    assert desk.run("final_answer(None)").is_final_answer


def test_an_answer_that_is_no_json_is_given_in_words(desk):
    result = desk.run("final_answer(object)")
    assert (result.output, result.value) == ("<class 'object'>", None)
    assert desk.output.output == "<class 'object'>"
