"""Asking the desk's analyst over /mcp, with the library's own client in both generations of the protocol."""

import base64
import json
from collections.abc import Iterator
from typing import Any

import pytest
from mcp import Client

from tests.support.desk_server import ANALYSIS, LiveDesk, live_desk
from tests.support.mcp_agents import Mode, call
from tests.support.scripted_model import ScriptedModel, code, text_of

SALES = base64.b64encode(b"city,sold\nOsaka,3\nKyoto,5\n").decode()
SCRIPTS = {
    "table": 'import pandas as pd\nfinal_answer(pd.read_csv("sales.csv"))',
    "draw": 'show_map("1F", "Room1,Kitchen")\ndraw_arrow("Room1", "right")\nfinal_answer("drawn")',
    "pay": 'final_answer(process_payment("12", "USD", "Bakery"))',
    "count": "import time\nfor n in range(2000):\n    print(n)\n    time.sleep(0.02)\nfinal_answer('counted')",
    "fail": "raise ValueError('no luck')",
}


def reply(messages: list[Any]) -> str:
    asked = text_of(messages)
    _, word = max((asked.rfind(f"please {word}"), word) for word in SCRIPTS)
    return code(SCRIPTS[word])


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    folder = tmp_path_factory.mktemp("desk")
    with live_desk(folder, lambda: ScriptedModel([reply]), sandbox_preload=ANALYSIS[:2]) as live:
        yield live


async def ask(client: Client, question: str, **more: Any) -> dict[str, Any]:
    return await call(client, "ask_analyst", question=question, **more)


async def test_a_table_comes_back_with_its_rows_and_as_a_resource(live: LiveDesk, mode: Mode) -> None:
    told: list[str] = []

    async def progress(_: float, __: float | None, message: str | None) -> None:
        told.append(message or "")

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
        assert "Step 1" in told
        again = await ask(client, "please draw", chat_id=answer["chat_id"])
        assert again["chat_id"] == answer["chat_id"]
        assert [room["name"] for room in again["map"]["rooms"]] == ["Room1", "Kitchen"]
