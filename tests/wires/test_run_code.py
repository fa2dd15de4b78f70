"""A person's own code over the four-pane wire: run in the agent's variables, shown like a step, remembered as the person's."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.desk_server import LiveDesk, events_of, live_desk
from tests.support.scripted_model import Scripts, code, text_of
from tests.support.ws_client import Message, WsClient, of_type

WITHOUT_PYTHON = """
[agents.lookup]
kind = "tools"
tools = ["list_datasets"]
"""


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory, scripts: Scripts) -> Iterator[LiveDesk]:
    folder = tmp_path_factory.mktemp("desk")
    (folder / "agents.toml").write_text(WITHOUT_PYTHON)
    with live_desk(folder, lambda: scripts.model, max_steps=3) as live:
        yield live


def run(client: WsClient, body: str) -> list[Message]:
    client.send(type="run_code", code=body)
    return client.until_closed()


def test_code_of_the_person_runs_in_the_agents_variables(client: WsClient, scripts: Scripts) -> None:
    scripts.set(code("total = 40\nfinal_answer('It is 40.')"))
    client.ask("Add it up")
    messages = run(client, "print('was', total)\ntotal = total + 2\ntotal")
    [echo] = of_type(messages, "user_message")
    assert echo["isCode"] is True
    assert echo["content"].startswith("print('was', total)")
    assert "".join(m["content"] for m in of_type(messages, "printed")) == "was 40\n"
    [displayed] = of_type(messages, "code")
    assert (displayed["content"], displayed["step"]) == (echo["content"], "Step 1")
    assert [m["content"] for m in of_type(messages, "text")] == ["`42`"]
    assert messages[-1]["content"]["state"] == "finished"
    scripts.set(code("final_answer(total)"))
    assert client.ask("And now?")[-1]["content"]["text"] == "42"


def test_the_agent_is_told_of_it_as_the_persons(client: WsClient, scripts: Scripts) -> None:
    run(client, "mine = 7\nprint('seven is', mine)")
    model = scripts.set(code("final_answer(mine)"))
    assert client.ask("What is mine?")[-1]["content"]["text"] == "7"
    [message] = [m for m in model.seen[0] if "mine = 7" in text_of([m])]
    assert message.role == "user"
    assert "I, the person, ran this code myself" in text_of([message])
    assert "seven is 7" in text_of([message])
    assert not text_of([message]).startswith("New task")


def test_tables_plots_and_answers_of_it_are_shown(desk: LiveDesk, client: WsClient) -> None:
    messages = run(
        client,
        "import pandas as pd\nimport matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.plot([1, 2])\n"
        "pd.DataFrame({'a': [1, 2]})",
    )
    [table] = of_type(messages, "table")
    assert table["content"]["rows"] == [[1], [2]]
    [image] = of_type(messages, "image")
    assert httpx.get(desk.url + image["url"]).headers["content-type"] == "image/png"
    assert of_type(messages, "text") == []
    assert run(client, "final_answer('said')")[-1]["content"]["text"] == "said"


def test_a_fault_in_it_fails_its_run_and_keeps_the_variables(client: WsClient, scripts: Scripts) -> None:
    messages = run(client, "kept = 3\nprint('before')\nkept / 0")
    [error] = of_type(messages, "error")
    assert error["code"] == "code_error"
    assert "line 3" in error["content"]
    assert "ZeroDivisionError" in error["content"]
    assert messages[-1]["content"]["state"] == "failed"
    model = scripts.set(code("final_answer(kept)"))
    assert client.ask("What is kept?")[-1]["content"]["text"] == "3"
    assert "ZeroDivisionError" in text_of(model.seen[0])
    assert "before" in text_of(model.seen[0])


def test_it_can_be_stopped_and_what_it_printed_is_remembered(client: WsClient, scripts: Scripts) -> None:
    client.send(type="run_code", code="import time\nprint('begun', flush=True)\nwhile True: time.sleep(0.05)")
    printed = client.next()
    while printed["type"] != "printed":
        printed = client.next()
    client.send(type="cancel", runId=printed["runId"])
    assert client.until_closed()[-1]["content"]["state"] == "cancelled"
    model = scripts.set(code("final_answer('ok')"))
    client.ask("What happened?")
    assert "begun" in text_of(model.seen[0])


def test_it_is_refused_while_a_run_goes_on_and_nothing_is_lost(client: WsClient, scripts: Scripts) -> None:
    scripts.set(code("import time\nprint('working', flush=True)\nwhile True: time.sleep(0.05)"))
    client.say("work")
    message = client.next()
    while message["type"] != "printed":
        message = client.next()
    client.send(type="run_code", code="1")
    error = client.next()
    assert (error["type"], error["code"]) == ("error", "run_open")
    client.send(type="cancel", runId=message["runId"])
    assert client.until_closed()[-1]["content"]["state"] == "cancelled"
    assert run(client, "1")[-1]["content"]["state"] == "finished"


def test_sent_twice_under_one_id_it_runs_once(desk: LiveDesk, client: WsClient) -> None:
    run(client, "count = 0")
    for _ in range(2):
        client.send(type="run_code", code="count += 1", clientMessageId="m1")
    client.until_closed()
    assert of_type(run(client, "count"), "text")[0]["content"] == "`1`"
    messages = [
        event["message"] for event in events_of(desk.url, client.chat_id) if event["type"] == "run_queued"
    ]
    assert messages == ["count = 0", "count += 1", "count"]


@pytest.mark.parametrize("agent", ["lookup", "demo"])
def test_an_agent_without_python_refuses_it(desk: LiveDesk, client: WsClient, agent: str) -> None:
    chosen = httpx.patch(f"{desk.url}/api/chats/{client.chat_id}", json={"agent": agent})
    assert chosen.status_code == 200, chosen.text
    client.until("chat", agentName=agent)
    client.send(type="run_code", code="1")
    error = client.next()
    assert (error["type"], error["code"]) == ("error", "not_supported")
    assert f"{agent!r}" in error["content"]


@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        ({}, "missing_field"),
        ({"code": "  \n"}, "empty"),
        ({"code": 1}, "wrong_type"),
        ({"code": "1", "clientMessageId": ""}, "empty"),
        ({"code": "x" * 50_001}, "too_large"),
    ],
)
def test_what_is_no_code_is_refused(client: WsClient, frame: dict[str, object], expected: str) -> None:
    client.send(type="run_code", **frame)
    error = client.next()
    assert (error["type"], error["code"]) == ("error", expected)
    assert "seq" not in error


def test_the_built_in_analyst_goes_on_after_it(tmp_path: Path) -> None:
    with live_desk(tmp_path) as desk, WsClient(desk.ws_url).greeted() as client:
        client.ask("average age by sex in titanic")
        run(client, "print('between')")
        text = client.ask("and the median?")[-1]["content"]["text"]
    assert "median" in text.lower()
