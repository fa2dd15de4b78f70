"""Tries every attack under one set of layers and says which succeeded, as JSON.

`python -m tests.sandbox.attacks.runner all|no_namespaces|no_landlock|none|node [names...]`: a process of its own, so
that it can be another user's. `none` is the control: it leaves bombs out. `node` tries them at a node on this machine.
"""

import json
import os
import secrets
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from smoldesk.nodes.listener import NodeListener
from smoldesk.sandbox.cell_run import CellRun
from smoldesk.sandbox.children import Children
from smoldesk.sandbox.isolation import jail_here
from smoldesk.sandbox.limits import MIB, Limits
from smoldesk.sandbox.slots import Slot
from smoldesk.stopping import StopFlag
from tests.sandbox.attacks.attack import PRELUDE, Attack, host_hurt
from tests.sandbox.attacks.catalogue import ALL, BY_NAME
from tests.sandbox.attacks.world import Host, Trial, World
from tests.support.node_agent import NodeDesk, running

REPOSITORY = Path(__file__).parents[3]
WALLS = ("namespaces", "private_root", "proc", "own_user", "landlock", "seccomp", "privileges")
MODES = {"all": (), "no_namespaces": ("namespaces",), "no_landlock": ("landlock",), "none": WALLS, "node": ()}
CELL_SECONDS, BOMB_SECONDS, GRACE_SECONDS = 8.0, 0.4, 0.15
PATIENCE = 15.0
"""How long an ended cell may take on a busy machine; the ones that matter would take for ever."""
LIMITS = Limits(memory=256 * MIB, file=16 * MIB, threads=64, folder=32 * MIB, files=3_000)


class Runner:
    """One world, one chat, one child after another."""

    def __init__(self, world: World, children: Children) -> None:
        self._world = world
        self._children = children
        self._stop = StopFlag()
        self._child = children.child("attacker", world.mine)

    def attempt(self, attack: Attack) -> Trial:
        """Run one attack in the chat's child; its judges may look at the trial that is returned."""
        world = self._world
        trial = Trial(world, Host(), f"WON{secrets.token_hex(8)}", world.outside_state(), PATIENCE)
        self._child.cell_seconds = BOMB_SECONDS if attack.bomb else CELL_SECONDS
        place = Slot(self._child.slots, self._stop, trial.host.printed)
        with place, self._child.in_use(self._stop) as process:
            equip = {"name": "granted", "description": "", "inputs": {}, "output_type": "any"}
            process.send({"type": "equip", "tools": [equip], "variables": {}})
            watch = Watch(trial, process.pid)
            cell = CellRun(self._child, process, trial.host, self._stop, frozenset({"granted"}), place)  # pyright: ignore[reportArgumentType]
            started, before = time.monotonic(), resident(os.getpid())
            trial.result = cell.run(self._filled(PRELUDE + attack.code, trial.won))
            trial.seconds = time.monotonic() - started
            trial.host_growth = resident(os.getpid()) - before
            watch.end()
        trial.peak |= {
            "printed": len(trial.result.printed),
            "said": len(trial.said),
            "shown": len(trial.result.output_items),
            "disk_kept": watch.folder_bytes(),
            "files_kept": sum(1 for _ in world.mine.iterdir()),
        }
        return trial

    def clean_up(self, attack: Attack) -> None:
        if attack.wrecker or self._world.victim_harmed():  # before the victim: its tracer has to let it go
            with self._child.busy:
                self._child.end("the next attack begins")
        self._world.restore()

    def close(self) -> None:
        self._stop.close()

    def _filled(self, code: str, won: str) -> str:
        world = self._world
        text = {
            "WON": won,
            "SECRET": world.secret,
            "OUTSIDE": world.outside,
            "TARGET": world.target,
            "NEIGHBOUR": world.neighbours,
            "ROOT": world.root,
            "INTMP": world.in_tmp,
            "SHM": world.shm,
            "HOST": os.getpid(),
            "HELD": world.held,
            "VICTIM": world.victim.pid,
            "ADDRESS": world.address,
            "SEGMENT": world.segment,
            "TCP": world.tcp,
            "TCP6": world.tcp6,
            "UDP": world.udp,
            "UNIX": world.unix,
            "DATAGRAM": world.datagram,
            "ABSTRACT": world.abstract,
            "REPOSITORY": REPOSITORY,
        }
        for word, value in text.items():
            code = code.replace(f"@{word}@", str(value))
        return code


class Watch:
    """Looks at what a running child has, from outside."""

    def __init__(self, trial: Trial, pid: int) -> None:
        self._trial = trial
        self._pid = pid
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look_on, daemon=True)
        self._thread.start()

    def end(self) -> None:
        self._over.set()
        self._thread.join()

    def folder_bytes(self) -> int:
        total = 0
        for path in self._trial.world.mine.rglob("*"):
            try:
                total += path.lstat().st_blocks * 512
            except OSError:
                continue
        return total

    def _look_on(self) -> None:
        while not self._over.wait(0.02):
            self._note("disk", self.folder_bytes())
            try:
                status = Path(f"/proc/{self._pid}/status").read_text()
            except OSError:
                continue
            fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
            self._note("memory", int(fields.get("VmHWM", "0 kB").split()[0]) * 1024)
            self._note("threads", int(fields.get("Threads", "0")))
            for name, path in (("shm", "dev/shm"), ("tmp", "tmp")):
                self._note(name, bombs_in(Path(f"/proc/{self._pid}", "root", path)))

    def _note(self, what: str, value: int) -> None:
        self._trial.peak[what] = max(self._trial.peak.get(what, 0), value)


def bombs_in(folder: Path) -> int:
    try:
        return sum(path.stat().st_size for path in folder.glob("bomb*"))
    except OSError:
        return 0


def resident(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def one_node(folder: Path) -> Iterator[NodeListener]:
    """A desk's port for nodes, with one node connected."""
    folder.mkdir(mode=0o755)
    desk = NodeDesk(folder, LIMITS)
    with running(desk.agent("node")):
        desk.wait_for("node")
        yield desk.listener
        desk.close()


def run(mode: str, names: list[str]) -> dict[str, object]:
    """Try them; `succeeded` names those that did, `ran` counts, `rung` says what the jail made of the mode."""
    chosen = [BY_NAME[name] for name in names] or ALL
    with World() as world, ExitStack() as closing:
        jail = jail_here(world.root, MODES[mode])
        nodes = closing.enter_context(one_node(world.root / "desk")) if mode == "node" else None
        children = Children(
            preload=(),
            max_children=2,
            cell_seconds=CELL_SECONDS,
            grace_seconds=GRACE_SECONDS,
            limits=LIMITS,
            jail=jail,
            nodes=nodes,
        )
        runner = Runner(world, children)
        succeeded: list[str] = []
        ran = 0
        try:
            for attack in chosen:
                if attack.bomb and (mode == "none" or (mode != "all" and attack.judge is host_hurt)):
                    continue  # what the host's clock stops, it stops whatever layers there are
                trial = runner.attempt(attack)
                ran += 1
                if attack.judge(trial):
                    succeeded.append(attack.name)
                if names:
                    print(attack.name, trial.result, trial.peak, trial.seconds, file=sys.stderr)
                runner.clean_up(attack)
        finally:
            runner.close()
            children.close()
        return {"mode": mode, "rung": jail.rung, "ran": ran, "succeeded": succeeded, "uid": os.getuid()}


if __name__ == "__main__":
    print(json.dumps(run(sys.argv[1], sys.argv[2:])))
