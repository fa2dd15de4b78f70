"""Warm processes are as good as processes: streams, folder, environment, exit codes, signals, and their end."""

import gc
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
import pytest

from tests.support.warm import clean_environment, started

BUSY = 150


def said(code: str, *arguments: str, folder: Path, cold: bool = False, **env: str) -> tuple[int, str, str]:
    """How it ended, and what it said to stdout and to stderr."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        environment = clean_environment() | env
        process = started(code, arguments, cwd=folder, env=environment, stdout=out, stderr=err, cold=cold)
        ended = process.wait(BUSY)
        out.seek(0)
        err.seek(0)
        return ended, out.read().decode(), err.read().decode()


def gone(pid: int) -> None:
    """Wait until no process has that id."""
    deadline = time.monotonic() + BUSY
    while psutil.pid_exists(pid):
        assert time.monotonic() < deadline, f"{pid} is still there"
        time.sleep(0.01)


def is_zombie(process: psutil.Process) -> bool:
    """Whether it has ended and was not waited for; one that is gone since it was listed was."""
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_what_has_ended_leaves_no_zombie(tmp_path: Path) -> None:
    assert said("print('so')", folder=tmp_path)[0] == 0
    deadline = time.monotonic() + BUSY
    while dead := [child for child in psutil.Process().children(recursive=True) if is_zombie(child)]:
        assert time.monotonic() < deadline, f"{dead} were never waited for"
        time.sleep(0.01)


@pytest.mark.parametrize(
    "code",
    [
        "import os, sys; print(sys.argv, os.getcwd(), os.environ['SMOLDESK_X'], sys.stdin.read(), __name__)",
        "import sys; sys.exit(7)",
        "import sys; sys.exit('no such thing')",
        "raise ValueError('expected')",
        "import atexit; atexit.register(print, 'the end'); print('so far', end=' ')",
        "import threading; threading.Timer(0.1, print, ['late']).start()",
        "import os, signal; os.kill(os.getpid(), signal.SIGTERM)",
        "import os, signal; os.kill(os.getpid(), signal.SIGINT)",
        "import signal; print([signal.getsignal(n) for n in (signal.SIGCHLD, signal.SIGTERM, signal.SIGPIPE)])",
        "import os; print(sorted(os.listdir('/dev/fd')))",
    ],
)
def test_a_warm_process_does_what_a_cold_one_does(tmp_path: Path, code: str) -> None:
    cold = said(code, "a", "b c", folder=tmp_path, cold=True, SMOLDESK_X="1")
    warm = said(code, "a", "b c", folder=tmp_path, SMOLDESK_X="1")
    assert warm[:2] == cold[:2]
    assert warm[2].splitlines()[-1:] == cold[2].splitlines()[-1:]


def test_each_is_a_process_of_its_own(tmp_path: Path) -> None:
    keep = "import smoldesk.cli.main as m; m.seen = getattr(m, 'seen', 0) + 1; print(m.seen)"
    assert [said(keep, folder=tmp_path)[1] for _ in range(2)] == ["1\n", "1\n"]
    pids = {said("import os; print(os.getpid())", folder=tmp_path)[1] for _ in range(2)}
    assert len(pids) == 2 and str(os.getpid()) not in pids


def test_the_desk_is_there_and_not_imported_again(tmp_path: Path) -> None:
    text = "import sys; print('smoldesk.app' in sys.modules, 'smolagents' in sys.modules)"
    assert said(text, folder=tmp_path)[1] == "True True\n"


def test_it_can_be_killed_and_waited_for(tmp_path: Path) -> None:
    with tempfile.TemporaryFile() as out:
        process = started(
            "import time; time.sleep(1000)",
            [],
            cwd=tmp_path,
            env=clean_environment(),
            stdout=out,
            stderr=out,
        )
        assert process.poll() is None
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.1)
        process.kill()
        assert process.wait(BUSY) == process.returncode == process.poll() == -signal.SIGKILL
        process.kill()  # nobody is hit
        gone(process.pid)


def test_it_ends_with_who_asked_for_it(tmp_path: Path) -> None:
    with tempfile.TemporaryFile() as out:
        code = "import time; time.sleep(1000)"
        process = started(code, [], cwd=tmp_path, env=clean_environment(), stdout=out, stderr=out)
        pid = process.pid
        assert psutil.pid_exists(pid)
        del process
        gc.collect()
        gone(pid)


def test_a_python_of_its_own_is_what_cold_means(tmp_path: Path) -> None:
    code = "import sys; print('smoldesk.app' in sys.modules, sys.executable)"
    assert said(code, folder=tmp_path, cold=True)[1] == f"False {sys.executable}\n"
