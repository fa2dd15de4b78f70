"""Desks that serve agents of the tests' own, as `DeskUI(agent).launch()` does, and chats with them over the page's socket."""

import os
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from smolagents import tool

from smoldesk import DeskUI
from tests.support.desk_server import events_of
from tests.support.scripted_model import Reply, ScriptedModel
from tests.support.ws_client import Message, WsClient

QUICK = {
    "SMOLDESK_SANDBOX_PRELOAD": "[]",
    "SMOLDESK_FIND_MODELS": "false",
    "SMOLDESK_ALLOW_UNISOLATED": "true",
    "SMOLDESK_LOG_LEVEL": "WARNING",
    "SMOLDESK_PORT": "0",
}
FREE = "never"
"""Policy of tools whose approval is no matter of the test."""


@contextmanager
def served(agent: Any, folder: Path, **options: Any) -> Generator[DeskUI]:
    """Launch a desk in a thread of this process, on a free port, with the page's own socket and a real sandbox."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in QUICK.items():
            patch.setenv(name, value)
        ui = DeskUI(agent, data_dir=folder, **options)
    with ui.launch(prevent_thread_lock=True, quiet=True):
        yield ui


@contextmanager
def chat_with(agent: Any, folder: Path, **options: Any) -> Generator["OwnChat"]:
    """One chat with an agent."""
    with served(agent, folder, **options) as ui, OwnChat(ui) as chat:
        yield chat


class OwnChat:
    """A chat of a served agent; `log` is its event log."""

    def __init__(self, ui: DeskUI, chat_id: str | None = None) -> None:
        assert ui.address is not None
        self.url = ui.address
        query = "?after=0" if chat_id is None else f"?after=0&chat={chat_id}"
        self.client = WsClient(self.url.replace("http", "ws") + "/ws", query)
        self.chat_id = self.client.hello()

    def __enter__(self) -> "OwnChat":
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()

    def ask(self, message: str = "go") -> list[Message]:
        """Say something and read to the end of its run."""
        return self.client.ask(message)

    def answer(self, message: str = "go") -> str:
        """Say something; the text of the finished run."""
        closing = self.ask(message)[-1]["content"]
        assert closing["state"] == "finished", closing
        return closing["text"]

    def failure(self, message: str = "go") -> Message:
        """Say something; the content of the error that ends its run."""
        messages = self.ask(message)
        assert messages[-1]["content"]["state"] == "failed", messages[-1]
        return [each for each in messages if each["type"] == "error"][-1]

    @property
    def log(self) -> list[Message]:
        return events_of(self.url, self.chat_id)


def new_chat(url: str) -> str:
    return httpx.post(f"{url}/api/chats", timeout=90).json()["id"]


@tool
def search(query: str) -> str:
    """Search the web.

    Args:
        query: what to look for
    """
    return f"found: {query.upper()}"


def scripted(*replies: Reply) -> ScriptedModel:
    return ScriptedModel(replies)


def code_of(replies: Sequence[Any]) -> Callable[[], ScriptedModel]:
    return lambda: ScriptedModel(replies)


def write(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def environment() -> dict[str, str]:
    """Environment of a program that launches a desk of its own."""
    return {name: value for name, value in os.environ.items() if not name.startswith("SMOLDESK_")} | QUICK
