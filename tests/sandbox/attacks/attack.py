"""What an attack is, and the ways in which the host sees one succeed."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.sandbox.attacks.world import Trial

Judge = Callable[["Trial"], bool]


@dataclass(frozen=True)
class Attack:
    """`code` runs after the prelude; @NAMES@ in it are filled from the world. `judge` looks from the host.

    A `bomb` is left out of the control run: without layers it would hit the machine. A `wrecker` leaves a child
    nobody should run the next attack in.
    """

    name: str
    tries: str
    code: str
    judge: Judge
    bomb: bool = False
    wrecker: bool = False


PRELUDE = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def call(number, *args):
    return libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) if isinstance(a, int) else a for a in args])
def won(if_true=True):
    if if_true: print("@WON@")
"""


def leaked(trial: "Trial") -> bool:
    """A secret that lies outside the jail came out in what the cell said."""
    return any(token in trial.said for token in trial.world.tokens)


def said_so(trial: "Trial") -> bool:
    """The code says so itself, by a word it was given for this case; it has no reason to lie to us."""
    return trial.won in f"{trial.result.printed}{trial.result.output}"


def changed(trial: "Trial") -> bool:
    """Something outside the jail is not as it was."""
    return trial.world.outside_state() != trial.before


def connected(trial: "Trial") -> bool:
    """One of our listeners heard from it."""
    return trial.world.heard() > 0


def harmed(trial: "Trial") -> bool:
    """The process that is none of its business has ended, or stands still."""
    for _ in range(10):  # a killed process takes a moment to die on a busy machine
        if trial.world.victim_harmed():
            return True
        time.sleep(0.03)
    return False


def called_ungranted(trial: "Trial") -> bool:
    """A tool ran on the host that was never granted."""
    return bool(set(trial.host.called) - {"granted"})


def shown_outside(trial: "Trial") -> bool:
    """The host took a path that leads out of the chat's folder for one of its files."""
    folder = trial.world.mine.resolve()
    paths = [(folder / item.path) for item in trial.result.output_items]
    return any(not path.resolve().is_relative_to(folder) or path.is_symlink() for path in paths)


def outlived(trial: "Trial") -> bool:
    """Something it started still writes after its process was killed."""
    return trial.world.still_beating(trial)


def host_hurt(trial: "Trial") -> bool:
    """The cell was not ended in time, or took the host's memory along."""
    return trial.seconds > trial.patience or trial.host_growth > 200 * 1024**2


def took(what: str, most: int) -> Judge:
    """The child had more of something than it may: `memory` or `threads` as /proc says, `disk` in its folder."""
    return lambda trial: trial.peak.get(what, 0) > most


def any_of(*judges: Judge) -> Judge:
    return lambda trial: any(judge(trial) for judge in judges)
