"""One fault and its result, and the desk that the faults are tried on."""

import asyncio
import contextlib
import json
import subprocess
import uuid
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from tests.support.desk_server import DeskProcess
from tests.support.postgres import CannotHave, TestPostgres
from tests.support.waiting import come_true
from tests.support.ws_client import WsClient

# Enough that an empty desk is ready, which takes 100 MB of free space.
DISK = "160m"
CODES = {
    "disk_full": "The desk's disk is full.",
    "data_read_only": "The desk may not write its data.",
    "database_damaged": "The desk's database is damaged.",
    "database_unavailable": "The desk's database does not answer.",
    "object_store_away": "The object store could not be used.",
}


class CannotTry(Exception):
    """The fault cannot be made here; the message is the reason."""


@dataclass(frozen=True)
class Outcome:
    """What a client saw while the fault lasted, and how the desk recovered: a row of the table."""

    seen: str
    recovery: str


# Receives an empty folder; raises AssertionError if the desk breaks a promise, CannotTry.
Fault = Callable[[Path], Outcome]


@contextlib.contextmanager
def small_disk(folder: Path) -> Generator[Path]:
    """Mount a small file system of its own on a new folder. Raises CannotTry."""
    disk = folder / "disk"
    disk.mkdir()
    if mounted := _mount("-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", str(disk)):
        raise CannotTry(f"a file system cannot be mounted: {mounted}")
    try:
        yield disk
    finally:
        subprocess.run(["umount", "--lazy", disk], check=True)


@contextlib.contextmanager
def postgresql() -> Generator[TestPostgres]:
    """Start a PostgreSQL of its own. Raises CannotTry."""
    try:
        server = TestPostgres()
    except CannotHave as reason:
        raise CannotTry(str(reason)) from None
    try:
        yield server
    finally:
        server.remove()


def remount(disk: Path, option: str) -> None:
    """Make a file system `ro` or `rw`. Raises CannotTry."""
    if refusal := _mount("-o", f"remount,{option}", str(disk)):
        raise CannotTry(f"the file system cannot be remounted: {refusal}")


def _mount(*arguments: str) -> str:
    try:
        done = subprocess.run(["mount", *arguments], capture_output=True, text=True, check=False)
    except OSError as fault:
        return str(fault)
    return done.stderr.strip() if done.returncode else ""


class Client:
    """Requests over each wire, each answered by the code of the error, or by nothing."""

    def __init__(self, desk: DeskProcess) -> None:
        self.desk = desk
        self.http = httpx.Client(base_url=desk.url, timeout=120, trust_env=False)
        self.chat = self.http.post("/api/chats").json()["id"]

    def codes(self) -> dict[str, str]:
        """Return the code of each wire's error for a message or a file, in that wire's form; empty for success."""
        with ThreadPoolExecutor(
            len(REQUESTS)
        ) as threads:  # each may take as long as a database does that is away
            return dict(
                zip(REQUESTS, threads.map(lambda request: request(self), REQUESTS.values()), strict=True)
            )

    def ready(self) -> str:
        """Return the code in /readyz, "" if the desk is ready."""
        response = self.http.get("/readyz")
        return response.text if response.status_code == 503 else ""

    def come_ready(self, code: str = "") -> None:
        come_true(lambda: self.ready() == code)
        assert self.http.get("/livez").status_code == self.http.get("/healthz").status_code == 200

    def answers(self) -> None:
        """Ask a question and wait for the end of its run."""
        run = self.http.post(f"/api/chats/{self.chat}/runs", json={"message": "How many rooms are there?"})
        assert run.status_code == 202, run.text
        run_id = run.json()["runId"]
        come_true(lambda: self._is_finished(run_id))

    def _is_finished(self, run_id: str) -> bool:
        return any(
            event["run_id"] == run_id and event["event"]["type"] == "run_finished" for event in self.log()
        )

    def log(self) -> list[dict[str, Any]]:
        """Return the chat's stored events."""
        lines = self.http.get(f"/api/chats/{self.chat}/events").text.splitlines()
        return [json.loads(line) for line in lines]


def _rest(client: Client) -> str:
    return code_of(client.http.post("/api/chats"))


def _upload(client: Client) -> str:
    file = {"file": ("t.csv", b"a,b\n" + b"1,2\n" * 500_000)}
    return code_of(client.http.post(f"/api/chats/{client.chat}/files", files=file))


def _export(client: Client) -> str:
    return code_of(client.http.get(f"/api/chats/{client.chat}/export", params={"format": "html"}))


def _openai(client: Client) -> str:
    messages = [{"role": "user", "content": "How many rooms are there?"}]
    return code_of(client.http.post("/v1/chat/completions", json={"model": "code", "messages": messages}))


def _a2a(client: Client) -> str:
    message = {"messageId": "m", "role": "ROLE_USER", "parts": [{"text": "How many rooms are there?"}]}
    body = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": message}}
    error = client.http.post("/a2a", json=body, headers={"A2A-Version": "1.0"}).json().get("error")
    return "" if error is None else code_in(str(error))


def _tus(client: Client) -> str:
    headers = {"Tus-Resumable": "1.0.0", "Upload-Length": "8", "Upload-Metadata": "filename dC5jc3Y="}
    created = client.http.post(f"/api/chats/{client.chat}/uploads", headers=headers)
    if created.status_code >= 400:
        return code_of(created)
    headers = {"Tus-Resumable": "1.0.0", "Upload-Offset": "0"}
    headers |= {"Content-Type": "application/offset+octet-stream"}
    return code_of(client.http.patch(created.headers["Location"], headers=headers, content=b"a,b\n1,2\n"))


def _tasks(client: Client) -> str:
    sent = client.http.post("/tasks/send", json={"message": "How many rooms are there?"})
    return "" if sent.status_code < 400 else code_in(sent.text)


def _mcp(client: Client) -> str:
    from mcp import Client as McpClient

    async def ask() -> str:
        async with McpClient(f"{client.desk.url}/mcp") as mcp:
            result = await mcp.call_tool("ask_analyst", {"question": "How many rooms are there?"})
            return code_in(str(result)) if result.is_error else ""

    try:
        return asyncio.run(ask())
    except Exception:  # the SDK's client shows no refused session's reason
        facts = {"protocolVersion": "2025-11-25", "capabilities": {}}
        facts |= {"clientInfo": {"name": "faults", "version": "1"}}
        body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": facts}
        headers = {"Accept": "application/json, text/event-stream"}
        return code_in(client.http.post("/mcp", json=body, headers=headers).text)


def _agui(client: Client) -> str:
    message = {"id": uuid.uuid4().hex, "role": "user", "content": "How many rooms are there?"}
    body = {"threadId": client.chat, "runId": uuid.uuid4().hex, "messages": [message], "state": {}}
    body |= {"tools": [], "context": [], "forwardedProps": {}}
    answer = client.http.post("/agui", json=body)
    return code_in(answer.text) if answer.status_code >= 400 or "RUN_ERROR" in answer.text else ""


def _ai_sdk(client: Client) -> str:
    parts = [{"type": "text", "text": "How many rooms are there?"}]
    message = {"id": uuid.uuid4().hex, "role": "user", "parts": parts}
    body = {"id": client.chat, "trigger": "submit-message", "messages": [message]}
    answer = client.http.post("/stream", json=body)
    return code_in(answer.text) if answer.status_code >= 400 or '"type":"error"' in answer.text else ""


def code_in(text: str) -> str:
    """Return the code that an error of any wire names; those of tasks and of a UI stream are sentences."""
    codes = (code for code, sentence in CODES.items() if code in text or sentence in text)
    return next(codes, f"no code: {text[:2000]}")


def _page(client: Client) -> str:
    chat = client.http.get(f"/api/chats/{client.chat}")
    if chat.status_code >= 400:
        return code_of(chat)
    last = chat.json()["lastSeq"]
    with WsClient(client.desk.ws_url, f"?chat={client.chat}&after={last}") as page:
        page.say("How many rooms are there?")
        while True:
            message = page.next()
            if message["type"] == "error":
                return str(message.get("code"))
            if message["type"] == "user_message":
                return ""


def code_of(response: httpx.Response) -> str:
    """Return the code of a refusal, "" for a success."""
    return str(response.json()["error"]["code"]) if response.status_code >= 400 else ""


REQUESTS: dict[str, Callable[[Client], str]] = {
    "REST": _rest,
    "upload": _upload,
    "export": _export,
    "OpenAI": _openai,
    "A2A": _a2a,
    "tus": _tus,
    "tasks": _tasks,
    "MCP": _mcp,
    "AG-UI": _agui,
    "AI SDK": _ai_sdk,
    "page": _page,
}
