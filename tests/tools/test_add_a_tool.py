"""The page "Add a tool" is followed to the letter: its code is taken from the page and run in a real desk."""

import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from smoldesk.buildings.building import Building
from smoldesk.errors import BadInput
from smoldesk.tools import catalogue
from smoldesk.tools.datasets import Datasets
from smoldesk.tools.policy import DeskTool
from tests.support.desk_server import live_desk
from tests.support.scripted_model import Calls, ScriptedModel, code
from tests.support.ws_client import Message, WsClient, of_type

PAGE = Path(__file__).parents[2] / "spec" / "guides" / "add_a_tool.md"
KITCHEN = 120.0 * 92.0


@pytest.fixture(scope="module")
def blocks() -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def written(blocks: list[str]) -> ModuleType:
    """Step 1: the module of the page."""
    module = ModuleType("room_size_of_the_page")
    exec(compile(blocks[0], "spec/guides/add_a_tool.md", "exec"), module.__dict__)
    return module


@pytest.fixture(scope="module")
def listing(blocks: list[str], written: ModuleType) -> Any:
    """Step 3: the catalogue with the line of the page at its end."""

    def build(building: Building, folder: Path) -> list[DeskTool]:
        tools = catalogue.build_tools(building, Datasets.bundled(), folder)
        return [*tools, eval(blocks[1], {"building": building, "RoomSize": written.RoomSize})]

    return build


@pytest.fixture(params=["code", "tools"])
def talk(
    request: pytest.FixtureRequest, tmp_path: Path, listing: Any
) -> Iterator[tuple[str, ScriptedModel, WsClient, Message]]:
    model = ScriptedModel(
        [code("area = room_size(room_name='kitchen')\nfinal_answer(f'{area} square units')")]
        if request.param == "code"
        else [
            Calls(("room_size", {"room_name": "kitchen"})),
            Calls(("final_answer", {"answer": f"{KITCHEN} square units"})),
        ]
    )
    building = Building.load()
    with (
        live_desk(
            tmp_path, lambda: model, lambda folder: listing(building, folder), agent=request.param
        ) as live,
        WsClient(live.ws_url) as client,
    ):
        client.hello()
        yield request.param, model, client, client.seen[-1]


def test_a_model_calls_the_tool_of_the_page(talk: tuple[str, ScriptedModel, WsClient, Message]) -> None:
    _, _, client, chat = talk
    assert "room_size" in chat["content"]["tools"]
    client.say("How large is the kitchen?")
    messages = client.until_closed()
    assert (
        messages[-1]["content"] | {"state": "finished", "text": f"{KITCHEN} square units"}
        == messages[-1]["content"]
    )
    (returned,) = [
        item["content"]
        for item in of_type(messages, "tool")
        if item["content"]["state"] == "returned" and item["content"]["tool"] == "room_size"
    ]
    assert returned["result"] == str(KITCHEN)


def test_the_tool_of_the_page_refuses_naming_what_there_is(written: ModuleType) -> None:
    with pytest.raises(BadInput, match=r"There is no room 'Attic'\. Rooms: Room1, Room2"):
        written.RoomSize(Building.load())("Attic")


def test_the_page_names_files_that_are_there() -> None:
    root = PAGE.parents[2]
    named = set(re.findall(r"`((?:backend|tests|spec)/[\w./]+)`", PAGE.read_text(encoding="utf-8")))
    assert len(named) >= 6
    assert [name for name in named if not (root / name).exists()] == []
