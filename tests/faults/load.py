"""Clients that keep three servers on one PostgreSQL busy, and the promise about each message that was accepted."""

import contextlib
import itertools
import json
import threading
import time
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from smolagents.models import ChatMessage

from smoldesk.cli import main as cli
from smoldesk.cli.server import build_server
from smoldesk.desk import build_desk
from tests.faults.fault import postgresql
from tests.support.desk_server import DeskProcess, Servers
from tests.support.postgres import TestPostgres
from tests.support.scripted_model import ScriptedModel, code, text_of
from tests.support.waiting import come_true

NAMES = ("a", "b", "c")
CHATS = 6
ENDS = ("run_finished", "run_failed", "run_cancelled")
SERVING = "import sys; from tests.faults.load import main; sys.exit(main(sys.argv[1:]))"
# A run of half a second: its code counts the chat's messages in a variable, so that chats have a home.
CODE = (
    "import time\ntime.sleep(0.4)\n"
    "try:\n    total += 1\nexcept NameError:\n    total = 1\nfinal_answer(str(total))"
)
SLOW = "take a minute"


def reply(messages: list[ChatMessage]) -> str:
    return code("import time\ntime.sleep(60)" if SLOW in text_of(messages) else CODE)


def main(arguments: list[str]) -> int:
    """Serve a desk as `smoldesk serve` does, with a scripted model."""
    settings = cli.read_settings(cli.parser().parse_args(arguments))
    build_server(build_desk(settings, lambda: ScriptedModel([reply]))).run()
    return 0


@dataclass
class Desk:
    """Three servers, which share a database and a folder of files; `live` changes when one starts again."""

    servers: Servers
    postgres: TestPostgres
    live: dict[str, DeskProcess]

    def ready(self, name: str) -> str:
        """Return the code in a server's /readyz, "" if it is ready."""
        response = httpx.get(f"{self.live[name].url}/readyz", timeout=60)
        return response.text if response.status_code == 503 else ""


@contextlib.contextmanager
def three_servers(folder: Path, names: tuple[str, ...] = NAMES) -> Generator[Desk]:
    """Serve one desk by three servers, or by those of these names."""
    shared = {"SMOLDESK_FILES_DIR": str(folder / "files"), "SMOLDESK_DRAIN_SECONDS": "60"}
    with (
        postgresql() as postgres,
        postgres.desk_database() as url,
        Servers(folder, SERVING, SMOLDESK_DATABASE_URL=url, **shared) as servers,
    ):
        yield Desk(servers, postgres, {name: servers.start(name) for name in names})


@dataclass
class Load:
    """A client for each chat: it asks at each server in turn, and where no answer comes at the next one, by the same id."""

    desk: Desk
    chats: list[str] = field(default_factory=list)
    """The first CHATS of them have a client."""
    accepted: dict[str, str] = field(default_factory=dict)
    """The message of each accepted run."""
    ends: list[tuple[float, str, str]] = field(default_factory=list)
    """When a client heard of the end of its run (monotonic), the chat, the type of event."""
    problems: list[BaseException] = field(default_factory=list)
    _stop: threading.Event = field(default_factory=threading.Event)

    @contextlib.contextmanager
    def running(self) -> Generator[None]:
        """Ask in all chats until the block ends; then wait for the answers and check the promise."""
        urls = itertools.cycle([server.url for server in self.desk.live.values()])
        self.chats = [httpx.post(f"{next(urls)}/api/chats", timeout=60).json()["id"] for _ in range(CHATS)]
        clients = [
            threading.Thread(target=self._ask_on, args=(chat, number), daemon=True)
            for number, chat in enumerate(self.chats)
        ]
        for client in clients:
            client.start()
        try:
            self.until_answered_since(time.monotonic())
            yield
        finally:
            self._stop.set()
            for client in clients:
                client.join(300)
        assert not self.problems, repr(self.problems[0])
        self.check_log()

    def begin(self, name: str) -> str:
        """Start a run of a minute at a server, in a new chat; return the chat once it runs."""
        url = self.desk.live[name].url
        chat = httpx.post(f"{url}/api/chats", timeout=60).json()["id"]
        message = {"message": SLOW}
        run = httpx.post(f"{url}/api/chats/{chat}/runs", json=message, timeout=60).json()["runId"]
        self.accepted[run] = chat
        self.chats.append(chat)
        come_true(lambda: any(event["event"]["type"] == "run_started" for event in self._log(chat)))
        return chat

    def end_of(self, chat: str) -> str:
        """Wait for the end of a chat's only run; return the code of its failure, "" if it finished."""
        come_true(lambda: is_end(self._log(chat)[-1]))
        return self._log(chat)[-1]["event"].get("code", "")

    def until_answered_since(self, moment: float) -> float:
        """Wait until each chat had an answer after a moment; return the seconds that the last one took."""

        def first(chat: str) -> float:
            times = (at for at, which, end in self.ends if which == chat and end == ENDS[0] and at > moment)
            return min(times, default=0.0)

        def answered() -> list[float] | None:
            assert not self.problems, repr(self.problems[0])
            times = [first(chat) for chat in self.chats[:CHATS]]
            return times if all(times) else None

        return max(come_true(answered)) - moment

    def counts(self) -> Counter[str]:
        """Return how the accepted runs ended, from the log."""
        return Counter(
            event["event"]["type"] for chat in self.chats for event in self._log(chat) if is_end(event)
        )

    def check_log(self) -> None:
        """Check that each accepted run began at most once and ended once, and that no event of a chat is missing."""
        starts, ends, messages = Counter[str](), Counter[str](), Counter[str]()
        for chat in self.chats:
            events = self._log(chat)
            assert [event["seq"] for event in events] == [*range(1, len(events) + 1)], "an event is missing"
            starts.update(event["run_id"] for event in events if event["event"]["type"] == "run_started")
            ends.update(event["run_id"] for event in events if is_end(event))
            messages.update(event["run_id"] for event in events if event["event"]["type"] == "run_queued")
        assert set(messages) >= set(self.accepted), "an accepted run is lost"
        assert len(self.accepted) == len(set(self.accepted.values())), "a message has two runs"
        assert set(messages.values()) == {1} and max(starts.values()) == 1, "a run began twice"
        assert ends == messages, "each run ends once"

    def _ask_on(self, chat: str, at: int) -> None:
        try:
            turns, seq = itertools.cycle([*NAMES[at % 3 :], *NAMES[: at % 3]]), 0
            for number in itertools.count():
                if self._stop.is_set():
                    return
                message = f"{chat}-{number}"
                run = self._accepted(turns, chat, message)
                self.accepted[run] = message
                seq = self._until_ended(turns, chat, run, seq)
        except BaseException as problem:
            self.problems.append(problem)

    def _accepted(self, turns: "itertools.cycle[str]", chat: str, message: str) -> str:
        body = {"message": message, "clientMessageId": message}
        response = self._answer(turns, "POST", f"/api/chats/{chat}/runs", json=body)
        assert response.status_code == 202, response.text
        return response.json()["runId"]

    def _until_ended(self, turns: "itertools.cycle[str]", chat: str, run: str, seq: int) -> int:
        deadline = time.monotonic() + 240
        while time.monotonic() < deadline:
            path = f"/api/chats/{chat}/events?after={seq}"
            for event in map(json.loads, self._answer(turns, "GET", path).text.splitlines()):
                seq = event["seq"]
                if event["run_id"] == run and is_end(event):
                    self.ends.append((time.monotonic(), chat, event["event"]["type"]))
                    return seq
            time.sleep(0.25)
        raise AssertionError(f"run {run} did not end")

    def _answer(
        self, turns: "itertools.cycle[str]", method: str, path: str, **options: Any
    ) -> httpx.Response:
        """Return the first answer that is no fault of a server, as a balancer does that tries the next one."""
        deadline = time.monotonic() + 240
        while time.monotonic() < deadline:
            server = self.desk.live.get(next(turns))
            with contextlib.suppress(httpx.TransportError):
                if server:
                    response = httpx.request(method, server.url + path, timeout=60, **options)
                    if response.status_code < 500:
                        return response
            time.sleep(0.05)
        raise AssertionError(f"no server answered {method} {path}")

    def _log(self, chat: str) -> list[dict[str, Any]]:
        path = f"/api/chats/{chat}/events"
        return [*map(json.loads, self._answer(itertools.cycle(NAMES), "GET", path).text.splitlines())]


def is_end(event: dict[str, Any]) -> bool:
    """Return whether an event of the log closes a run."""
    return event["event"]["type"] in ENDS
