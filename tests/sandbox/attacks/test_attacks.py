"""The jail against the whole catalogue of attacks: as root, as another user, on each rung, and without it.

Every run is a process of its own (`runner`), all at the same time: most of them wait most of the time.
"""

import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest

from smoldesk.sandbox.isolation import jail_here
from tests.sandbox.attacks.catalogue import ALL

pytestmark = [pytest.mark.long, pytest.mark.skipif(sys.platform != "linux", reason="the jail is Linux's")]

ROOT = Path(__file__).parents[3]
NOBODY = 65_534
SECONDS = 300
LOSSES = {
    "A": set(),
    "B": {"stat_outside", "kernel_any_capability", "group_name"},
    "C": {"list_root", "kernel_mounts_of_machine"},
}
"""What succeeds on each rung; spec/reference/sandbox.md says what that means."""


def others_python() -> str | None:
    """A Python that another user can start and that finds our packages; None when this machine has none."""
    check = f"import pydantic, sys; assert sys.version_info[:2] == {sys.version_info[:2]}; import smoldesk.stopping"
    for python in (sys.executable, "/usr/bin/python3"):
        try:
            done = subprocess.run(
                [python, "-c", check],
                env=environment(),
                cwd=ROOT,
                user=NOBODY,
                group=NOBODY,
                extra_groups=[],
                capture_output=True,
            )
        except OSError:
            continue
        if done.returncode == 0:
            return python
    return None


def environment() -> dict[str, str]:
    packages = [str(ROOT), sysconfig.get_paths()["purelib"]]
    return {"PYTHONPATH": os.pathsep.join(packages), "PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"}


def start(mode: str, python: str, user: int | None) -> "subprocess.Popen[str]":
    other = {} if user is None else {"user": user, "group": user, "extra_groups": []}
    return subprocess.Popen(  # pyright: ignore[reportCallIssue]
        [python, "-m", "tests.sandbox.attacks.runner", mode],
        env=environment(),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **other,  # pyright: ignore[reportArgumentType]
    )


@pytest.fixture(scope="module")
def outcomes() -> Iterator[dict[str, dict]]:
    """ "mode as who" -> what the runner said. As root there are runs as root and as nobody, else only our own."""
    running: dict[str, subprocess.Popen[str]] = {}
    ours = "root" if os.geteuid() == 0 else "a user"
    running[f"all as {ours}"] = start("all", sys.executable, None)
    other, user = (others_python(), NOBODY) if ours == "root" else (sys.executable, None)
    if other is not None:
        modes = (
            ("all", "no_namespaces", "no_landlock", "none")
            if ours == "root"
            else ("no_namespaces", "no_landlock", "none")
        )
        running |= {f"{mode} as a user": start(mode, other, user) for mode in modes}
    message: dict[str, dict] = {}
    try:
        for name, process in running.items():
            output, errors = process.communicate(timeout=SECONDS)
            assert process.returncode == 0, f"{name}: {errors[-2000:]}"
            message[name] = json.loads(output)
        yield message
    finally:
        for process in running.values():
            if process.poll() is None:
                process.kill()
                process.communicate()


def outcome(outcomes: dict[str, dict], name: str) -> dict:
    if name not in outcomes:
        pytest.skip("needs root, or a Python that another user can start")
    return outcomes[name]


def test_there_are_enough_attacks_each_with_a_name_of_its_own():
    assert len(ALL) >= 100
    assert len({attack.name for attack in ALL}) == len(ALL)
    assert all(attack.tries for attack in ALL)


@pytest.mark.parametrize(
    "name", ["all as root", "all as a user", "no_namespaces as a user", "no_landlock as a user"]
)
def test_no_attack_succeeds_but_the_known_losses_of_a_rung(outcomes, name):
    message = outcome(outcomes, name)
    if message["rung"] == "D":
        pytest.skip("this machine gives no jail to test")
    assert set(message["succeeded"]) <= LOSSES[message["rung"]]
    assert message["ran"] > len(ALL) - 30


@pytest.mark.slow
def test_no_attack_succeeds_at_a_node() -> None:
    output, errors = start("node", sys.executable, None).communicate(timeout=SECONDS)
    message = json.loads(output or "{}") or pytest.fail(errors[-2000:])
    if message["rung"] == "D":
        pytest.skip("this machine gives no jail to test")
    assert set(message["succeeded"]) <= LOSSES[message["rung"]]
    assert message["ran"] > len(ALL) - 30


def test_with_all_layers_this_machine_stands_on_the_first_rung_it_can(outcomes, tmp_path):
    assert {message["rung"] for name, message in outcomes.items() if name.startswith("all as root")} <= {
        jail_here(tmp_path).rung
    }


def test_without_the_layers_at_least_a_third_succeed(outcomes):
    """So the catalogue is known to bite. Bombs and the kill of everybody are left out: they would hit the machine."""
    message = outcome(outcomes, "none as a user")
    left_out = [attack.name for attack in ALL if attack.bomb]
    assert message["ran"] == len(ALL) - len(left_out)
    assert "kill_everybody" in left_out
    assert len(message["succeeded"]) >= message["ran"] / 3
