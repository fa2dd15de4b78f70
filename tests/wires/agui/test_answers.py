"""Answers of every kind as `@ag-ui/client` has them."""

from collections.abc import Callable

import httpx
import pytest

from tests.support.answer_kinds import KINDS, REPR, answer_of
from tests.support.desk_server import LiveDesk
from tests.support.scripted_model import Scripts
from tests.wires.agui.conftest import FrontEnd


@pytest.mark.parametrize("kind", ["dict", "mixture"])  # a mixture has a table and a figure
def test_an_answer_is_readable_text_with_its_tables_and_images(
    front_end: Callable[..., FrontEnd], scripts: Scripts, desk: LiveDesk, kind: str
) -> None:
    scripts.set(answer_of(kind))
    front = front_end(f"answer-{kind}", "/agents/code/agui")

    received = front.run("go")

    assert received.end["outcome"] == {"type": "success"}
    text = "\n\n".join(text for role, text in received.said if role == "assistant")
    assert KINDS[kind][1] in text
    assert not REPR.search(text) and not REPR.search(received.end["result"])
    custom = {item["name"]: item["value"] for item in received.of("CUSTOM")}
    assert ("table" in custom) == (kind in ("table", "mixture"))
    assert ("image" in custom) == (kind in ("figure", "mixture"))
    if "table" in custom:
        rows = httpx.get(desk.url + custom["table"]["url"], timeout=60).json()["rows"]
        assert rows == [["hall", 1], ["attic", 2]]
    if "image" in custom:
        assert httpx.get(desk.url + custom["image"]["url"], timeout=60).content.startswith(b"\x89PNG")
    again = front_end(f"answer-{kind}", "/agents/code/agui").run(connect=True)
    assert again.messages == received.messages
