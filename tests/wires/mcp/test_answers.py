"""Answers of every kind as a client of /mcp reads them, in both generations of the protocol."""

import pytest
from mcp import Client
from mcp_types import TextContent

from tests.support.answer_kinds import KINDS, REPR, answer_of
from tests.support.desk_server import LiveDesk
from tests.support.mcp_agents import Mode
from tests.support.scripted_model import Scripts
from tests.wires.conftest import desk

live = desk


@pytest.mark.parametrize("kind", ["dict", "mixture"])  # a mixture has a table and a figure
async def test_an_answer_is_readable_text_with_its_tables_and_images(
    live: LiveDesk, scripts: Scripts, mode: Mode, kind: str
) -> None:
    scripts.set(answer_of(kind))
    async with Client(f"{live.url}/mcp", mode=mode) as client:
        result = await client.call_tool("ask_analyst", {"question": "go"})

    assert not result.is_error and result.structured_content is not None
    (text,) = [block.text for block in result.content if isinstance(block, TextContent)]
    has_table, has_image = kind in ("table", "mixture"), kind in ("figure", "mixture")
    assert KINDS[kind][1] in text and text == result.structured_content["text"]
    assert ("| room | n |\n| --- | ---: |\n| hall | 1 |" in text) == has_table
    assert not REPR.search(text)
    assert len(result.structured_content["tables"]) == has_table
    assert [block.type for block in result.content if block.type == "image"] == ["image"] * has_image


async def test_the_rows_of_an_answer_are_counted_in_the_language_of_the_question(
    live: LiveDesk, scripts: Scripts
) -> None:
    scripts.set(
        answer_of("table").replace("final_answer(df)", "final_answer(pd.concat([df] * 6, ignore_index=True))")
    )
    async with Client(f"{live.url}/mcp") as client:
        result = await client.call_tool("ask_analyst", {"question": "部屋の表は？"})
    assert result.structured_content is not None
    text = result.structured_content["text"]
    assert text.startswith("12行2列の表") and text.endswith("12件中10件")
