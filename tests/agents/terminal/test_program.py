"""Real programs under their terminal: what they say arrives, what is typed reaches them."""

import os
import shutil
import signal
import threading
import time
from pathlib import Path

import pytest

from smoldesk.agents.terminal.blanks import BLANK
from smoldesk.errors import DeskError
from smoldesk.stopping import StopFlag
from tests.support.terminals import profile, python, talking

EDITING = {"args": ("--noprofile", "--norc"), "echo": True, "startup": {"ready": r"\$ $"}}


def test_a_shell_answers_without_the_echo_of_its_commands(tmp_path: Path) -> None:
    (tmp_path / "日本.txt").write_text("x")
    with talking(profile("shell"), tmp_path) as shell:
        shell.until(lambda now: now.last_line == "shell$ ")
        assert shell.ask("echo hello; ls", r"shell\$ $") == "hello\n日本.txt\n"
        assert shell.ask("printf 'a\\tb\\n'; pwd", r"shell\$ $") == f"a\tb\n{tmp_path.resolve()}\n"
        assert shell.ask("true", r"shell\$ $") == ""


@pytest.mark.parametrize("newlines", ["file", "paste"])
def test_a_shell_that_edits_and_echoes_its_line_is_read_the_same(tmp_path: Path, newlines: str) -> None:
    with talking(profile("shell", newlines=newlines, **EDITING), tmp_path) as shell:
        shell.until(lambda now: now.last_line.endswith("$ "))
        assert shell.ask("echo hello", r"\$ $") == "hello\n"
        long = "echo " + "word " * 60  # wraps three times
        assert shell.ask(long, r"\$ $").split() == ["word"] * 60
        assert shell.ask("for i in 1 2\ndo echo $i\ndone", r"\$ $").splitlines()[-2:] == ["1", "2"]


def test_a_message_with_line_breaks_and_control_bytes_is_one_message(tmp_path: Path) -> None:
    code = "while True: print('<' + input() + '>')"
    with talking(python(code, newlines="space", submit="\n"), tmp_path) as talk:
        talk.program.send("one\ntwo\r\x03\x04\x1b[A three")
        assert talk.until(lambda now: talk.said.count(">") or "<" in now.text) == "<one two [A three>\n"


def test_a_python_prompt_runs_several_lines_at_once(tmp_path: Path) -> None:
    with talking(profile("python"), tmp_path) as talk:
        talk.until(lambda now: now.last_line == ">>> ")
        assert talk.ask("1 + 1", "^>>> $") == "2\n"
        assert talk.ask("def f(x):\n    return x * 2\n\nprint(f('日本'))", "^>>> $") == "日本日本\n"
        assert "ZeroDivisionError" in talk.ask("1 / 0", "^>>> $")


def test_modules_lying_in_the_folder_are_not_run_by_the_shipped_programs(tmp_path: Path) -> None:
    for name in ("code", "getpass", "readline", "codeop", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text("open('ran', 'w')")
    for name in ("python", "demo"):
        with talking(profile(name), tmp_path) as talk:
            talk.until(lambda now: now.last_line in (">>> ", "demo> "))
    assert not (tmp_path / "ran").exists()


def test_a_secret_is_blanked_wherever_it_comes_back(tmp_path: Path) -> None:
    with talking(profile("shell"), tmp_path) as shell:
        shell.until(lambda now: now.last_line == "shell$ ")
        shell.program.send(
            "read -s -p 'Password: ' word; echo; echo \"it was $word\"; printf 'hunt'; sleep 0.3; echo er2"
        )
        shell.prompt("^Password: $")
        shell.program.answer("hunter2", secret=True)
        output = shell.prompt(r"shell\$ $")
        assert output.split("\n")[-3:] == [f"it was {BLANK}", BLANK, ""]
        shell.ask('printf "%s" "$word"; sleep 0.3; echo', r"shell\$ $")
        everything = shell.said + "".join(shell.last.lines) + shell.last.partial
        assert "hunter2" not in everything
        assert "er2" not in everything


def test_a_password_is_not_echoed_and_its_prompt_is_known_to_hide(tmp_path: Path) -> None:
    with talking(profile("shell", **EDITING), tmp_path) as shell:
        shell.until(lambda now: now.last_line.endswith("$ "))
        shell.program.send("read -s -p 'Password: ' word")
        shell.prompt("Password: $")
        assert shell.last.hidden
        shell.program.answer("hunter2", secret=True)
        shell.prompt(r"\$ $")
        assert not shell.last.hidden
        assert "hunter2" not in "".join(shell.last.lines)


def test_an_answer_may_be_empty(tmp_path: Path) -> None:
    with talking(python("print(repr(input('Press Enter ')))"), tmp_path) as talk:
        talk.until(lambda now: now.last_line == "Press Enter ")
        talk.program.answer("")
        assert talk.over() == "''\n"


def test_a_progress_bar_leaves_its_last_state(tmp_path: Path) -> None:
    code = """
import sys, time
for part in range(0, 101, 10):
    print(f"\\rprogress [{'#' * (part // 10):10}] {part}%", end="")
    time.sleep(0.02)
print("\\ndone")
"""
    with talking(python(code), tmp_path) as talk:
        assert talk.over() == "progress [##########] 100%\ndone\n"


def test_half_a_character_across_two_reads_is_whole(tmp_path: Path) -> None:
    code = """
import os, time
for byte in "あい\\n".encode():
    os.write(1, bytes([byte]))
    time.sleep(0.05)
"""
    with talking(python(code), tmp_path) as talk:
        assert talk.over() == "あい\n"


@pytest.mark.skipif(shutil.which("less") is None, reason="there is no less")
def test_a_pager_is_on_the_screen_and_not_in_the_text(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("".join(f"line {number}\n" for number in range(200)))
    with talking(profile("shell"), tmp_path) as shell:
        shell.until(lambda now: now.last_line == "shell$ ")
        shell.program.send("echo before; less text; echo after")
        shell.until(lambda now: now.alternate and "line 5" in now.lines)
        assert shell.last.sent_since
        shell.program.answer("q")
        shell.prompt(r"shell\$ $")
        assert not shell.last.alternate
        assert shell.said == "before\nafter\n"
        assert "line 5" not in shell.last.lines


def test_a_full_screen_program_is_driven_by_its_screen(tmp_path: Path) -> None:
    code = """
import curses
def main(window):
    window.addstr(2, 4, "Pick one:")
    window.refresh()
    key = window.getkey()
    window.addstr(3, 4, "You picked " + key)
    window.refresh()
    window.getkey()
curses.wrapper(main)
print("bye")
"""
    with talking(python(code, submit="\r"), tmp_path) as talk:
        talk.until(lambda now: "    Pick one:" in now.lines)
        assert talk.last.alternate
        talk.program.answer("x")
        assert talk.over() == "bye\n"


def test_a_program_that_asks_where_its_cursor_is_gets_an_answer(tmp_path: Path) -> None:
    code = r"""
import os, sys, tty
tty.setraw(0)
os.write(1, b"ab\x1b[6n")
got = b""
while not got.endswith(b"R"):
    got += os.read(0, 100)
os.write(1, b"\r\n" + repr(got).encode() + b"\r\n")
"""
    with talking(python(code), tmp_path) as talk:
        assert talk.over().splitlines()[-1] == repr(b"\x1b[1;3R")


def test_what_a_file_holds_types_nothing_into_a_shell(tmp_path: Path) -> None:
    (tmp_path / "evil").write_bytes(b"\x1b[6n\x1b[c\x1b[5nharmless\n")
    with talking(profile("shell"), tmp_path) as shell:
        shell.until(lambda now: now.last_line == "shell$ ")
        assert shell.ask("cat evil", r"shell\$ $") == "harmless\n"
        assert shell.ask("echo next", r"shell\$ $") == "next\n"


def test_an_interrupt_stops_the_work_at_hand(tmp_path: Path) -> None:
    with talking(profile("shell"), tmp_path) as shell:
        shell.until(lambda now: now.last_line == "shell$ ")
        # a process of its own: an interrupt between two commands of its own list may be lost on the shell
        shell.program.send("sh -c 'echo begun; exec sleep 600'")
        shell.until(lambda now: "begun" in now.text)
        shell.program.interrupt()
        shell.prompt(r"shell\$ $")
        assert shell.ask("echo again", r"shell\$ $") == "again\n"


def test_a_server_that_ignores_interrupts_starts_programs_that_do_not(tmp_path: Path) -> None:
    """As one does that was begun in the background of a script."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with talking(profile("shell"), tmp_path) as shell:
            shell.until(lambda now: now.last_line == "shell$ ")
            shell.program.send("sh -c 'echo begun; exec sleep 600'")
            shell.until(lambda now: "begun" in now.text)
            shell.program.interrupt()
            assert shell.ask("echo again", r"shell\$ $").endswith("again\n")
    finally:
        signal.signal(signal.SIGINT, before)


def test_the_stop_flag_ends_a_wait_at_once(tmp_path: Path) -> None:
    stop = StopFlag()
    with talking(python("import time; time.sleep(600)"), tmp_path) as talk:
        ended = threading.Event()

        def wait() -> None:
            talk.program.wait(600, stop)
            ended.set()

        thread = threading.Thread(target=wait, daemon=True)
        thread.start()
        assert not ended.wait(0.2)
        stop.set("enough")
        assert ended.wait(30)
    stop.close()


def test_a_wait_without_news_ends_with_its_time(tmp_path: Path) -> None:
    with talking(python("import time; time.sleep(600)"), tmp_path) as talk:
        now = talk.program.wait(0.05)
        assert (now.text, now.changed, now.exit_code) == ("", False, None)


def test_two_programs_never_read_each_others_output(tmp_path: Path) -> None:
    echo = "while True: print('<' + input() + '>')"
    with talking(python(echo), tmp_path) as first, talking(python(echo), tmp_path) as two:
        for number in range(20):
            first.program.send(f"one {number}")
            two.program.send(f"two {number}")
        first.until(lambda now: "<one 19>" in first.said)
        two.until(lambda now: "<two 19>" in two.said)
    assert "two" not in first.said
    assert "one" not in two.said


def test_what_a_program_said_before_is_not_said_again(tmp_path: Path) -> None:
    with talking(profile("demo"), tmp_path) as demo:
        demo.until(lambda now: now.last_line == "demo> ")
        assert demo.ask("first words", "^demo> $") == "first words\n"
        assert demo.ask("second words", "^demo> $") == "second words\n"


def test_before_a_slow_program_begins_nothing_counts_as_its_answer(tmp_path: Path) -> None:
    loop = "while True:\n line = input()\n time.sleep(0.5)\n print(line)\n print('ready> ', end='')"
    code = f"import time\nprint('ready> ', end='')\n{loop}"
    with talking(python(code, submit="\n"), tmp_path) as talk:
        talk.until(lambda now: now.last_line == "ready> ")
        talk.program.send("work")
        assert not talk.program.wait(0.1).sent_since
        assert talk.prompt("^ready> $") == "work\n"


def test_a_program_that_never_reads_fails_the_typing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smoldesk.agents.terminal.child.WRITE_TIMEOUT", 0.2)
    code = "import tty, time\ntty.setraw(0)\nprint('deaf', flush=True)\ntime.sleep(600)"
    with talking(python(code), tmp_path) as talk:
        talk.until(lambda now: "deaf" in now.lines)
        with pytest.raises(DeskError, match="did not read") as fault:
            for _ in range(100):
                talk.program.answer("x" * 4000)
        assert fault.value.code == "program_failed"


def test_a_program_knows_no_key_of_the_desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMOLDESK_TOKEN", "very-secret")
    monkeypatch.setenv("OPENAI_API_KEY", "very-secret")
    with talking(profile("shell"), tmp_path) as shell:
        shell.until(lambda now: now.last_line == "shell$ ")
        assert "very-secret" not in shell.ask("env; cat /proc/self/environ", r"shell\$ $")


def test_a_program_holds_none_of_the_servers_descriptors(tmp_path: Path) -> None:
    with (tmp_path / "open").open("w") as open_file:
        os.set_inheritable(open_file.fileno(), True)
        code = "import os; print(sorted(os.listdir('/proc/self/fd'))[:3], len(os.listdir('/proc/self/fd')))"
        with talking(python(code), tmp_path) as talk:
            assert talk.over() == "['0', '1', '2'] 4\n"  # the fourth is that of the listing


def test_a_long_message_is_a_file_that_is_gone_in_the_end(tmp_path: Path) -> None:
    with talking(profile("demo"), tmp_path) as demo:
        demo.until(lambda now: now.last_line == "demo> ")
        assert demo.ask("```\n" + "x" * 9000 + "\n```", "^demo> $") == "```\n" + "x" * 9000 + "\n```\n"
        assert len(list(tmp_path.glob(".message-*"))) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_long_line_that_can_be_typed_arrives_whole(tmp_path: Path) -> None:
    with talking(python("print(len(input()))", submit="\n"), tmp_path) as talk:
        talk.program.send("x" * 3000)
        assert talk.over().splitlines()[-1] == "3000"


def test_quiet_time_is_measured_from_the_last_byte(tmp_path: Path) -> None:
    with talking(python("import time; print('x'); time.sleep(600)"), tmp_path) as talk:
        talk.until(lambda now: now.text)
        time.sleep(0.2)
        assert talk.program.wait(0).quiet_for >= 0.2


def test_the_screen_can_be_resized_by_the_profile(tmp_path: Path) -> None:
    code = "import os; print(*os.get_terminal_size())"
    with talking(python(code, columns=77, rows=22), tmp_path) as talk:
        assert talk.over() == "77 22\n"
