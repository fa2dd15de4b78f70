"""Programs of others end with whoever began them, with all that they began themselves."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from smoldesk.sandbox.isolation import Jail, jail_here
from smoldesk.sandbox.jailed_command import JailedProgram, start_jailed

BEGINS_OTHERS = (
    "setsid sleep {0} & setsid sh -c 'trap \"\" TERM; sleep {0} & wait' & trap '' TERM; sleep {0}; true"
)


def _begun(folder: Path, jail: Jail, mark: str) -> "subprocess.Popen[bytes]":
    argv = ["/bin/sh", "-c", BEGINS_OTHERS.format(mark)]
    return start_jailed(JailedProgram(argv, {"PATH": "/usr/bin:/bin"}, folder), jail)


def _running(mark: str) -> list[str]:
    """The sleeping ones, by what /proc says of each process."""
    lines: list[str] = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            message = path.read_bytes().split(b"\0")
        except OSError:
            continue
        lines += [path.parent.name] if message[:2] == [b"sleep", mark.encode()] else []
    return lines


def _until(mark: str, count: int) -> None:
    deadline = time.monotonic() + 20
    while len(results := _running(mark)) != count:
        assert time.monotonic() < deadline, results
        time.sleep(0.02)


@pytest.mark.parametrize("without", ["", "namespaces"])
@pytest.mark.parametrize("killed", [False, True])
def test_nothing_that_a_program_began_is_left(tmp_path: Path, without: str, killed: bool) -> None:
    """Also what left its group, and what hears no SIGTERM; also when the desk is killed and can end nothing."""
    jail = jail_here(tmp_path, without.split())
    if jail.plan is None:
        pytest.skip("no jail here")
    mark = f"{9000 + os.getpid()}.{bool(without):d}{killed:d}"
    if killed:
        begin = "import pathlib, time; from test_jailed_command import _begun, jail_here\n"
        begin += f"p = pathlib.Path({str(tmp_path)!r})\n"
        begin += f"made = _begun(p, jail_here(p, {without.split()!r}), {mark!r}); time.sleep(60)"
        owner = subprocess.Popen([sys.executable, "-c", begin], cwd=Path(__file__).parent)
        _until(mark, 3)
        owner.send_signal(signal.SIGKILL)
        owner.wait(20)
    else:
        process = _begun(tmp_path, jail, mark)
        _until(mark, 3)
        process.terminate()
        process.communicate(timeout=20)
    _until(mark, 0)
