"""Agents of nodes as actors of a Ray cluster: Ray decides on which machines they run and starts them again.

Only agents are actors, never chats: an actor takes a second and a half to start, a fork 20 ms. Signals and frames do not
pass through Ray.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from smoldesk.errors import DeskError
from smoldesk.nodes.node_agent import DeskAddress, Identity, NodeAgent, restore_signals
from smoldesk.sandbox.sites import CellSetup

# Machines offer this resource (`ray start --resources '{"smoldesk_node": 1}'`); each agent takes one of it.
RESOURCE = "smoldesk_node"
NAMESPACE = "smoldesk"
# Under load, raylets end at their start if their agents do not report in time; Ray's default is 30 s.
REGISTER_MS = "120000"
FOLDER = ".smoldesk-node"


class NodeActor:
    """Actor that is the agent of one node; Ray calls it on the main thread of its process."""

    def run(
        self,
        desk: DeskAddress,
        token: str,
        name: str,
        make_setup: Callable[[], CellSetup],
        limits: "tuple[int, int]",
    ) -> None:
        """Serve the desk; returns never, and is called again after a restart. `limits`: processes and computing cells."""
        # Ray's workers ignore SIGINT; without this no cell could be stopped.
        restore_signals()
        folder = Path.home() / FOLDER / name
        identity = Identity(folder)
        if not identity.exists:
            identity.join(desk, token, name)
        NodeAgent(desk, identity, make_setup(), folder, *limits).serve()


def place(
    cluster: str,
    desk: DeskAddress,
    token: str,
    count: int,
    make_setup: Callable[[], CellSetup],
    limits: "tuple[int, int]",
) -> list[str]:
    """Start `count` agents in the cluster at the address `cluster`, beside those that run; return their names.

    They outlive this process. Raises DeskError if Ray is not installed or the cluster cannot be reached.
    """
    ray = _connected(cluster)
    names = [f"ray-{number + 1}" for number in range(count)]
    options = {
        "num_cpus": 0,
        "resources": {RESOURCE: 1},
        "max_restarts": -1,
        "max_task_retries": -1,
        "lifetime": "detached",
        "namespace": NAMESPACE,
        "get_if_exists": True,
    }
    for name in names:
        actor = ray.remote(NodeActor).options(name=f"smoldesk-{name}", **options).remote()
        actor.run.remote(desk, token, name, make_setup, limits)
    return names


def _connected(cluster: str) -> Any:
    os.environ.setdefault("RAY_agent_register_timeout_ms", REGISTER_MS)
    try:
        import ray  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise DeskError(
            "Ray is not installed.",
            "Install the extra ray (pip install -e '.[ray]').",
            code="missing_package",
        ) from None
    try:
        ray.init(address=cluster, ignore_reinit_error=True, log_to_driver=False)
    except (ConnectionError, RuntimeError, ValueError) as fault:
        raise DeskError(
            f"The Ray cluster {cluster[:100]!r} cannot be reached: {str(fault)[:200]}.",
            "Start it with `ray start --head --node-ip-address=ADDRESS --include-dashboard=false`.",
            code="ray_away",
        ) from None
    return ray
