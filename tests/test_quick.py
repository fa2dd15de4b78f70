"""Which tests are quick, and the guard that makes one fail which starts something all the same."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from tests.support.desk_server import live_desk
from tests.support.inside_desk import inside_desk
from tests.support.quick import starts_something
from tests.test_support import ROOT

GUARDED = """
import os, socket, subprocess, sys, threading
import pytest

@pytest.fixture
def child():
    return subprocess.run([sys.executable, "-c", ""])

@pytest.fixture
def port():
    yield
    socket.create_server(("127.0.0.1", 0)).close()

def test_a_child(): subprocess.Popen([sys.executable, "-c", ""])
def test_a_fork(): os.fork() or os._exit(0)
def test_a_spawn(): os.posix_spawn(sys.executable, [sys.executable, "-c", ""], {})
def test_a_command(): os.system("true")
def test_a_port(): socket.socket().bind(("127.0.0.1", 0))
def test_a_place(tmp_path): socket.socket(socket.AF_UNIX).bind(str(tmp_path / "place"))
def test_by_a_fixture(child): pass
def test_by_the_end_of_a_fixture(port): pass

def test_caught():
    try:
        subprocess.Popen([sys.executable, "-c", ""])
    except Exception:
        pass

def test_by_a_thread():
    thread = threading.Thread(target=lambda: subprocess.call([sys.executable, "-c", ""]), daemon=True)
    thread.start()
    thread.join()

def test_that_starts_nothing(): socket.socketpair()

@pytest.mark.starts
def test_that_may(): subprocess.run([sys.executable, "-c", ""])
"""


def outcome(folder: Path, *options: str) -> str:
    """What pytest says of `GUARDED`, in a process of its own."""
    (folder / "test_it.py").write_text(GUARDED)
    command = [sys.executable, "-m", "pytest", "-p", "tests.support.quick", "-p", "no:cacheprovider", "-rA"]
    done = subprocess.run(
        [*command, "-W", "ignore", "-c", "pyproject.toml", *options, str(folder)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    return done.stdout + done.stderr


def named(text: str, word: str) -> set[str]:
    """The tests of this outcome, by their names."""
    lines = [line.split(" - ")[0] for line in text.splitlines() if line.startswith(f"{word} ")]
    return {line.rpartition("::")[2] for line in lines}


def test_a_quick_test_that_starts_something_fails_however_it_does_that(tmp_path: Path) -> None:
    text = outcome(tmp_path, "--quick")
    starting = {line[4:].partition("(")[0] for line in GUARDED.splitlines() if line.startswith("def test_")}
    starting -= {"test_that_starts_nothing", "test_that_may"}
    assert named(text, "FAILED") | named(text, "ERROR") == starting, text
    assert "test_that_starts_nothing" in named(text, "PASSED")
    assert "test_that_may" not in text
    assert "quick tests: 11 of 12 (92%)" in text


def test_in_a_run_of_all_tests_servers_of_others_may_start_what_they_need(tmp_path: Path) -> None:
    text = outcome(tmp_path)
    assert "test_a_child" in named(text, "FAILED")
    assert {"test_by_a_thread", "test_that_may"} <= named(text, "PASSED")


# --- what is read from the code -----------------------------------------------------------------------------------


@contextmanager
def opened(folder: Path) -> Iterator[object]:
    with live_desk(folder) as live:
        yield live


class Opener:
    """Opens one by a method."""

    def open(self, folder: Path) -> object:
        return opened(folder)


def opens_within(folder: Path) -> object:
    def within() -> object:
        return opened(folder)

    return within()


def imports_within() -> object:
    from tests.support.desk_server import DeskProcess

    return DeskProcess


def inside(folder: Path) -> object:
    return inside_desk(folder, lambda message, ctx: "")


@pytest.mark.parametrize(
    "function", [opened, opens_within, imports_within, Opener, partial(opened, Path()), Opener().open]
)
def test_what_reaches_a_starter_is_not_quick(function: Callable[..., object]) -> None:
    assert starts_something(function)


@pytest.mark.parametrize("function", [inside, named, len, test_what_reaches_a_starter_is_not_quick])
def test_the_rest_is(function: Callable[..., object]) -> None:
    assert not starts_something(function)
