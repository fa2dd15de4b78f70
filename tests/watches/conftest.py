"""A desk with a scripted model, a chat with a table, and recipients: a mail server and a webhook of this machine."""

import threading
import time
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message
from typing import Any

import httpx
import pytest
from aiosmtpd.controller import Controller

from tests.support.desk_server import LiveDesk, live_desk
from tests.support.scripted_model import Scripts, code
from tests.support.servers import free_port
from tests.support.webhook import Webhook
from tests.support.ws_client import WsClient

SALES = "shop,amount\nOslo,10\nBergen,20\n"
SUM = (
    "import pandas as pd\nsales = pd.read_csv('sales.csv')\ndisplay(sales)\n"
    "final_answer(f'Sum: {sales.amount.sum()}')"
)


class MailServer:
    """A real SMTP server that keeps what it gets; it refuses the first `refusals` messages for now."""

    def __init__(self) -> None:
        self.news = threading.Condition()
        self.messages: list[Message] = []
        self.attempts: list[str] = []
        self.refusals = 0
        self.port = free_port()
        self._controller = Controller(self, hostname="127.0.0.1", port=self.port)
        self._controller.start()

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        message = message_from_bytes(envelope.content)
        with self.news:
            self.attempts.append(str(message["Message-ID"]))
            if self.refusals:
                self.refusals -= 1
                return "451 Try again later"
            self.messages.append(message)
            self.news.notify_all()
        return "250 OK"

    def until(self, count: int, seconds: float = 60) -> list[Message]:
        """Wait for so many messages."""
        with self.news:
            assert self.news.wait_for(lambda: len(self.messages) >= count, seconds), self.attempts
            return self.messages

    def stop(self) -> None:
        self._controller.stop()


class WatchedChat:
    """A chat with sales.csv and the answer to a question about it."""

    def __init__(self, desk: LiveDesk, client: WsClient, scripts: Scripts) -> None:
        self.desk, self.client, self._scripts = desk, client, scripts
        self.http = httpx.Client(base_url=desk.url, timeout=60)
        self.path = f"/api/chats/{client.chat_id}"
        files = {"file": ("sales.csv", SALES)}
        assert self.http.post(f"{self.path}/files", files=files).status_code == 201

    def put(self, text: str) -> None:
        """Replace the chat's sales.csv."""
        answer = self.http.put(f"{self.path}/files/sales.csv", content=text)
        assert answer.status_code == 200, answer.text

    def ask(self, cell: str = SUM, message: str = "What is the sum?") -> str:
        """Ask something that this code answers; the id of the run."""
        self._scripts.set(code(cell))
        return self.client.ask(message)[-1]["runId"]

    def watch(self, run: str | None, status: int = 201, **body: Any) -> dict[str, Any]:
        """Make a watch; the response."""
        answer = self.http.post(f"{self.path}/watches", json={"runId": run, **body})
        assert answer.status_code == status, answer.text
        return answer.json()

    def notice(self, **fields: Any) -> dict[str, Any]:
        """Wait for an unread report with these fields."""
        while True:
            message = self.client.until("notices")
            for notice in message["content"]["notices"]:
                if all(notice.get(name) == value for name, value in fields.items()):
                    return notice

    def until_value(self, watch: dict[str, Any], text: str) -> None:
        """Wait until a check of this watch has this value."""
        watches: list[dict[str, Any]] = []
        for _ in range(600):
            watches = self.http.get(f"{self.path}/watches").json()["watches"]
            if any(listed["id"] == watch["id"] and listed["value"] == text for listed in watches):
                return
            time.sleep(0.1)
        raise AssertionError(watches)

    def history(self, watch: dict[str, Any]) -> dict[str, Any]:
        return self.http.get(f"/api/watches/{watch['id']}/history").json()


@pytest.fixture(scope="module")
def mail_server() -> Iterator[MailServer]:
    server = MailServer()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def scripts() -> Scripts:
    return Scripts()


@pytest.fixture(scope="module")
def desk(
    tmp_path_factory: pytest.TempPathFactory, scripts: Scripts, mail_server: MailServer
) -> Iterator[LiveDesk]:
    options: dict[str, Any] = {
        "mail_server": f"smtp://127.0.0.1:{mail_server.port}",
        "mail_from": "desk@example.org",
        "mail_recipients": ["@example.org", "one@example.net"],
        "webhook_hosts": ["127.0.0.1", "localhost"],
        "push_private_addresses": True,
    }
    with live_desk(tmp_path_factory.mktemp("desk"), lambda: scripts.model, max_steps=4, **options) as live:
        yield live


@pytest.fixture
def chat(desk: LiveDesk, scripts: Scripts) -> Iterator[WatchedChat]:
    with WsClient(desk.ws_url).greeted() as client:
        yield WatchedChat(desk, client, scripts)


@pytest.fixture
def hook() -> Iterator[Webhook]:
    server = Webhook()
    yield server
    server.close()
