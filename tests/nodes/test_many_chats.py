"""Fifty chats of a real desk over three nodes, of which one is killed in the middle."""

import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from smoldesk.nodes.membership import Membership
from smoldesk.store.tables import EventRow
from tests.support.desk_server import live_desk
from tests.support.node_agent import running, start_agent
from tests.support.scripted_model import ScriptedModel, code
from tests.support.waiting import come_true
from tests.support.ws_client import WsClient, of_type

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="the jail is Linux's")]
CHATS = 50
CELLS = (
    "x = 1\nimport time\ntime.sleep(0.5)",
    "time.sleep(0.5)\nfinal_answer(f'x is {globals().get(\"x\")}')",
)


def test_no_event_is_lost_and_each_run_ends_once_when_a_node_is_killed(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    options: dict[str, Any] = {
        "executor": "nodes",
        "nodes_port": 0,
        "max_children": CHATS,
        "sandbox_preload": [],
    }

    def model() -> ScriptedModel:
        return ScriptedModel([code(CELLS[0]), code("import time\n" + CELLS[1])])

    received: dict[int, list[dict[str, Any]]] = {}
    with live_desk(tmp_path / "desk", model, **options) as live:
        listener: Any = live.desk.children.nodes
        membership = Membership(tmp_path / "desk")
        agents = [start_agent(membership, listener.port, name, tmp_path / name, CHATS) for name in "abc"]

        def ask(number: int) -> None:
            with WsClient(live.ws_url) as client:
                client.hello()
                client.say("go")
                received[number] = client.until_closed()

        with running(*agents):
            come_true(lambda: len(listener.sites()) == 3)
            threads = [threading.Thread(target=ask, args=(number,)) for number in range(CHATS)]
            for thread in threads:
                thread.start()
            come_true(
                lambda: (
                    live.desk.store.read(lambda c: len(c.execute(select(EventRow.seq)).all())) > 12 * CHATS
                )
            )
            agents[0].kill()
            for thread in threads:
                thread.join(120)
        query = select(EventRow.chat_id, EventRow.seq, EventRow.type).order_by(EventRow.chat_id, EventRow.seq)
        rows: list[Any] = live.desk.store.read(lambda c: [*c.execute(query)])
    texts = {of_type(messages, "run")[-1]["content"]["text"] for messages in received.values()}
    assert len(received) == CHATS and texts <= {"x is 1", "x is None"}
    chats: dict[str, list[tuple[int, str]]] = {}
    for chat_id, seq, kind in rows:
        chats.setdefault(chat_id, []).append((seq, kind))
    assert len(chats) == CHATS
    for events in chats.values():
        assert [seq for seq, _ in events] == [*range(events[0][0], events[0][0] + len(events))]
        assert sum(kind in ("run_finished", "run_failed", "run_cancelled") for _, kind in events) == 1
