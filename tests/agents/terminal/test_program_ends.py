"""What a program gets to know, which file it is, and its ends: by itself, by a signal, by force; never a process left."""

import os
import signal
from pathlib import Path

import pytest

from smoldesk.agents.terminal.child import environment, executable
from smoldesk.agents.terminal.processes import MARK
from smoldesk.agents.terminal.program import Program
from smoldesk.errors import DeskError
from tests.support.terminals import lives, profile, python, talking

SERVER = {
    "PATH": "/bin",
    "HOME": "/home/x",
    "LC_TIME": "C",
    "TERM": "dumb",
    "SMOLDESK_TOKEN": "t",
    "OPENAI_API_KEY": "k",
    "WANTED": "w",
    "LD_PRELOAD": "x",
}


def test_nothing_of_the_server_is_handed_down_but_what_is_named() -> None:
    settings = profile(command="x", env={"OWN": "1"}, env_from=("WANTED", "MISSING"))
    assert environment(settings, "m", SERVER) == {
        "PATH": "/bin",
        "HOME": "/home/x",
        "LC_TIME": "C",
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "WANTED": "w",
        "OWN": "1",
        MARK: "m",
    }


def test_a_profile_has_the_last_word_but_for_the_mark() -> None:
    variables = environment(profile(command="x", env={"TERM": "vt100", MARK: "other"}), "m", SERVER)
    assert (variables["TERM"], variables[MARK]) == ("vt100", "m")


def test_a_program_is_found_on_its_own_path(tmp_path: Path) -> None:
    tool = tmp_path / "tool"
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    assert executable("tool", {"PATH": str(tmp_path)}, Path("/")) == str(tool)
    assert executable(str(tool), {}, Path("/")) == str(tool)
    assert executable("./tool", {}, tmp_path) == str(tool)


@pytest.mark.parametrize("command", ["no-such-program", "/no/such/program"])
def test_a_missing_one_is_named(command: str) -> None:
    with pytest.raises(DeskError, match=command) as fault:
        executable(command, {"PATH": "/bin"}, Path("/"))
    assert fault.value.code == "program_missing"


@pytest.mark.parametrize("command", ["tool", "./tool"])
def test_one_that_may_not_be_executed_is_told_apart(tmp_path: Path, command: str) -> None:
    (tmp_path / "tool").write_text("text")
    with pytest.raises(DeskError, match="is not executable") as fault:
        executable(command, {"PATH": str(tmp_path)}, tmp_path)
    assert fault.value.code == "program_failed"


@pytest.mark.parametrize(("code", "exit_code"), [("raise SystemExit(3)", 3), ("print('x')", 0)])
def test_the_exit_code_is_known(tmp_path: Path, code: str, exit_code: int) -> None:
    with talking(python(code), tmp_path) as talk:
        talk.over()
        assert talk.last.exit_code == talk.program.exit_code == exit_code


def test_a_signal_that_ended_it_is_a_negative_code(tmp_path: Path) -> None:
    with talking(python("import time; time.sleep(600)"), tmp_path) as talk:
        os.kill(talk.program.pid, signal.SIGKILL)
        talk.over()
        assert talk.last.exit_code == -signal.SIGKILL


def test_the_last_words_of_a_program_are_heard_with_and_without_a_line_break(tmp_path: Path) -> None:
    for code in ("print('x' * 100_000); print('last words')", "print('x'); print('last words', end='')"):
        with talking(python(code), tmp_path) as talk:
            assert talk.over().endswith("last words\n")


def test_a_program_that_ended_can_be_looked_at_but_not_typed_to(tmp_path: Path) -> None:
    with talking(python("print('x')"), tmp_path) as talk:
        talk.over()
        assert talk.program.wait(10).exit_code == 0
        for typing in (
            lambda: talk.program.send("x"),
            lambda: talk.program.answer("x"),
            talk.program.interrupt,
        ):
            with pytest.raises(DeskError, match="has ended and accepts no input") as fault:
                typing()
            assert fault.value.code == "program_exited"


def test_the_end_is_known_though_a_child_of_it_holds_the_terminal(tmp_path: Path) -> None:
    code = """
import signal, subprocess, sys
signal.signal(signal.SIGHUP, signal.SIG_IGN)
print(subprocess.Popen(["sleep", "600"]).pid)
sys.exit(5)
"""
    with talking(python(code), tmp_path) as talk:
        remaining = int(talk.over())
        assert talk.last.exit_code == 5
        assert lives(remaining)
    assert not lives(remaining)


IGNORING = """
import signal, time
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
    signal.signal(number, signal.SIG_IGN)
print("deaf")
while True:
    time.sleep(600)
"""


def test_a_program_that_ignores_every_request_is_killed(tmp_path: Path) -> None:
    with talking(python(IGNORING), tmp_path) as talk:
        talk.until(lambda now: "deaf" in now.text)
        talk.program.close()
        assert talk.program.exit_code == -signal.SIGKILL


def test_one_that_tidies_up_when_asked_gets_the_time_to(tmp_path: Path) -> None:
    code = """
import signal, sys, time
def tidy(*_):
    time.sleep(0.3)
    open("tidied", "w").close()
    sys.exit(0)
signal.signal(signal.SIGHUP, signal.SIG_IGN)
signal.signal(signal.SIGTERM, tidy)
print("up")
time.sleep(600)
"""
    with talking(python(code, stop_grace_seconds=20), tmp_path) as talk:
        talk.until(lambda now: "up" in now.text)
    assert (tmp_path / "tidied").exists()
    assert talk.program.exit_code == 0


AWAY = """
import os, signal, sys, time
for number in (signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
told, tell = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:                      # a daemon: its parent is gone, its session another
        os.write(tell, str(os.getpid()).encode())
        for descriptor in (0, 1, 2):
            os.close(descriptor)
        time.sleep(600)
    os._exit(0)
os.wait()
print(os.read(told, 100).decode())
"""


@pytest.mark.parametrize("then", ["time.sleep(600)", "sys.exit(0)"])
def test_one_that_forks_and_goes_away_is_found_and_ended(tmp_path: Path, then: str) -> None:
    with talking(python(AWAY + then), tmp_path) as talk:
        talk.until(lambda now: now.text)
        away = int(talk.said)
        assert lives(away)
        assert os.getsid(away) != talk.program.pid
    assert not lives(away)


def test_one_that_forks_while_it_is_killed_leaves_nobody(tmp_path: Path) -> None:
    forks = "import os\nfor _ in range(30):\n    os.fork() or time.sleep(600)\n"
    code = IGNORING.replace("while True:", f"{forks}while True:")
    with talking(python(code, stop_grace_seconds=0.1), tmp_path) as talk:
        talk.until(lambda now: "deaf" in now.text)
    assert talk.program.exit_code == -signal.SIGKILL  # and `talking` looks for the rest


def test_a_stopped_program_is_ended_too(tmp_path: Path) -> None:
    with talking(python("print('up'); import time; time.sleep(600)"), tmp_path) as talk:
        talk.until(lambda now: "up" in now.text)
        os.kill(talk.program.pid, signal.SIGSTOP)
    assert talk.program.exit_code is not None


def test_closing_twice_is_closing_once(tmp_path: Path) -> None:
    with talking(python("print('x')"), tmp_path) as talk:
        talk.over()
        talk.program.close()
        talk.program.close()
        assert talk.program.wait(10).exit_code == 0


def test_closing_gives_every_descriptor_back(tmp_path: Path) -> None:
    def opened() -> int:
        return len(os.listdir("/proc/self/fd"))  # noqa: PTH208

    with talking(profile("shell"), tmp_path):
        pass
    before = opened()
    for _ in range(5):
        with talking(profile("shell"), tmp_path):
            pass
    assert opened() == before


def test_a_file_that_is_no_program_is_told(tmp_path: Path) -> None:
    (tmp_path / "tool").write_bytes(b"\x7fELF nonsense")
    (tmp_path / "tool").chmod(0o755)
    with pytest.raises(DeskError, match="could not be started") as fault:
        Program(profile(command="./tool"), tmp_path)
    assert fault.value.code == "program_failed"


def test_a_folder_that_is_gone_is_told(tmp_path: Path) -> None:
    with pytest.raises(DeskError) as fault:
        Program(profile(command="cat"), tmp_path / "gone")
    assert fault.value.code == "program_failed"
