"""The answer that a person keeps, of several readings, is the one in a chat's documents."""

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from tests.support.desk_server import ANALYSIS, LiveDesk, live_desk
from tests.support.ws_client import WsClient, of_type

QUESTION = "children in third class, fare"
FIRST = "Average fare: 29.55"
FORMS = pytest.mark.parametrize("form", ["html", "markdown"])


@dataclass(frozen=True)
class Chat:
    """A chat with one unclear question; `kept_text` is the answer of the reading that `keep` chose."""

    live: LiveDesk
    chat_id: str
    note: str
    kept_text: str

    def document(self, form: str) -> str:
        url = f"{self.live.url}/api/chats/{self.chat_id}/export"
        response = httpx.get(url, params={"format": form}, timeout=60)
        assert response.status_code == 200, response.text
        if form == "html":
            return response.text
        archive = zipfile.ZipFile(io.BytesIO(response.content))
        (name,) = [name for name in archive.namelist() if name.endswith(".md")]
        return archive.read(name).decode()


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    with live_desk(tmp_path_factory.mktemp("kept"), sandbox_preload=ANALYSIS[:2]) as desk:
        yield desk


def asked(live: LiveDesk, keep: int | str | None = "nothing") -> Chat:
    """Ask the unclear question in a new chat, and keep a reading of it."""
    with WsClient(live.ws_url) as client:
        chat_id = client.hello()
        received = client.ask(QUESTION)
        [message] = of_type(received, "alternatives")
        content: Any = message["content"]
        kept_text = ""
        if keep != "nothing":
            client.send(type="keep_reading", runId=message["runId"], index=keep)
            client.until("reading_kept")
        if isinstance(keep, int):
            outputs = content["alternatives"][keep]["outputs"]
            kept_text = next(output["content"] for output in outputs if output["type"] == "text")
        return Chat(live, chat_id, content["note"], kept_text)


@FORMS
def test_a_document_shows_the_kept_answer_in_the_place_of_the_first(live: LiveDesk, form: str) -> None:
    chat = asked(live, keep=1)
    document = chat.document(form)
    first_line = chat.kept_text.splitlines()[0]
    assert "Highest average fare" in first_line and first_line in document
    assert FIRST not in document and "Another reading" not in document


@FORMS
def test_a_document_of_a_chat_where_nothing_was_kept_shows_the_first_answer_and_names_the_others(
    live: LiveDesk, form: str
) -> None:
    document = asked(live).document(form)
    assert FIRST in document and "average fare by class where who is child and class is Third" in document


@FORMS
def test_a_document_shows_no_answer_that_the_person_did_not_mean(live: LiveDesk, form: str) -> None:
    document = asked(live, keep=None).document(form)
    assert FIRST not in document and "not understood" in document
