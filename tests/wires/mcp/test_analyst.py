"""Asking the desk's analyst over /mcp, with the library's own client in both generations of the protocol."""

import base64
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError
from mcp_types import ElicitRequestParams, ElicitResult, TextResourceContents

from smoldesk.events import StoredEvent
from smoldesk.runs import Answer
from tests.node_support import PACKAGES
from tests.support.desk_server import ANALYSIS, LiveDesk, events_of, live_desk
from tests.support.mcp_agents import Mode, ToolRefused, call
from tests.support.scripted_model import ScriptedModel, code, text_of

SALES = base64.b64encode(b"city,sold\nOsaka,3\nKyoto,5\n").decode()
SCRIPTS = {
    "table": 'import pandas as pd\nfinal_answer(pd.read_csv("sales.csv"))',
    "draw": """show_map("1F", "Room1,Kitchen", bitmap_overlays="arrow_up:Kitchen", text_overlays="Quiet:Room2")
draw_arrow("Room1", "right")
final_answer("drawn")""",
    "pay": """\
try:
    said = process_payment("Bakery", 12, "USD")
except Exception as fault:
    said = str(fault)
final_answer(said)""",
    "count": "import time\nfor n in range(2000):\n    print(n)\n    time.sleep(0.02)\nfinal_answer('counted')",
    "fail": "raise ValueError('no luck')",
}


def reply(messages: list[Any]) -> str:
    text = text_of(messages)
    _, word = max((text.rfind(f"please {word}"), word) for word in SCRIPTS)
    return code(SCRIPTS[word])


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    folder = tmp_path_factory.mktemp("desk")
    with live_desk(
        folder, lambda: ScriptedModel([reply]), demo_tools=True, sandbox_preload=ANALYSIS[:2], max_steps=2
    ) as live:
        yield live


async def ask(client: Client, question: str, **more: Any) -> dict[str, Any]:
    return await call(client, "ask_analyst", question=question, **more)


async def test_a_table_comes_back_with_its_rows_and_as_a_resource(live: LiveDesk, mode: Mode) -> None:
    lines: list[str] = []

    async def progress(progress: float, total: float | None, message: str | None) -> None:
        lines.append(message or "")

    async with Client(f"{live.url}/mcp", mode=mode) as client:
        files = [{"name": "sales.csv", "data": SALES}]
        arguments = {"question": "please table", "files": files}
        result = await client.call_tool("ask_analyst", arguments, progress_callback=progress)
        answer = result.structured_content
        assert answer is not None and answer["state"] == "finished", answer
        (table,) = answer["tables"]
        assert table["rows"] == [["Osaka", 3], ["Kyoto", 5]] and table["row_count"] == 2
        read = await client.read_resource(table["uri"] + "?offset=1")
        assert json.loads(read.contents[0].text)["rows"] == [["Kyoto", 5]]  # pyright: ignore
        assert "Step 1" in lines
        again = await ask(client, "please draw", chat_id=answer["chat_id"])
        assert again["chat_id"] == answer["chat_id"]
        assert [room["name"] for room in again["map"]["rooms"]] == ["Room1", "Kitchen"]


Forms = list[ElicitRequestParams]


def person(forms: Forms, action: Any, answer: bool = True) -> Any:
    """What the person at a client does with each form."""

    async def callback(context: Any, params: ElicitRequestParams) -> ElicitResult:
        forms.append(params)
        return ElicitResult(action=action, content={"answer": answer} if action == "accept" else None)

    return callback


@pytest.mark.parametrize(("action", "paid"), [("accept", True), ("decline", False)])
async def test_an_approval_is_put_to_the_person_at_the_client(
    live: LiveDesk, mode: Mode, action: str, paid: bool
) -> None:
    forms: Forms = []
    async with Client(f"{live.url}/mcp", mode=mode, elicitation_callback=person(forms, action)) as client:
        answer = await ask(client, "please pay")
    (form,) = forms
    assert "process_payment" in form.message and "Bakery" in form.message
    (closed,) = [e for e in events_of(live.url, answer["chat_id"]) if e["type"] == "ask_closed"]
    assert closed["granted"] is paid and closed["by"] == "person"
    assert ("transaction_id" in json.dumps(answer)) is paid


async def test_without_elicitation_the_answer_says_what_is_open_and_answer_ask_goes_on(
    live: LiveDesk, mode: Mode
) -> None:
    async with Client(f"{live.url}/mcp", mode=mode) as client:
        result = await client.call_tool("ask_analyst", {"question": "please pay"})
        waiting = result.structured_content or {}
        (open_ask,) = waiting["asks"]
        assert waiting["state"] == "waiting" and open_ask["arguments"]["recipient"] == "Bakery"
        assert open_ask["ask_id"] in result.content[0].text and not result.is_error  # pyright: ignore
        with pytest.raises(ToolRefused, match="bad_answer"):
            await call(client, "answer_ask", ask_id=open_ask["ask_id"], answer="perhaps")
        done = await call(client, "answer_ask", ask_id=open_ask["ask_id"], answer=True)
        assert done["state"] == "finished" and done["run_id"] == waiting["run_id"]
        with pytest.raises(
            ToolRefused, match="ask_closed"
        ):  # the first answer wins, and the money is paid once
            await call(client, "answer_ask", ask_id=open_ask["ask_id"], answer=True)


async def test_a_call_answers_what_it_put_to_its_person_and_nothing_else(live: LiveDesk) -> None:
    """The answers travel in the next round of the call: whoever writes it names the asks, and may name others'."""
    async with Client(f"{live.url}/mcp", mode="auto") as client:
        foreign = (await client.call_tool("ask_analyst", {"question": "please pay"})).structured_content or {}
        (ask_id,) = [item["ask_id"] for item in foreign["asks"]]
    async with Client(f"{live.url}/mcp", mode="auto", elicitation_callback=person([], "cancel")) as client:
        arguments = {"question": "please pay"}

        async def round_of(state: str | None, answers: Any) -> Any:
            return await client.session.call_tool(
                "ask_analyst",
                arguments,
                input_responses=answers,
                request_state=state,
                allow_input_required=True,
            )

        mine = await round_of(None, None)
        (local_id,) = mine.input_requests
        yes = ElicitResult(action="accept", content={"answer": True})
        result = await round_of(mine.request_state, {local_id: yes, ask_id: yes})
        assert result.structured_content["state"] == "finished"
        with pytest.raises(MCPError):
            await round_of(
                json.dumps({"run_id": foreign["run_id"], "told": 0, "asked": [ask_id]}), {ask_id: yes}
            )
        for event in events_of(live.url, foreign["chat_id"]):
            assert event["type"] != "ask_closed", "another's approval is open still"
        await call(client, "answer_ask", ask_id=ask_id, answer=False)


async def test_what_is_answered_elsewhere_is_not_waited_for(live: LiveDesk) -> None:
    async def slow(context: Any, params: ElicitRequestParams) -> ElicitResult:
        (record,) = await live.desk.runs.ask_records.open_everywhere()
        await live.desk.runs.answer(record.ask.id, Answer(granted=True))
        await anyio.sleep_forever()
        raise AssertionError

    async with Client(f"{live.url}/mcp", mode="legacy", elicitation_callback=slow) as client:
        assert (await ask(client, "please pay"))["state"] == "finished"


async def test_a_call_that_is_cancelled_stops_its_run(live: LiveDesk, mode: Mode) -> None:
    event_set = anyio.Event()

    async def progress(progress: float, total: float | None, message: str | None) -> None:
        event_set.set()

    async with Client(f"{live.url}/mcp", mode=mode) as client:
        chat = (await ask(client, "please draw"))["chat_id"]
        async with anyio.create_task_group() as group:

            async def asking() -> None:
                arguments = {"question": "please count", "chat_id": chat}
                await client.call_tool("ask_analyst", arguments, progress_callback=progress)

            group.start_soon(asking)
            await event_set.wait()
            group.cancel_scope.cancel()
        with anyio.fail_after(20):
            async for batch in live.desk.runs.follow(chat):
                if any(
                    isinstance(item, StoredEvent) and item.event.type == "run_cancelled" for item in batch
                ):
                    break
    assert events_of(live.url, chat)[-1]["reason"] == "Cancelled by the MCP client"


async def test_a_map_comes_as_data_and_as_a_picture_and_its_app_reaches_nowhere(
    live: LiveDesk, mode: Mode
) -> None:
    async with Client(f"{live.url}/mcp", mode=mode) as client:
        result = await client.call_tool("ask_analyst", {"question": "please draw"})
        drawn = (result.structured_content or {})["map"]
        arrows = {(item["room"], item["direction"]) for item in drawn["arrows"]}
        assert arrows == {("Kitchen", "up"), ("Room1", "right")}, "the one that is a picture, too"
        (text,) = drawn["overlays"]
        assert (text["type"], text["text"], text["position"]["name"]) == ("text", "Quiet", "Room2")
        (svg,) = [
            part.resource.text
            for part in result.content
            if part.type == "resource" and isinstance(part.resource, TextResourceContents)
        ]
        assert svg.count("<use ") == 2 and "Quiet" in svg
        assert svg == (await client.read_resource(drawn["uri"])).contents[0].text and svg.startswith("<svg ")  # pyright: ignore
        (tool,) = [tool for tool in (await client.list_tools()).tools if tool.name == "ask_analyst"]
        app = (await client.read_resource((tool.meta or {})["ui"]["resourceUri"])).contents[0]
    assert app.mime_type == "text/html;profile=mcp-app"
    assert "default-src 'none'" in app.text and "http" not in app.text.replace("http-equiv", "")  # pyright: ignore


REFUSED = [
    ({"question": " "}, "empty"),
    ({"question": "please draw", "agent": "nobody"}, "unknown_agent"),
    ({"question": "please draw", "chat_id": "c_none"}, "not_found"),
    ({"question": "please draw", "files": [{"name": "a.csv", "data": "%%%"}]}, "bad_file"),
    ({"question": "please draw", "files": [{"name": "../a.csv", "data": SALES}]}, "bad_input"),
    ({"question": "please draw", "files": [{"uri": "http://127.0.0.1/secret"}]}, "bad_file"),
    ({"question": "please draw", "files": [{"uri": "file:///etc/passwd"}]}, "bad_file"),
    ({"question": "please draw", "files": [{"name": "gone.csv"}]}, "unknown_file"),
    ({"question": "please draw", "files": [{"name": "a.csv", "data": SALES}] * 21}, "too_large"),
    ({"question": "x" * 2_000_000}, "too_large"),
    ({"question": {"no": "text"}}, "validation error"),
    ({}, "validation error"),
]


async def test_bad_input_is_an_error_of_the_tool_and_a_tool_that_is_none_one_of_the_protocol(
    live: LiveDesk, mode: Mode
) -> None:
    async with Client(f"{live.url}/mcp", mode=mode) as client:
        for arguments, code in REFUSED:
            with pytest.raises(ToolRefused, match=code):
                await call(client, "ask_analyst", **arguments)
        with pytest.raises(ToolRefused, match="unknown_ask"):
            await call(client, "answer_ask", ask_id="a_none", answer=True)
        result = await client.call_tool("ask_analyst", {"question": "please fail"})
        assert result.is_error and (result.structured_content or {})["error"].startswith("step_limit")
        for uri in (
            "smoldesk://chats/c_none/map",
            "smoldesk://chats/c_none/tables/f_1",
            "smoldesk://elsewhere",
        ):
            with pytest.raises(MCPError):
                await client.read_resource(uri)


@pytest.mark.parametrize("generation", ["legacy", "auto"])
def test_the_typescript_client_asks_pays_and_sees_the_app(
    live: LiveDesk, node_path: Path, generation: str
) -> None:
    inputs = {"url": f"{live.url}/mcp", "mode": generation, "question": "please pay", "accepts": True}
    done = subprocess.run(
        [node_path, PACKAGES / "mcp_ask.mjs"],
        input=json.dumps(inputs),
        capture_output=True,
        text=True,
        check=False,
        cwd=PACKAGES,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    answer = data["result"]["structuredContent"]
    assert answer["state"] == "finished" and "transaction_id" in json.dumps(answer)
    assert [form["requestedSchema"]["required"] for form in data["forms"]] == [["answer"]]
    assert "Calls process_payment" in data["progress"] and data["app"] == "text/html;profile=mcp-app"
