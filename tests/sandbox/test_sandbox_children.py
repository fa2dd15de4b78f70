"""Processes: how they start, what they know, how they end, and who is told."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest
from conftest import FakeTool

from smoldesk.errors import Conflict, DeskError
from smoldesk.sandbox.child import Child
from smoldesk.sandbox.children import Children
from smoldesk.sandbox.environment import child_environment
from smoldesk.sandbox.executor import SandboxExecutor
from tests.support.waiting import come_true


def gone(pid: int) -> bool:
    """Whether the process ends within a few seconds (a zombie has ended)."""
    for _ in range(100):
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.05)
    return False


def test_the_environment_holds_nothing_of_the_servers(monkeypatch, tmp_path):
    monkeypatch.setenv("SMOLDESK_OPENAI_API_KEY", "sk-very-secret")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "also-secret")
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    children = Children(preload=(), max_children=1)
    try:
        executor = SandboxExecutor(children.child("env", tmp_path))
        executor.send_tools({})
        code = "import os, sys\n[dict(os.environ), open('/proc/self/environ').read(), sys.argv]"
        output = executor(code).output
        assert "secret" not in output and "/somewhere" not in output
        assert f"'HOME': '{tmp_path}'" in output
        executor.cleanup()
    finally:
        children.close()


def test_the_environment_is_made_from_nothing(tmp_path):
    created = child_environment(
        tmp_path, tmp_path / "tables", {"TZ": "Asia/Tokyo", "SECRET": "x", "PATH": "/mine"}
    )
    assert created["TZ"] == "Asia/Tokyo"
    assert created["SEABORN_DATA"] == str(tmp_path / "tables")
    assert (created["PATH"], created["OMP_NUM_THREADS"], created["MPLBACKEND"]) == (
        "/usr/bin:/bin",
        "1",
        "Agg",
    )
    assert "SECRET" not in created and "PYTHONHASHSEED" not in created


def test_the_child_does_not_import_the_server(desk):
    code = "import sys\nsorted(name for name, module in sys.modules.items() if getattr(module, '__file__', None))"
    loaded = desk.run(code).value
    assert not {"smolagents", "pydantic"} & {name.split(".")[0] for name in loaded}
    ours = {".".join(name.split(".")[:3]) for name in loaded if name.split(".")[0] == "smoldesk"}
    assert ours == {"smoldesk.sandbox.inside", "smoldesk.sandbox.jail"}


def test_the_child_holds_no_descriptor_but_its_own(desk):
    code = "import os\nheld = []\nfor n in os.listdir('/proc/self/fd'):\n"
    code += (
        "    try: held.append(os.readlink(f'/proc/self/fd/{n}'))\n    except FileNotFoundError: pass\nheld"
    )
    kinds = [name.split(":")[0] for name in desk.run(code).value]
    assert sorted(set(kinds)) == ["/dev/null", "pipe", "socket"]
    assert kinds.count("socket") == 1


def test_the_child_has_its_limits_and_a_session_of_its_own(desk):
    code = "import os, resource as r\n[os.getsid(0) == os.getpid(), "
    code += "*(r.getrlimit(w)[1] for w in (r.RLIMIT_CORE, r.RLIMIT_NOFILE, r.RLIMIT_AS))]"
    assert desk.run(code).value == [True, 0, 256, 4 * 1024**3]


def test_memory_beyond_the_limit_is_an_error_of_the_cell(desk):
    error = desk.run("kept = 1\nblob = bytearray(6 * 1024**3)").error
    assert error.name == "MemoryError" and "Code has 4,096 MiB of memory here." in error.message
    assert desk.run("kept").value == 1


def test_a_lack_of_memory_in_pandas_names_other_ways(science_desk):
    for code in (
        "import numpy as np, pandas as pd\npd.DataFrame(np.ones((10**9, 4)))",
        "import pandas as pd\nraise pd.errors.ParserError('Error tokenizing data. C error: out of memory')",
    ):
        message = science_desk.run(code).error.message
        assert all(way in message for way in ("duckdb.sql(", "usecols=", "chunksize="))


@pytest.mark.parametrize(
    ("code", "report"),
    [
        ("import os\nos._exit(3)", "exit code 3"),
        ("import ctypes\nctypes.string_at(0)", "signal SIGSEGV"),
        ("class R:\n    def __repr__(self): __import__('os')._exit(4)\nR()", "exit code 4"),
        ("import atexit, os\nprint('last words')\nos._exit(0)", "exit code 0"),
    ],
)
def test_a_child_that_ends_is_told_and_replaced(desk, code, report):
    desk.run("kept = 1")
    result = desk.run(code)
    assert f"The Python process ended ({report})" in str(desk.raised)
    assert "variables are gone" in str(desk.raised)
    assert result.variables_intact is False
    assert desk.run("'kept' in globals()").value is False
    assert report in desk.children.lost(desk.chat_id)


def test_a_signal_from_outside_ends_the_cell_and_is_told(desk):
    desk.host.on_print = lambda _text: os.kill(desk.child.process.pid, signal.SIGKILL)
    result = desk.run("kept = 1\nprint('started')\nwhile True: pass")
    assert "signal SIGKILL, perhaps out of memory" in result.error.message
    assert desk.run("'kept' in globals()").value is False


def test_a_child_that_ends_within_a_tool_call_is_told(desk):
    def end_it(_request):
        os.kill(desk.child.process.pid, signal.SIGKILL)

    desk.tool("go", end_it)
    assert "The Python process ended" in desk.run("go()").error.message
    assert desk.run("1").value == 1


def test_a_child_that_ends_while_idle_is_noticed(desk):
    desk.run("x = 1")
    pid = desk.child.process.pid
    os.kill(pid, signal.SIGKILL)
    assert gone(pid)
    assert come_true(lambda: desk.children.lost(desk.chat_id)) == "the Python process ended"
    assert desk.run("1 + 1").value == 2


def test_a_fork_that_outlives_its_parent_does_not_hold_the_cell(plain):
    """The grandchild keeps a copy of the socket: the end of the child is seen all the same, and both are
    ended.
    """
    code = "import os, time\npid = os.fork()\nif pid == 0:\n    time.sleep(60)\n"
    code += "print(pid)\ntime.sleep(0.2)\nos._exit(3)"
    result = plain.run(code)
    assert "exit code 3" in result.error.message
    # since Python 3.12 a warning comes first: a fork of a process with threads may deadlock
    assert gone(int(result.printed.split()[-1]))


def test_a_fork_that_runs_on_says_nothing_to_the_host(plain):
    result = plain.run("import os, time\npid = os.fork()\nif pid: os.waitpid(pid, 0)\nx = 7\nx")
    assert (result.error, result.value) == (None, 7)
    assert plain.run("x").value == 7


def test_multiprocessing_by_fork_works(plain):
    code = "import multiprocessing as m\ndef double(x): return 2 * x\n"
    code += "with m.get_context('fork').Pool(2) as pool: got = pool.map(double, [1, 2, 3])\ngot"
    assert plain.run(code).value == [2, 4, 6]


def test_a_chat_has_one_cell_at_a_time(desk):
    other = SandboxExecutor(desk.child)
    refused = []

    def nested(_request):
        try:
            other("1")
        except Conflict as fault:
            refused.append(fault.code)

    desk.tool("nested", nested)
    desk.run("nested()")
    assert refused == ["conflict"]
    other.cleanup()


def test_the_oldest_idle_child_gives_way_and_its_chat_is_told(tmp_path):
    children = Children(preload=(), max_children=2)
    try:
        executors = []
        for name in ("one", "two"):
            (tmp_path / name).mkdir()
            executor = SandboxExecutor(children.child(name, tmp_path / name))
            executor.send_tools({})
            executor("x = 1")
            executor.cleanup()
            executors.append(executor)
        (tmp_path / "three").mkdir()
        third = SandboxExecutor(children.child("three", tmp_path / "three"))
        third("x = 1")
        assert children.lost("one") == "another chat needed the place"
        assert (children.lost("two"), children.lost("three")) == (None, None)
        third.cleanup()
    finally:
        children.close()


def test_a_child_in_a_cell_is_not_evicted(tmp_path):
    """The other chat's cell waits for its place, and says so."""
    children = Children(preload=(), max_children=1)
    printed = []

    class Host:
        def call(self, _request):
            raise AssertionError("no tool was given")

        def printed(self, text):
            printed.append(text)

        def worked(self, _work):
            return

    def other():
        executor = SandboxExecutor(children.child("two", tmp_path / "two"), Host())  # pyright: ignore[reportArgumentType]
        printed.append(executor("'second'").output)
        executor.cleanup()

    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    thread = threading.Thread(target=other)
    try:
        first = SandboxExecutor(children.child("one", tmp_path / "one"), Host())  # pyright: ignore[reportArgumentType]
        first("kept = 1")
        cell = threading.Thread(target=lambda: printed.append(first(LONG).output))
        cell.start()
        come_true(lambda: "running" in "".join(printed))
        thread.start()
        come_true(lambda: any("waiting" in text for text in printed))
        (tmp_path / "one" / "go").touch()
        cell.join(30)
        thread.join(30)
        assert printed[-2:] == ["1", "second"]
        first.cleanup()
    finally:
        children.close()


LONG = """import os, time
print('running')
while not os.path.exists('go'):
    time.sleep(0.05)
kept"""


def test_a_child_that_stands_still_in_a_call_takes_no_place(tmp_path):
    children = Children(preload=(), max_children=1)
    reports = []

    class Host:
        def call(self, _request):
            other = SandboxExecutor(children.child("two", tmp_path / "two"))
            reports.append(other("'meanwhile'").output)
            other.cleanup()
            return {"kind": "json", "value": None}

        def printed(self, _text):
            return

        def worked(self, _work):
            return

    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    try:
        executor = SandboxExecutor(children.child("one", tmp_path / "one"), Host())  # pyright: ignore[reportArgumentType]
        executor.send_tools({"go": FakeTool("go")})
        assert executor("go()\n'kept'").output == "kept"
        assert reports == ["meanwhile"]
        executor.cleanup()
    finally:
        children.close()


def test_dropping_a_chat_under_a_running_cell_ends_the_cell(desk):
    desk.host.on_print = lambda _text: desk.children.drop(desk.chat_id, "the chat was deleted")
    pid = desk.child.process.pid
    result = desk.run("print('started')\nwhile True: pass")
    assert "the chat was deleted" in result.error.message
    assert gone(pid)
    with pytest.raises(DeskError):
        desk.executor("1")


def test_a_warm_spare_is_given_to_the_next_chat(tmp_path):
    children = Children(preload=("json",), max_children=2)
    try:
        children.warm()
        spare = come_true(lambda: children._spare)
        child = children.child("chat", tmp_path)
        assert child.process is spare
        executor = SandboxExecutor(child)
        assert executor("import os\nos.getcwd()").output == str(tmp_path)
        executor.cleanup()
    finally:
        children.close()
    assert gone(spare.pid)


def test_a_child_that_cannot_start_says_why(tmp_path):
    command = [sys.executable, "-c", "raise SystemExit('no such module: smoldesk_inside')"]
    children = Children(preload=(), command=command)
    try:
        executor = SandboxExecutor(children.child("chat", tmp_path))
        with pytest.raises(DeskError, match=r"did not start.*no such module") as caught:
            executor("1")
        assert caught.value.code in ("sandbox_failed", "sandbox_closed")
        executor.cleanup()
    finally:
        children.close()


def test_a_process_that_ends_while_it_is_asked_for_is_no_error(tmp_path, monkeypatch):
    """Cells end processes on threads of their own: what was there at one look may be gone at the next."""
    children = Children(preload=(), max_children=1)
    looks = [children.child("chat", tmp_path).process, None] * 2
    try:
        with monkeypatch.context() as patch:
            patch.setattr(Child, "process", property(lambda _child: looks.pop(0)), raising=False)
            assert children.holds("chat")
            looks.pop(0)
            assert children.alive("chat")
    finally:
        children.close()


def test_closing_ends_every_process(tmp_path):
    children = Children(preload=(), max_children=3)
    pids = [children.child(name, tmp_path).process.pid for name in ("a", "b", "c")]  # pyright: ignore[reportOptionalMemberAccess]
    children.close()
    children.close()
    assert all(gone(pid) for pid in pids)
    with pytest.raises(DeskError):
        children.child("d", tmp_path)


def test_the_report_says_not_isolated_where_there_is_no_jail(unjailed):
    report = unjailed.report()
    assert (report.isolated, report.label) == (False, "not isolated")
    assert report.reasons


@pytest.mark.skipif(sys.platform != "linux", reason="the parent-death signal is Linux's")
def test_a_server_that_is_killed_takes_its_children_along(tmp_path):
    """Also while a cell runs that heeds nothing."""
    code = """
import sys, threading
from pathlib import Path
from smoldesk.sandbox.child import Child
from smoldesk.sandbox.children import Children
from smoldesk.sandbox.executor import SandboxExecutor
children = Children(preload=())
executor = SandboxExecutor(children.child("chat", Path(sys.argv[1])))
executor("1")
print(executor._child.process.pid, flush=True)
executor("import itertools\\nsum(itertools.repeat(1))")
"""
    root = Path(__file__).parents[2]
    server = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)],
        stdout=subprocess.PIPE,
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    try:
        child = int(server.stdout.readline())  # pyright: ignore[reportOptionalMemberAccess]
        time.sleep(0.3)
        assert psutil.pid_exists(child)
    finally:
        server.kill()
        server.wait()
        server.stdout.close()  # pyright: ignore[reportOptionalMemberAccess]
    assert gone(child)


def test_a_child_that_is_being_born_ends_when_the_zygote_dies():
    """Killed between the fork and the word to go on, as by the end of its server."""
    code = """
import os, signal, socket
from smoldesk.sandbox.inside import forking

def die(pid):
    print(pid, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

os.pidfd_open = die
control, life, chat = socket.socketpair(), socket.socketpair(), socket.socketpair()
config = {"plan": {}, "limits": {}, "readable": [], "cache": "", "preload": []}
forking.Zygote(control[1], config)._bear(chat[1], life[1])
"""
    root = Path(__file__).parents[2]
    zygote = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    try:
        born = int(zygote.stdout.readline())  # pyright: ignore[reportOptionalMemberAccess]
    finally:
        zygote.wait(30)
        zygote.stdout.close()  # pyright: ignore[reportOptionalMemberAccess]
    assert gone(born)
