"""Much of everything: what code prints and shows, runs that wait, readers that stall. People get it, and nobody is held up.

The model, the log and the debug pane get a bounded part of the output; many runs wait while one works.
"""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import psutil
import pytest
from smolagents.models import ChatMessage

from smoldesk.sandbox import cell_run
from smoldesk.store.asks import open_asks_everywhere
from tests.support.desk_server import LiveDesk, Servers, live_desk
from tests.support.scripted_model import ScriptedModel, code, text_of
from tests.support.task_agents import BLOCK
from tests.support.task_client import TaskClient
from tests.support.tools import Paying
from tests.support.waiting import come_true
from tests.support.ws_client import WsClient, of_type

models: list[ScriptedModel] = []
WIDE = "import pandas as pd\nwide = pd.DataFrame({str(i): ['y' * 1000] * 60 for i in range(250)})\n"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    with live_desk(tmp_path_factory.mktemp("desk"), lambda: models[-1]) as live:
        yield live


def test_a_flood_of_output_reaches_the_page_and_only_its_ends_the_model(desk: LiveDesk) -> None:
    models.append(
        ScriptedModel(
            [code("print('first')\nprint('x' * 900_000)\nprint('last')"), code("final_answer('ok')")]
        )
    )
    with WsClient(desk.ws_url).greeted() as client:
        messages = client.ask("print")
    printed = "".join(m["content"] for m in of_type(messages, "printed"))
    assert printed == "first\n" + "x" * 900_000 + "\nlast\n"
    text = text_of(models[-1].seen[1])
    assert "first" in text
    assert "last" in text
    assert "truncated" in text
    assert len(text) < 100_000
    assert max(len(json.dumps(debug)) for debug in of_type(messages, "debug")) < 100_000


def test_the_rows_of_a_huge_table_are_shortened_and_the_whole_is_served(desk: LiveDesk) -> None:
    models.append(ScriptedModel([code(WIDE + "display(wide)\nfinal_answer('ok')")]))
    with WsClient(desk.ws_url).greeted() as client:
        messages = client.ask("show")
    table = of_type(messages, "table")[0]
    assert len(table["content"]["rows"]) == 50
    assert len(json.dumps(table)) < 500_000
    debug = of_type(messages, "debug")[0]
    assert len(json.dumps(debug)) < 100_000
    assert debug["content"]["parsed_outputs"][1]["content"]["rows"][-1] == "… (50 in all)"
    page = httpx.get(desk.url + table["url"], params={"offset": 59, "limit": 5}, timeout=30).json()
    assert page["rows"] == [["y" * 1000] * 250]


def test_many_tables_come_without_first_rows_once_there_is_too_much(
    desk: LiveDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cell_run, "MAX_PREVIEWS", 500_000)
    models.append(ScriptedModel([code(WIDE + "for _ in range(4): display(wide)\nfinal_answer('ok')")]))
    with WsClient(desk.ws_url).greeted() as client:
        messages = client.ask("show")
    tables = of_type(messages, "table")
    assert [len(table["content"]["rows"]) for table in tables] == [50, 0, 0, 0]
    assert all(table["content"]["rowCount"] == 60 for table in tables)
    last = httpx.get(desk.url + tables[-1]["url"], params={"limit": 1}, timeout=30).json()
    assert last["rows"] == [["y" * 1000] * 250]


def reply(messages: list[ChatMessage]) -> str:
    pays = "please pay" in text_of(messages)
    return code("final_answer(pay('bread'))" if pays else "final_answer(sum(range(10)))")


@pytest.mark.timeout(400)
@pytest.mark.parametrize("chats", [30, pytest.param(200, marks=pytest.mark.slow)])
def test_many_runs_wait_while_another_chat_works(tmp_path: Path, chats: int) -> None:
    ran: list[str] = []
    model = ScriptedModel([reply])
    with (
        live_desk(tmp_path, lambda: model, lambda _: [Paying(ran)]) as live,
        httpx.Client(base_url=live.url, timeout=60) as http,
    ):
        store, runs = live.desk.store, live.desk.runs
        for _ in range(chats):
            chat = http.post("/api/chats").json()["id"]
            http.post(f"/api/chats/{chat}/runs", json={"message": "please pay"}).raise_for_status()
        come_true(lambda: len(store.read(open_asks_everywhere)) == chats, 240)

        with WsClient(live.ws_url) as client:
            client.hello()
            assert client.ask("please add")[-1]["content"]["text"] == "45"
        assert ran == []

        asks = [record.ask.id for record in store.read(open_asks_everywhere)]
        for ask in asks[: chats // 2]:
            http.post(f"/api/asks/{ask}", json={"granted": True}).raise_for_status()
        come_true(lambda: len(ran) == chats // 2 == runs.working(), 120)
        assert len(store.read(open_asks_everywhere)) == chats // 2


READERS = 24
PIECES = 800
SERVING = "import sys; from tests.wires.test_large_output import main; sys.exit(main(sys.argv[1:]))"


def main(arguments: list[str]) -> int:
    """`smoldesk serve` with an agent that floods."""
    from dataclasses import replace

    from smoldesk.cli import main as cli
    from smoldesk.cli.server import build_server
    from smoldesk.desk import build_desk
    from smoldesk.runs import Runs
    from tests.support.one_agent import OneAgent
    from tests.support.task_agents import flood

    settings = cli.read_settings(cli.parser().parse_args(arguments))
    desk = build_desk(settings)
    build_server(replace(desk, runs=Runs(desk.store, OneAgent(flood)))).run()
    return 0


def test_readers_that_stall_cost_no_memory(tmp_path: Path) -> None:
    """8 MB of output and 24 readers that take nothing: kept for each of them, it would be 192 MB."""
    with ExitStack() as closing:
        server = closing.enter_context(Servers(tmp_path, SERVING)).start()
        port = int(server.url.rpartition(":")[2])
        client = closing.enter_context(TaskClient(server.url))
        alone = client.send(f"flood {PIECES}")  # what this takes with nobody who stalls is there before
        assert client.events(alone["id"])[-1].json["state"] == "completed"
        process = psutil.Process(server.process.pid)
        before = process.memory_info().rss
        task = client.send(f"flood {PIECES}")
        path = f"/tasks/{task['id']}/subscribe"
        for _ in range(READERS):
            stalled = closing.enter_context(socket.create_connection(("127.0.0.1", port)))
            stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16_384)
            stalled.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        most = [before]
        done = threading.Event()

        def watch() -> None:
            while not done.wait(0.05):
                most.append(process.memory_info().rss)

        watching = threading.Thread(target=watch)
        watching.start()
        try:
            events = client.events(task["id"])
        finally:
            done.set()
            watching.join()
        assert events[-1].json["state"] == "completed", "nobody waited for those who stall"
        pieces = sum(
            event.json["artifact"]["parts"][0]["text"].count(";")
            for event in events
            if event.event == "artifact"
        )
        assert pieces == PIECES
        grown = max(most) - before
        assert grown < READERS * PIECES * BLOCK / 3, f"the server grew by {grown / 1e6:.0f} MB"
