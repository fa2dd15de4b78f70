"""What one chat may take of the machine, who goes first, and who has to go."""

import re
import threading
import time
from pathlib import Path

import psutil
import pytest

from smoldesk.errors import Stopped
from smoldesk.sandbox.children import Children
from smoldesk.sandbox.executor import SandboxExecutor
from smoldesk.sandbox.folder_watch import FolderWatch, usage
from smoldesk.sandbox.jail.limits import SESSION_YIELD, YIELD
from smoldesk.sandbox.limits import MIB, Limits
from smoldesk.sandbox.losses import loss_of
from smoldesk.sandbox.machine import Memory
from smoldesk.sandbox.slots import Slots
from smoldesk.stopping import StopFlag
from tests.support.nested import nest
from tests.support.waiting import come_true

DEAF = "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})\n"
"""A cell that begins so is not reached by the request to stop, however slowly it writes."""
WRITE = "for n in range({count}):\n    open(f'{name}{{n}}', 'wb').write(b'x' * 2**20)\n"


@pytest.fixture(scope="module")
def narrow():
    limits = Limits(folder=8 * MIB, files=500, file=4 * MIB)
    children = Children(preload=(), max_children=3, cell_seconds=30, grace_seconds=5, limits=limits)
    yield children
    children.close()


@pytest.fixture
def cramped(narrow, tmp_path):
    from conftest import Desk

    desk = Desk(narrow, str(tmp_path), tmp_path)
    yield desk
    desk.close()
    narrow.drop(desk.chat_id, "the test is over")


# --- the folder ---------------------------------------------------------------------------------------------


def test_a_cell_that_fills_the_folder_is_stopped_and_keeps_its_variables(cramped):
    code = "kept = 1\n" + WRITE.format(count=10, name="part") + "while True: pass"
    result = cramped.run(code)
    assert result.error.name == "OSError"
    assert "The chat's folder is full (at most 8 MiB or 500 files)" in str(cramped.raised)
    assert cramped.run("kept").value == 1


def test_what_a_cell_wrote_far_beyond_the_quota_is_removed(cramped):
    cramped.run("open('mine.txt', 'w').write('kept')")
    result = cramped.run(DEAF + WRITE.format(count=40, name="bomb"))
    assert "folder is full" in result.error.message
    assert result.variables_intact is False
    assert sorted(path.name for path in cramped.folder.iterdir() if path.name.startswith("bomb")) == []
    assert cramped.run("1 + 1").value == 2


@pytest.mark.parametrize(
    "death",
    ["os._exit(0)", "os.kill(os.getpid(), 9)", "os.write(3, b'x' * 2**20); os._exit(0)", "while True: pass"],
)
def test_a_cell_leaves_no_more_by_dying_early_than_it_may(cramped, death):
    # time enough to become deaf on a busy machine
    cramped.child.cell_seconds, cramped.child.grace_seconds = 1.0, 0.05
    result = cramped.run(DEAF + "import os\n" + WRITE.format(count=40, name="bomb") + death)
    assert result.error is not None and result.variables_intact is False
    assert usage(cramped.folder, Limits()).size <= 12 * MIB
    assert cramped.run("1 + 1").value == 2


def test_what_was_removed_is_said(cramped):
    result = cramped.run("import os\n" + WRITE.format(count=40, name="bomb") + "os._exit(3)")
    assert result.error.name == "OSError"
    assert "folder is full" in result.error.message
    removed = re.search(r", (\d+) files it had written were removed", result.error.message)
    assert removed and 12 < int(removed[1]) <= 40  # fewer where it was ended before its own end


def test_a_cell_that_is_stopped_when_far_too_much_is_there_is_swept_too(cramped):
    def stopped(_request):
        cramped.stop.set("enough")
        raise Stopped("enough")

    cramped.tool("halt", stopped)
    result = cramped.run(
        DEAF + "try: halt()\nexcept BaseException: pass\n" + WRITE.format(count=40, name="bomb")
    )
    assert result.stopped
    assert usage(cramped.folder, Limits()).size <= 12 * MIB


def test_a_failing_host_leaves_no_folder_that_is_far_too_full(cramped):
    def fail(_request):
        # filled while the call is served: written by the cell, the folder's watch may be there before the call
        for number in range(40):
            (cramped.folder / f"bomb{number}").write_bytes(b"x" * MIB)
        raise KeyboardInterrupt("the server itself is ending")

    cramped.tool("fail", fail)
    with pytest.raises(KeyboardInterrupt):
        cramped.run("fail()")
    assert usage(cramped.folder, Limits()).size <= 12 * MIB


def test_a_full_folder_can_be_emptied(cramped):
    for number in range(9):
        (cramped.folder / f"old{number}").write_bytes(b"x" * MIB)
    result = cramped.run("import os, time\nfor n in range(9): os.unlink(f'old{n}')\ntime.sleep(0.4)\n'empty'")
    assert (result.error, result.value) == (None, "empty")


def test_one_file_has_a_largest_size(cramped):
    result = cramped.run("open('big', 'wb').write(b'x' * (5 * 2**20))")
    assert "File too large" in result.error.message


def test_usage_follows_no_links_and_counts_folders(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "file").write_bytes(b"x" * 5000)
    (tmp_path / "link").symlink_to("/")
    result = usage(tmp_path, Limits())
    assert result.files == 3
    assert 5000 <= result.size < MIB


@pytest.mark.parametrize(("levels", "name"), [(1_500, "d"), (25, "d" * 200)])
def test_what_lies_too_deep_to_be_counted_is_far_too_much_and_swept(tmp_path, levels, name):
    watch = FolderWatch(tmp_path, Limits())
    (tmp_path / "kept").mkdir()
    nest(tmp_path, levels, name)
    assert watch.state(at_once=True) == "far too full"
    watch.sweep()
    assert watch.state(at_once=True) == "fine"
    assert (tmp_path / "kept").is_dir()


def test_code_that_nests_folders_out_of_sight_is_ended_and_they_are_removed(desk):
    code = "import os\nfor _ in range(1_200):\n    os.mkdir('d')\n    os.chdir('d')\nopen('hidden', 'w').write('x')"
    assert desk.run(code).error.code == "folder_full"
    assert desk.run("1 + 1").value == 2


@pytest.mark.long
def test_a_sweep_leaves_what_was_there_before(tmp_path):
    (tmp_path / "old").write_text("old")
    time.sleep(1.1)
    watch = FolderWatch(tmp_path, Limits())
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "new").write_text("new")
    assert watch.sweep() == 1
    assert (tmp_path / "old").exists() and not (tmp_path / "d" / "new").exists()


def test_a_child_yields_to_the_server_also_as_a_session(desk):
    desk.run("1")
    pid = desk.child.process.pid
    assert psutil.Process(pid).nice() == YIELD
    group = Path(f"/proc/{pid}/autogroup")
    if group.exists():  # else the kernel weighs processes alone
        assert group.read_text().split()[1:] == ["nice", str(SESSION_YIELD)]


# --- standing still -----------------------------------------------------------------------------------------


def status_of(desk):
    return psutil.Process(desk.child.process.pid).status()


def test_a_child_stands_still_between_cells_and_while_a_tool_works(desk):
    received = []
    desk.tool(
        "look", lambda _request: received.append(come_true(lambda: status_of(desk) == psutil.STATUS_STOPPED))
    )
    desk.run("look()")
    assert received == [True]
    assert come_true(lambda: status_of(desk) == psutil.STATUS_STOPPED)
    assert desk.run("1 + 1").value == 2


def test_a_thread_computes_nothing_between_cells(desk):
    desk.run("import threading\nn = 0\ndef count():\n    global n\n    while True: n += 1\n")
    first = desk.run("threading.Thread(target=count, daemon=True).start()\nn").value
    assert come_true(lambda: status_of(desk) == psutil.STATUS_STOPPED)
    used = psutil.Process(desk.child.process.pid).cpu_times()
    time.sleep(0.3)
    assert psutil.Process(desk.child.process.pid).cpu_times() == used
    assert desk.run("n").value > first


# --- taking turns -------------------------------------------------------------------------------------------


def test_cells_wait_for_a_processor_in_the_order_they_came():
    slots, order = Slots(1), []
    assert slots.take(StopFlag(), lambda: False, order.append)

    def wait(name):
        flag = StopFlag()
        if slots.take(flag, lambda: False, lambda _text: None):
            order.append(name)
            slots.give_back()

    threads = []
    for number, name in enumerate("abc", 1):
        threads.append(threading.Thread(target=wait, args=(name,)))
        threads[-1].start()
        assert come_true(lambda n=number: slots.waiting == n)
    slots.give_back()
    for thread in threads:
        thread.join(20)
    assert order == ["a", "b", "c"]


def test_a_stop_ends_the_wait_for_a_processor():
    slots, stop = Slots(1), StopFlag()
    slots.take(stop, lambda: False, lambda _text: None)
    timer = threading.Timer(0.1, stop.set, ["never mind"])
    timer.start()
    with pytest.raises(Stopped, match="never mind"):
        slots.take(stop, lambda: False, lambda _text: None)
    assert slots.waiting == 0


@pytest.mark.long
def test_who_waits_is_told(tmp_path):
    slots, report = Slots(1), []
    slots.take(StopFlag(), lambda: False, report.append)
    assert slots.take(StopFlag(), lambda: bool(report), report.append) is False
    assert report == ["[waiting for a processor: 1 other cells compute]\n"]


def test_a_cell_that_waits_for_a_tool_leaves_its_place_to_another(tmp_path):
    """One place, two chats: the second runs a whole cell within the first one's call."""
    children = Children(preload=(), max_children=2, max_cells=1)
    try:
        (tmp_path / "b").mkdir()
        second = SandboxExecutor(children.child("b", tmp_path / "b"))

        class Host:
            def call(self, _request):
                return {"kind": "json", "value": second("40 + 2").output}

            def printed(self, _text):
                return

            def worked(self, _work):
                return

        from conftest import FakeTool

        first = SandboxExecutor(children.child("a", tmp_path), Host())  # pyright: ignore[reportArgumentType]
        first.send_tools({"ask": FakeTool("ask")})
        assert first("ask()").output == "42"
        first.cleanup()
        second.cleanup()
    finally:
        children.close()


# --- going --------------------------------------------------------------------------------------------------


def idle_children(tmp_path, **options):
    children = Children(preload=(), max_children=3, **options)
    executor = SandboxExecutor(children.child("chat", tmp_path))
    executor("x = 1")
    executor.cleanup()
    return children


def test_a_child_nobody_uses_is_ended_and_its_chat_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr("smoldesk.sandbox.supervisor.TICK_SECONDS", 0.05)
    children = idle_children(tmp_path, idle_seconds=0.01)
    try:
        assert come_true(lambda: not children.alive("chat"))
        lost = children.lost("chat")
        assert (lost, loss_of(lost or "")) == ("they were not used for 0.000166667 minutes", "idle")
    finally:
        children.close()


def test_when_memory_is_short_an_idle_child_is_ended(tmp_path, monkeypatch):
    monkeypatch.setattr("smoldesk.sandbox.supervisor.TICK_SECONDS", 0.05)
    monkeypatch.setattr("smoldesk.sandbox.machine.memory", lambda *_: Memory(2**30, 2**27 - 1))
    children = idle_children(tmp_path)
    try:
        assert come_true(lambda: not children.alive("chat"))
        assert children.lost("chat") == "the machine was short of memory"
    finally:
        children.close()


def test_chats_without_a_process_are_forgotten_in_time(tmp_path, monkeypatch):
    monkeypatch.setattr("smoldesk.sandbox.children.FORGET_SECONDS", 0.0)
    monkeypatch.setattr("smoldesk.sandbox.supervisor.TICK_SECONDS", 0.05)
    children = idle_children(tmp_path, idle_seconds=0.01)
    try:
        # no public call tells what was forgotten, and the collector's frozen objects keep a weak reference alive
        come_true(lambda: not children._chats)  # noqa: SLF001
    finally:
        children.close()


# --- the zygote ---------------------------------------------------------------------------------------------


def started() -> set[psutil.Process]:
    """The processes that this one started itself; a child is started by its zygote."""
    return set(psutil.Process().children())


def test_a_zygote_that_dies_is_replaced_and_the_chats_are_told(tmp_path):
    children = Children(preload=(), max_children=2)
    try:
        before = started()
        executor = SandboxExecutor(children.child("chat", tmp_path))
        executor("x = 1")
        pid = children.child("chat", tmp_path).process.pid  # pyright: ignore[reportOptionalMemberAccess]
        [zygote] = started() - before
        if zygote.pid == pid:
            pytest.skip("this machine gives no jail")
        zygote.kill()
        assert come_true(lambda: not psutil.pid_exists(pid))
        assert come_true(lambda: children.lost("chat") is not None)
        assert executor("'x' in globals()").output == "False"
        assert len(started() - before - {zygote}) == 1
        executor.cleanup()
    finally:
        children.close()


def test_children_of_one_zygote_have_chances_of_their_own(tmp_path):
    children = Children(preload=("numpy",), max_children=2)
    try:
        received = []
        for name in "ab":
            executor = SandboxExecutor(children.child(name, tmp_path))
            received.append(
                executor("import random, numpy\n[random.random(), float(numpy.random.rand())]").output
            )
            executor.cleanup()
        assert received[0] != received[1]
    finally:
        children.close()
