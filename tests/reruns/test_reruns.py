"""Re-runs: a run of the log is played again as a real run, with recorded replies in place of the model."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select

from smoldesk.messages import Table
from smoldesk.reruns import LiveModel, Replay
from smoldesk.store.recordings import RecordedCall
from smoldesk.store.tables import ChatRow
from smoldesk.tools.recorded_tool import NotRecorded, with_recorded
from tests.support.aio import run_async
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.scripted_model import Calls, Scripts, code
from tests.support.tools import Noting, Paying, Payment
from tests.support.ws_client import WsClient

SALES = "shop,amount\nOslo,10\nBergen,20\n"
LOAD = "import pandas as pd\nsales = pd.read_csv('sales.csv')\n"
SUM = f"{LOAD}final_answer(f'Sum: {{sales.amount.sum()}}')"
ran: list[str] = []


@pytest.fixture(scope="module")
def scripts() -> Scripts:
    return Scripts()


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory, scripts: Scripts) -> Iterator[LiveDesk]:
    def tools(folder: Path) -> list[Noting]:
        return [Noting(ran), Paying(ran)]

    with live_desk(tmp_path_factory.mktemp("desk"), lambda: scripts.model, tools, max_steps=4) as live:
        yield live


@pytest.fixture
def client(desk: LiveDesk) -> Iterator[WsClient]:
    ran.clear()
    with WsClient(desk.ws_url).greeted() as client:
        put(desk, client, SALES)
        yield client


def put(desk: LiveDesk, client: WsClient, text: str) -> None:
    """Make a text the chat's sales.csv."""
    files = f"{desk.url}/api/chats/{client.chat_id}/files"
    httpx.delete(f"{files}/sales.csv", timeout=60)
    assert httpx.post(files, files={"file": ("sales.csv", text)}, timeout=60).status_code == 201


def play(desk: LiveDesk, client: WsClient, run_id: str, **options: Any) -> Replay:
    async def played() -> Replay:
        async with desk.desk.reruns.played(client.chat_id, run_id, **options) as replay:
            return replay

    return run_async(played())


def chats(desk: LiveDesk) -> int:
    return desk.desk.store.read(lambda c: c.execute(select(func.count()).select_from(ChatRow)).scalar_one())


def test_a_run_is_played_again_with_the_files_of_now_and_without_its_model(
    desk: LiveDesk, client: WsClient, scripts: Scripts
) -> None:
    model = scripts.set(code("import math\nprint(1 / 3)"), code(f"{LOAD}display(sales)\n{SUM}"))
    run = client.ask("What is the sum?")[-1]["runId"]
    put(desk, client, SALES + "Molde,12\n")
    before, calls = chats(desk), len(model.seen)

    replay = play(desk, client, run)

    assert (replay.answer, replay.failure) == ("Sum: 42", None)
    [table] = [message.content for message in replay.shown if isinstance(message, Table)]
    assert table.rows[-1] == ["Molde", 12]
    assert replay.evidence is not None and replay.evidence.content.unmatched == 0
    assert len(model.seen) == calls
    assert chats(desk) == before
    listed = httpx.get(f"{desk.url}/api/chats", timeout=60).json()["chats"]
    assert replay.chat_id not in [chat["id"] for chat in listed]
    assert not (desk.desk.data_dir.chats / replay.chat_id).exists()


def test_earlier_runs_are_played_whose_variables_the_code_reads(
    desk: LiveDesk, client: WsClient, scripts: Scripts
) -> None:
    for cell in (f"{LOAD}final_answer('read')", "import time\nunrelated = 1\nfinal_answer('no')"):
        scripts.set(code(cell))
        client.ask("Prepare.")
    scripts.set(code("final_answer(str(sales.amount.max()))"))
    run = client.ask("And the largest?")[-1]["runId"]
    put(desk, client, "shop,amount\nOslo,77\n")

    turns = run_async(desk.desk.reruns.turns(client.chat_id, run))
    assert [turn.answer for turn in turns] == ["read", "20"]
    assert play(desk, client, run).answer == "77"


def test_variables_that_code_reads_by_another_way_are_there_after_a_second_try(
    desk: LiveDesk, client: WsClient, scripts: Scripts
) -> None:
    scripts.set(code("amount = 5\nfinal_answer('set')"))
    client.ask("Prepare.")
    scripts.set(code("final_answer(str(globals()['amo' + 'unt'] + 1))"))
    run = client.ask("Next?")[-1]["runId"]

    assert play(desk, client, run).answer == "6"


def test_tools_that_act_are_not_called_again(desk: LiveDesk, client: WsClient, scripts: Scripts) -> None:
    scripts.set(code("final_answer(note('bread') + ', ' + pay('milk'))"))
    client.say("Pay.")
    client.send(type="answer", askId=client.until("ask")["content"]["askId"], granted=True)
    run = client.until_closed()[-1]["runId"]
    assert ran == ["bread", "milk"]

    replay = play(desk, client, run)

    assert (replay.answer, replay.failure) == ("noted bread, paid milk", None)
    assert ran == ["bread", "milk"]
    [turn] = run_async(desk.desk.reruns.turns(client.chat_id, run))
    assert turn.recorded_tools == ["note", "pay"]


def test_another_call_than_the_recorded_one_fails_the_replay(
    desk: LiveDesk, client: WsClient, scripts: Scripts
) -> None:
    scripts.set(code(f"{LOAD}final_answer(note(sales.shop[0]))"))
    run = client.ask("Note the first shop.")[-1]["runId"]
    put(desk, client, "shop,amount\nMolde,1\n")

    failure = play(desk, client, run).failure
    assert failure is not None and failure.code == "tool_not_recorded"
    assert ran == ["Oslo"]


def test_a_recorded_result_is_not_used_for_the_same_values_under_other_names() -> None:
    paid = RecordedCall(
        tool="process_payment", arguments={"recipient": "EUR", "currency": "USD"}, result="ok"
    )
    [tool] = with_recorded([Payment([])], [paid], {}, 100)
    assert tool.run_call("c_1", {"currency": "USD", "recipient": "EUR"}) == "ok"
    with pytest.raises(NotRecorded):
        tool.run_call("c_2", {"recipient": "USD", "currency": "EUR"})


def test_code_that_fails_with_other_data_is_the_reason_of_the_failure(
    desk: LiveDesk, client: WsClient, scripts: Scripts
) -> None:
    scripts.set(code(SUM))
    run = client.ask("What is the sum?")[-1]["runId"]
    put(desk, client, "shop,price\nMolde,1\n")

    failure = play(desk, client, run).failure
    assert failure is not None and failure.code == "code_failed" and "amount" in failure.message


def test_calls_of_an_agent_of_kind_tools_are_played_again(
    desk: LiveDesk, client: WsClient, scripts: Scripts
) -> None:
    httpx.patch(f"{desk.url}/api/chats/{client.chat_id}", json={"agent": "tools"}, timeout=60)
    scripts.set(
        Calls(("python_interpreter", {"code": f"{LOAD}print(sales.amount.sum())"})),
        Calls(("final_answer", {"answer": "The sum is 30."})),
    )
    run = client.ask("What is the sum?")[-1]["runId"]
    put(desk, client, SALES + "Molde,12\n")

    replay = play(desk, client, run)

    assert (replay.answer, replay.failure) == ("The sum is 30.", None)
    assert replay.evidence is not None  # the model wrote 30 itself, and the run gives 42 now
    assert [figure.status for figure in replay.evidence.content.figures] == ["unmatched"]


def test_another_model_answers_the_same_question(desk: LiveDesk, client: WsClient, scripts: Scripts) -> None:
    scripts.set(code("final_answer('first')"))
    run = client.ask("Which?")[-1]["runId"]
    scripts.set(code(f"{SUM}"))

    assert play(desk, client, run, live=LiveModel()).answer == "Sum: 30"


def test_given_files_take_the_place_of_those_of_the_chat(
    desk: LiveDesk, client: WsClient, scripts: Scripts, tmp_path: Path
) -> None:
    scripts.set(code(SUM))
    run = client.ask("What is the sum?")[-1]["runId"]
    (tmp_path / "other.csv").write_text("shop,amount\nMolde,5\n")

    assert play(desk, client, run, files={"sales.csv": tmp_path / "other.csv"}).answer == "Sum: 5"
    assert play(desk, client, run).answer == "Sum: 30"


def test_a_replay_that_does_not_end_is_stopped_and_leaves_nothing(
    desk: LiveDesk, client: WsClient, scripts: Scripts
) -> None:
    wait = "import os, time\nif os.path.exists('sales.csv'):\n    time.sleep(30)\nfinal_answer('done')"
    httpx.delete(f"{desk.url}/api/chats/{client.chat_id}/files/sales.csv", timeout=60)
    scripts.set(code(wait))
    run = client.ask("Wait.")[-1]["runId"]
    put(desk, client, SALES)
    before = chats(desk)

    replay = play(desk, client, run, seconds=0.5)

    assert replay.failure is not None and replay.failure.code == "time_limit"
    assert chats(desk) == before
