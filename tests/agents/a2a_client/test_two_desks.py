"""Two real desks, each listed by the other: they work for each other, ask each other's people, and no circle of them lasts."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from smoldesk.agents.a2a_client.entries import DEEPEST, DEPTH_KEY
from smoldesk.events import ToolFailed
from smoldesk.store.run_lists import newest_runs
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.scripted_model import Reply, ScriptedModel, code
from tests.support.servers import free_port
from tests.support.tools import Paying
from tests.support.ws_client import WsClient, of_type

PASS_ON = """try:
    told = ask_agent(name="other", message="pass it on")
except Exception as fault:
    told = f"{type(fault).__name__}: {fault}"
final_answer(told)"""


@contextmanager
def desk(
    folder: Path, port: int, other: int, replies: list[Reply], card: str = "", **options: Any
) -> Generator[LiveDesk]:
    """A desk at a port that lists the one at another; what it pays is noted in its folder's `ran`."""
    folder.mkdir()
    address = f"http://127.0.0.1:{other}{card}/.well-known/agent-card.json"
    (folder / "agents.toml").write_text(f'[peers.other]\ncard = "{address}"\n')
    model = ScriptedModel(replies)
    with live_desk(folder, lambda: model, lambda _: [Paying([])], port=port, **options) as live:
        yield live


@contextmanager
def two_desks(
    folder: Path, east: list[Reply], west: list[Reply], card: str = ""
) -> Generator[tuple[LiveDesk, LiveDesk]]:
    """Each of them lists the other."""
    first, second = free_port(), free_port()
    with (
        desk(folder / "east", first, second, east, card) as east_desk,
        desk(folder / "west", second, first, west, card) as west_desk,
    ):
        yield east_desk, west_desk


def run_message(live: LiveDesk, message: str) -> tuple[str, WsClient]:
    """What a person at this desk is answered."""
    with WsClient(live.ws_url) as client:
        client.hello()
        client.say(message)
        return client.until_closed()[-1]["content"]["text"], client


def depths(live: LiveDesk) -> list[Any]:
    """How deep the runs of a desk stood, oldest first."""
    runs = live.desk.store.read(lambda connection: newest_runs(connection, 50))
    return [(run.options.metadata or {}).get(DEPTH_KEY, 0) for run in reversed(runs)]


def test_two_desks_work_for_each_other(tmp_path: Path) -> None:
    drawn = (
        "import matplotlib.pyplot as plt\nimport pandas as pd\nplt.plot([1, 2])\n"
        "display(pd.DataFrame({'room': ['Kitchen'], 'heat': [21]}))\nprint('looked')"
    )
    east: list[Reply] = [
        code("told = ask_agent(name='other', message='draw the heat')\nfinal_answer(told)"),
        code("final_answer('east says 42')"),
    ]
    west: list[Reply] = [
        code(drawn),
        code("final_answer('The kitchen is warm.')"),
        code("final_answer(ask_agent(name='other', message='the number, please'))"),
    ]
    with two_desks(tmp_path, east, west) as (east_desk, west_desk):
        answer, client = run_message(east_desk, "how warm is it?")
        assert "The kitchen is warm." in answer
        assert '"Kitchen"' in answer, "tables come as data"
        assert "Wrote: figure-1.png" in answer
        [image] = of_type(client.seen, "image")
        assert image["path"] == "figure-1.png"
        progress = "".join(message["content"]["text"] for message in of_type(client.seen, "tool_progress"))
        assert "The kitchen is warm." in progress
        assert of_type(client.seen, "tool_progress")[-1]["content"]["state"] == "finished"

        back, _ = run_message(west_desk, "what does east say?")
        assert back.startswith("east says 42")
        assert depths(east_desk) == [0, 1] and depths(west_desk) == [1, 0]


def test_an_approval_over_there_is_asked_of_our_person(tmp_path: Path) -> None:
    east: list[Reply] = [code("final_answer(ask_agent(name='other', message='pay for bread'))")]
    west: list[Reply] = [code("final_answer(pay('bread'))")]
    with (
        two_desks(tmp_path, east, west) as (east_desk, west_desk),
        WsClient(east_desk.ws_url) as client,
    ):
        client.hello()
        client.say("go")
        ask = client.until("ask")["content"]
        assert (ask["kind"], ask["inputType"], ask["options"]) == ("input", "selection", ["y", "n"])
        assert "pay" in ask["prompt"]
        client.send(type="answer", askId=ask["askId"], granted=True, value="y")
        assert "paid bread" in client.until_closed()[-1]["content"]["text"]
        assert depths(west_desk) == [1]


@pytest.mark.parametrize("card", ["", "/agents/code", "/v0.3"])
def test_a_circle_of_desks_ends_at_the_limit(tmp_path: Path, card: str) -> None:
    """East asks west asks east ...: each is the other's agent, and none of them would stop by itself."""
    with two_desks(tmp_path, [code(PASS_ON)], [code(PASS_ON)], card) as (east_desk, west_desk):
        answer, _ = run_message(east_desk, "go round")
        assert f"This task has passed through {DEEPEST} agents already" in answer
        assert depths(east_desk) == [0, 2, 4] and depths(west_desk) == [1, 3]
        failed = [
            stored.event
            for run in east_desk.desk.store.read(lambda connection: newest_runs(connection, 50))
            for stored in east_desk.desk.store.events(run.chat_id)
            if isinstance(stored.event, ToolFailed)
        ]
        assert len(failed) == 1 and "too_many_agents" not in failed[0].error


def test_a_stop_here_ends_the_run_there(tmp_path: Path) -> None:
    east: list[Reply] = [code("final_answer(ask_agent(name='other', message='sleep'))")]
    west: list[Reply] = [code("import time\nfor _ in range(600):\n    print('z')\n    time.sleep(0.1)")]
    with (
        two_desks(tmp_path, east, west) as (east_desk, west_desk),
        WsClient(east_desk.ws_url) as client,
    ):
        client.hello()
        client.say("go")
        run_id = client.until("tool_progress", state="running")["runId"]
        client.send(type="cancel", runId=run_id)
        assert client.until_closed()[-1]["content"]["state"] == "cancelled"
        [run] = west_desk.desk.store.read(lambda connection: newest_runs(connection, 50))
        with WsClient(west_desk.ws_url, f"?chat={run.chat_id}&after=0") as west_client:
            assert west_client.until_closed()[-1]["content"]["state"] == "cancelled"
