"""Layers of the jail that this machine supports, the plan made of them, and their description on the page.

Levels, best first: A all layers; B without namespaces (common in containers), Landlock and the call filter remain; C
without Landlock; D without either, which is not isolated.
"""

import json
import subprocess
import sys
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from smoldesk.sandbox.environment import CHILD_PACKAGES, MAIN

PROBE_SECONDS = 30.0
# Name of each layer on the page and in `smoldesk doctor`.
LAYERS = {
    "namespaces": "namespaces (processes, network, queues)",
    "private_root": "a file system of its own",
    "proc": "a /proc of its own",
    "own_user": "a user of its own",
    "landlock": "Landlock",
    "seccomp": "a filter of system calls",
    "rlimits": "resource limits",
    "privileges": "no privileges",
}

_results_by_device: dict[int, dict[str, str]] = {}


@dataclass(frozen=True)
class Isolation:
    """Isolation of model-written code: its label, and why it is no more than that."""

    isolated: bool
    label: str
    reasons: list[str]


@dataclass(frozen=True)
class Jail:
    """The layers children take here: `plan` for the zygote (None: no jail, children are spawned), and why others
    are missing.
    """

    plan: dict[str, bool] | None
    missing: dict[str, str]

    @property
    def rung(self) -> str:
        """A, B, C or D."""
        plan = self.plan or {}
        if not plan.get("seccomp") or not plan.get("rlimits") or not plan.get("privileges"):
            return "D"
        walls = plan.get("private_root", False)
        if plan.get("landlock"):
            return "A" if walls else "B"
        return "C" if walls else "D"

    def report(self) -> Isolation:
        """For the page, `smoldesk doctor` and /healthz."""
        if self.plan is None:
            reason = "Code runs in a plain process of its own, with the rights of the server's user."
            return Isolation(
                isolated=False, label="not isolated", reasons=[reason, *sorted(set(self.missing.values()))]
            )
        active = [name for layer, name in LAYERS.items() if self.plan.get(layer)]
        reasons = [f"At work: {', '.join(active)}."]
        reasons += [f"Missing: {LAYERS[layer]} ({why})." for layer, why in self.missing.items()]
        labels = {
            "A": "isolated",
            "B": "isolated, no namespaces",
            "C": "isolated, no Landlock",
            "D": "not isolated",
        }
        return Isolation(isolated=self.rung != "D", label=labels[self.rung], reasons=reasons)


def jail_here(folder: Path, without: Collection[str] = ()) -> Jail:
    """Return the jail that this machine supports for chats below `folder`; `without` names layers to leave out (for
    tests).
    """
    if sys.platform != "linux":
        return Jail(None, dict.fromkeys(LAYERS, "it exists on Linux only"))
    while not folder.is_dir():
        folder = folder.parent
    layers = dict(_probed(folder.resolve()))
    layers["privileges"] = ""
    for layer in without:
        layers[layer] = "left out on purpose"
    if layers["namespaces"]:
        layers["private_root"] = layers["private_root"] or layers["namespaces"]
    if layers["private_root"]:
        layers["proc"] = layers["proc"] or layers["private_root"]
        layers["own_user"] = layers["own_user"] or layers["private_root"]
    if layers["privileges"]:
        layers["own_user"] = layers["own_user"] or layers["privileges"]
    plan = {layer: not reason for layer, reason in layers.items()}
    missing = {layer: reason for layer, reason in layers.items() if reason}
    if plan.get("namespaces") and not plan["own_user"]:
        missing.pop("own_user", None)  # the user namespace has the same effect
    return Jail(plan, missing)


def _probed(folder: Path) -> dict[str, str]:
    """layer -> "" or why not, as a process found that tried them all: once for each file system, as it takes about 0.1 s."""
    device = folder.stat().st_dev
    if device not in _results_by_device:
        _results_by_device[device] = _tried_in(folder)
    return _results_by_device[device]


def _tried_in(folder: Path) -> dict[str, str]:
    config = {"role": "probe", "folder": str(folder), "packages": CHILD_PACKAGES}
    line = [sys.executable, "-I", "-S", str(MAIN), json.dumps(config)]
    try:
        done = subprocess.run(line, capture_output=True, timeout=PROBE_SECONDS, env={}, check=True)
        results: dict[str, str] = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError) as fault:
        return {layer: f"the probe failed: {type(fault).__name__}" for layer in LAYERS}
    return results
