"""Faults of one of three servers on one PostgreSQL, and of the clock or the database beneath them, under load."""

import os
import signal
import time
from pathlib import Path

from tests.faults.fault import CannotTry, Fault, Outcome
from tests.faults.load import NAMES, Load, three_servers
from tests.support.waiting import come_true

# Debian's package is libfaketime; SMOLDESK_FAULTS_FAKETIME names the library elsewhere.
LIBRARIES = "lib*/*/faketime/libfaketimeMT.so.1"


def killed_server(folder: Path) -> Outcome:
    """Kill one of three servers by SIGKILL while it works."""
    with three_servers(folder) as desk:
        load = Load(desk)
        with load.running():
            last = load.begin("a")
            killed_at = time.monotonic()
            desk.live.pop("a").kill()
            assert load.end_of(last) == "server_restarted"
            closed = time.monotonic() - killed_at
            seconds = load.until_answered_since(killed_at)
            desk.live["a"] = desk.servers.start("a")
            load.until_answered_since(time.monotonic())
        ends = load.counts()
    assert not ends["run_cancelled"], ends
    seen = f"`server_restarted` for its open runs ({ends['run_failed']} of {ends.total()} here)"
    return Outcome(
        seen,
        f"the others close these after {closed:.0f} s and answer in all chats after {seconds:.0f} s",
    )


def rolling_restart(folder: Path) -> Outcome:
    """Stop one server after the other by SIGTERM, and start each again on its data directory."""
    with three_servers(folder) as desk:
        load = Load(desk)
        with load.running():
            for name in NAMES:
                leaving = desk.live[name]
                leaving.process.send_signal(signal.SIGTERM)
                assert leaving.process.wait(120) == 0, leaving.errors()
                desk.live[name] = desk.servers.start(name)
                load.until_answered_since(time.monotonic())
        ends = load.counts()
    assert ends.keys() == {"run_finished"}, ends
    return Outcome(
        f"nothing: all {ends.total()} runs finish", "each server ends its runs, the others take its chats"
    )


def paused_postgresql(folder: Path) -> Outcome:
    """Pause PostgreSQL for longer than a server may be silent: each misses all heartbeats of the others."""
    with three_servers(folder) as desk:
        load = Load(desk)
        with load.running():
            with desk.postgres.frozen():
                for name in NAMES:
                    come_true(lambda name=name: desk.ready(name) == "database_unavailable")
                time.sleep(8)
            seconds = load.until_answered_since(time.monotonic())
            for name in NAMES:
                come_true(lambda name=name: desk.ready(name) == "")
        ends = load.counts()
    assert ends.keys() == {"run_finished"}, ends
    seen = "`database_unavailable` in `/readyz` of each; runs wait"
    return Outcome(
        seen, f"by itself: all chats answer within {seconds:.0f} s, no server takes another one for dead"
    )


def jumping_clock(folder: Path) -> Outcome:
    """Set the clock of one server an hour ahead, then an hour back, while it works; later right again."""
    library = str(os.environ.get("SMOLDESK_FAULTS_FAKETIME") or next(Path("/usr").glob(LIBRARIES), ""))
    if not Path(library).is_file():
        raise CannotTry("libfaketime is not installed (apt install libfaketime)")
    offset = folder / "offset"
    offset.write_text("+0")
    clock = {"LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": str(offset), "FAKETIME_NO_CACHE": "1"}
    clock |= {"FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    with three_servers(folder, NAMES[:2]) as desk:
        desk.live["c"] = desk.servers.start("c", cold=True, **clock)
        load = Load(desk)
        with load.running():
            for jump, code in (("+1h", "clock_skewed"), ("-1h", "clock_skewed"), ("+0", "")):
                offset.write_text(jump)
                come_true(lambda code=code: desk.ready("c") == code)
                assert desk.ready("a") == desk.ready("b") == ""
                load.until_answered_since(time.monotonic())
        ends = load.counts()
    assert ends.keys() == {"run_finished"}, ends
    return Outcome(
        "`clock_skewed` in `/readyz` of that server; its runs finish", "by itself, when the clock is right"
    )


FAULTS: dict[str, Fault] = {
    "one of three servers killed": killed_server,
    "rolling restart of three servers": rolling_restart,
    "PostgreSQL paused under three servers": paused_postgresql,
    "clock of one server jumps by an hour": jumping_clock,
}
