"""A program that floods: memory stays flat, the reader is never held up, and what came last is right."""

import threading
import time
import tracemalloc
from pathlib import Path

import pytest

from smoldesk.agents.terminal.blanks import BLANK
from smoldesk.agents.terminal.screen import Screen
from smoldesk.agents.terminal.transcript import LIMIT
from tests.support.terminals import profile, python, talking

MEGABYTE = 1_000_000
LINES = """
import sys
line = "{number:07d} The quick brown fox jumps over the lazy dog, again and again, and once more.\\n"
for start in range(0, 600_000, 1000):
    sys.stdout.write("".join(line.format(number=number) for number in range(start, start + 1000)))
print("the end")
"""
LINE = len("0000000 The quick brown fox jumps over the lazy dog, again and again, and once more.\n")
"""600,000 of them are 50 MB."""


def test_fifty_megabytes_that_nobody_reads_are_drained_into_flat_memory(tmp_path: Path) -> None:
    with talking(python(LINES), tmp_path) as talk:
        tracemalloc.start()
        deadline = time.monotonic() + 100
        while talk.program.exit_code is None:
            assert time.monotonic() < deadline, "the reader does not drain"
            time.sleep(0.05)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        text = talk.program.wait(0).text
    assert peak < 8 * MEGABYTE
    note, *lines = text.splitlines()
    assert lines[-2].startswith("0599999 ")
    assert lines[-1] == "the end"
    size = sum(len(line) + 1 for line in lines)
    assert LIMIT - 70_000 < size <= LIMIT
    assert note == f"… {600_000 * LINE + len('the end') + 1 - size} characters left out …"


def test_what_fits_is_given_out_whole_and_in_order_however_late_it_is_taken(tmp_path: Path) -> None:
    assert 11_000 * LINE < LIMIT
    with talking(python(LINES.replace("600_000", "11_000")), tmp_path) as talk:
        *lines, last = talk.over().splitlines()
        assert (talk.last.behind, talk.last.lines[-1]) == (0, "the end")
    assert [int(line[:7]) for line in lines] == list(range(11_000))
    assert last == "the end"


def test_the_screen_lags_behind_a_flood_and_is_right_when_it_ends(tmp_path: Path) -> None:
    with talking(profile("shell"), tmp_path) as shell:
        shell.until(lambda now: now.last_line == "shell$ ")
        shell.program.send("seq 1 400000; echo the end")
        shell.prompt(r"shell\$ $")
        assert shell.last.lines[-3:-1] == ("400000", "the end")
        assert shell.ask("echo again", r"shell\$ $") == "again\n"


def test_whoever_looks_slowly_holds_up_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with talking(python(LINES.replace("600_000", "100_000")), tmp_path) as talk:
        over = threading.Event()
        monkeypatch.setattr(Screen, "render", lambda _screen, _pending: over.wait(60))
        looking = threading.Thread(target=lambda: talk.program.wait(5), daemon=True)
        looking.start()  # it is caught in rendering now
        deadline = time.monotonic() + 60
        while talk.program.exit_code is None:
            assert time.monotonic() < deadline, "a look held up the reader"
            time.sleep(0.05)
        over.set()
        looking.join()


KINDS = (
    "x" * 997,
    "\\r5% working",
    "\\x1b[31mred\\x1b[0m ",
    "\\x1bPq",
    "\\x1b[2Aup\\r\\n\\n\\n",
    "\\x1b[6n",
    "あ\\b",
)
"""Long lines, bars, colours, payloads, redrawing, questions, wide characters."""


@pytest.mark.parametrize("piece", KINDS)
def test_floods_of_every_kind_end(tmp_path: Path, piece: str) -> None:
    times = MEGABYTE // len(piece)
    code = f'import sys\nfor _ in range({times // 10}):\n    sys.stdout.write("{piece}" * 10)\nprint("\\x1b\\\\\\nthe end")'
    with talking(python(code), tmp_path) as talk:
        assert talk.over().endswith("the end\n")


def test_a_secret_in_a_flood_is_blanked_in_all_of_it(tmp_path: Path) -> None:
    code = "word = input('Password: ')\nfor _ in range(20_000): print('it is', word, end=' ')\nprint()"
    with talking(python(code, echo=False, submit="\n"), tmp_path) as talk:
        talk.until(lambda now: now.last_line == "Password: ")
        talk.program.answer("hunter2", secret=True)
        output = talk.over()
        assert "hunter2" not in output + "".join(talk.last.lines)
        assert output.count(BLANK) > 10_000
