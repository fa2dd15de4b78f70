"""Agents as actors of a Ray cluster with three raylets on this machine. Needs the extra `ray`."""

import functools
import os
import signal
import sys
from pathlib import Path

import psutil
import pytest

from smoldesk.nodes.ray_placement import RESOURCE, place
from smoldesk.sandbox.children import Children
from smoldesk.sandbox.sites import CellSetup
from tests.sandbox.conftest import Desk
from tests.support.node_agent import ROOT, NodeDesk
from tests.support.waiting import come_true

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="the jail is Linux's")]


def test_ray_starts_a_killed_agent_again_and_its_chat_goes_on_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster  # pyright: ignore[reportMissingImports]

    tmp_path.chmod(0o755)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("RAY_agent_register_timeout_ms", "120000")
    desk = NodeDesk(tmp_path / "desk")
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    children = Children(preload=(), nodes=desk.listener)
    try:
        for _ in range(3):
            cluster.add_node(num_cpus=1, resources={RESOURCE: 1})
        token = desk.membership.new_token(10, 1)
        setup = functools.partial(CellSetup, ())
        names = place(str(cluster.address), desk.address, token, 3, setup, (4, 2))
        desk.wait_for(*names)
        (tmp_path / "chat").mkdir()
        chat = Desk(children, "chat", tmp_path / "chat")
        chat.host.on_print = lambda _text: chat.stop.set("enough")
        stopped = chat.run("x = 1\nimport time\nprint('now', flush=True)\ntime.sleep(30)")
        assert stopped.stopped and stopped.variables_intact  # Ray's workers ignore SIGINT; cells do not
        chat = chat.again()
        victim = children.site("chat").name
        os.kill(process_of(victim, tmp_path), signal.SIGKILL)
        come_true(lambda: not children.alive("chat"))
        assert chat.run("'x' in globals()").output == "False"
        assert children.site("chat").name not in (victim, "")
        desk.wait_for(*names)
        chat.close()
    finally:
        children.close()
        desk.close()
        ray.shutdown()
        cluster.shutdown()


def process_of(name: str, home: Path) -> int:
    """The actor that has a file of this node's folder open."""
    actors = [
        one for one in psutil.process_iter(["cmdline"]) if "NodeActor" in " ".join(one.info["cmdline"] or [])
    ]
    folder = str(home / ".smoldesk-node" / name)
    return next(
        one.pid for one in actors if any(file.path.startswith(f"{folder}/") for file in one.open_files())
    )
