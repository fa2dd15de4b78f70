"""Programs that wait for input, as the operating system knows: real processes under a real terminal."""

import sys
from pathlib import Path

import pytest

from smoldesk.agents.terminal.foreground import CALLS
from tests.support.terminals import profile, python, talking

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not CALLS, reason="only Linux tells in which system call a process waits"
)

WAITING = {
    "a read": "input()",
    "a read of keys": "import sys, tty\ntty.setraw(0)\nsys.stdin.read(1)",
    "a select": "import select\nselect.select([0], [], [])",
    "a poll": "import select\nwatched = select.poll()\nwatched.register(0, select.POLLIN)\nwatched.poll()",
    "a read of /dev/tty": "open('/dev/tty').readline()",
    "an event loop": "import asyncio\nloop = asyncio.new_event_loop()\nloop.add_reader(0, input)\nloop.run_forever()",
    "a child's read": "import subprocess\nsubprocess.run(['cat'])",
    "a read beside a thread that works": (
        "import threading, time\nthreading.Thread(target=time.sleep, args=(60,), daemon=True).start()\ninput()"
    ),
}
WORKING = {
    "a pause": "import time\ntime.sleep(60)",
    "a child's pause": "import subprocess\nsubprocess.run(['sleep', '60'])",
    "a read of a pipe": "import os\nos.read(os.pipe()[0], 1)",
    "a poll of a pipe": "import os, select\nselect.select([os.pipe()[0]], [], [])",
    "a computation": "while True: pass",
}
# It watches its terminal and something else: it may wait for that.
UNCLEAR = {
    "an event loop with a child": (
        "import asyncio, subprocess\nsubprocess.Popen(['sleep', '60'], start_new_session=True)\n"
        "loop = asyncio.new_event_loop()\nloop.add_reader(0, input)\nloop.run_forever()"
    ),
    "an event loop with a connection": (
        "import asyncio, socket\nserver = socket.create_server(('127.0.0.1', 0))\n"
        "client = socket.create_connection(server.getsockname())\n"
        "loop = asyncio.new_event_loop()\nloop.add_reader(0, input)\nloop.run_forever()"
    ),
}


@pytest.mark.parametrize(
    ("code", "waits"),
    [(code, waits) for cases, waits in ((WAITING, True), (WORKING, False), (UNCLEAR, None)) for code in cases.values()],
    ids=[*WAITING, *WORKING, *UNCLEAR],
)  # fmt: skip
def test_a_program_waits_for_input_or_does_not(code: str, waits: bool | None, tmp_path: Path) -> None:
    started = f"print('started', flush=True)\n{code}"
    with talking(python(started, stop_grace_seconds=0.1), tmp_path) as talk:
        talk.until(lambda now: "started" in talk.said and now.quiet_for > 0.5 and now.waits is waits)


def test_nothing_is_known_of_a_program_that_has_just_written(tmp_path: Path) -> None:
    with talking(
        python("import time\nwhile True:\n    print('tick', flush=True)\n    time.sleep(0.05)"), tmp_path
    ) as talk:
        talk.until(lambda now: "tick" in talk.said)
        assert talk.last.waits is None


def test_a_job_in_the_background_does_not_count(tmp_path: Path) -> None:
    with talking(profile("shell"), tmp_path) as talk:
        talk.prompt(r"shell\$ $")
        talk.program.send("sleep 60 & echo started")
        talk.until(lambda now: "started" in talk.said and now.waits is True)
