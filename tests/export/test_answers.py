"""Answers of every kind in the documents of a chat."""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import nbformat
import pytest
from playwright.sync_api import Browser

from tests.support.answer_kinds import KINDS, REPR, answer_of
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.scripted_model import Scripts
from tests.support.ws_client import WsClient

# A part of each answer's text as documents show it.
TEXTS = {"table": "Table with 2 rows", "figure": "An image.", "dict": "1.5", "mixture": "An image."}


@pytest.fixture(scope="module", params=KINDS)
def chat(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The desk, a chat with one answer, and the kind of this."""
    scripts = Scripts()
    scripts.set(answer_of(request.param))
    with live_desk(tmp_path_factory.mktemp("answers"), lambda: scripts.model) as live:
        with WsClient(live.ws_url) as client:
            chat_id = client.hello()
            client.say("go")
            client.until_closed()
        yield live, chat_id, request.param


def exported(live: LiveDesk, chat_id: str, form: str) -> bytes:
    url = f"{live.url}/api/chats/{chat_id}/export"
    response = httpx.get(url, params={"format": form}, timeout=60)
    assert response.status_code == 200, response.text
    return response.content


def test_a_notebook_is_valid_and_has_the_answer_once(chat: Any, tmp_path: Path) -> None:
    live, chat_id, kind = chat
    notebook: Any = nbformat.reads(exported(live, chat_id, "notebook").decode(), as_version=4)
    nbformat.validate(notebook)
    (answer,) = [cell.source for cell in notebook.cells if cell.get("id") == "answer-1"]
    assert answer.count(TEXTS[kind]) == 1
    assert not REPR.search(answer)


def test_a_markdown_document_has_the_answer_once(chat: Any) -> None:
    live, chat_id, kind = chat
    with zipfile.ZipFile(io.BytesIO(exported(live, chat_id, "markdown"))) as archive:
        text = archive.read("chat.md").decode()
    answer = "".join(part for number, part in enumerate(text.split("```")) if number % 2 == 0)
    assert answer.count(TEXTS[kind]) == 1
    assert not REPR.search(answer)


@pytest.mark.browser
def test_an_html_document_has_the_answer_once(chat: Any, browser: Browser, tmp_path: Path) -> None:
    live, chat_id, kind = chat
    path = tmp_path / "chat.html"
    path.write_bytes(exported(live, chat_id, "html"))
    page = browser.new_page()
    page.goto(path.as_uri())
    page.evaluate("document.querySelectorAll('pre').forEach((code) => code.remove())")
    text = page.locator("body").inner_text()
    counts = [page.locator(selector).count() for selector in ("td", "img")]
    page.close()
    assert text.count(TEXTS[kind]) == 1
    assert not REPR.search(text)
    assert [count > 0 for count in counts] == [kind != "figure", kind in ("figure", "mixture")]
