"""The final answer: it ends the cell, whatever the code around it does, and the first one counts."""

import pytest


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
