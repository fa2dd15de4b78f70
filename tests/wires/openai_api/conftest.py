"""The official client for Python, at a real desk whose model is scripted."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from openai import OpenAI

from tests.support.desk_server import LiveDesk, live_desk
from tests.support.scripted_model import Calls, Scripts


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory, scripts: Scripts) -> Iterator[LiveDesk]:
    folder = tmp_path_factory.mktemp("desk")
    with live_desk(folder, lambda: scripts.model, demo_tools=True, max_steps=4) as live:
        yield live


@pytest.fixture(scope="module")
def ai(desk: LiveDesk) -> Iterator[OpenAI]:
    with OpenAI(base_url=f"{desk.url}/v1", api_key="not asked for", max_retries=0, timeout=100) as client:
        yield client


def user(text: Any) -> Any:
    return {"role": "user", "content": text}


def answer(text: str) -> Calls:
    return Calls(("final_answer", {"answer": text}))


def payment(amount: float = 30) -> Calls:
    return Calls(("process_payment", {"recipient": "Alice", "amount": amount, "currency": "USD"}))


def chat_ids(http: httpx.Client) -> set[str]:
    return {chat["id"] for chat in http.get("/api/chats").json()["chats"]}
