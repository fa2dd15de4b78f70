"""`smoldesk open sales.csv`: the files in a new chat, in the desk that runs here or in one that is started for it."""

import base64
import json
import sys
import time
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import httpx2

from smoldesk.cli.projects import printable, refused
from smoldesk.errors import BadInput, DeskError
from smoldesk.settings import Settings
from smoldesk.store.data_dir import DataDir

PIECE = 16 * 2**20
SECONDS = 60.0
TRIES = 8
TUS = {"Tus-Resumable": "1.0.0"}

# Serves until a signal arrives, or until its argument, called with the address of the open desk, returns False.
Serve = Callable[[Callable[[str], bool]], int]


def open_files(settings: Settings, paths: Sequence[Path], browse: bool, serve: Serve) -> int:
    """Put the files into a new chat, print its address and open it in a browser. Return the exit code.

    Raises DeskError for a path that is not a file, for a file that the desk refuses, and if the desk does not answer.
    """
    for path in paths:
        if not path.is_file():
            raise BadInput(f"There is no file {path}.", "Give the path of a file that exists.")
    address = running(settings)
    if address is not None:
        _deliver(settings, address, paths, browse)
        return 0
    fault: list[DeskError] = []

    def opened(address: str) -> bool:
        try:
            _deliver(settings, address, paths, browse)
        except DeskError as said:
            fault.append(said)
        return not fault

    code = serve(opened)
    if fault:
        raise fault[0]
    return code


def running(settings: Settings) -> str | None:
    """Return the address of the desk that holds the data directory, or None. Raises DeskError if no server holds it."""
    data_dir = DataDir(settings.data_dir, settings.files_dir)
    address = data_dir.claim_or_address()
    data_dir.release()
    return address


def client_of(settings: Settings, address: str) -> httpx2.Client:
    """Return a client of the desk at an address, with its token. It uses no proxy, which would see the token."""
    token = settings.token.get_secret_value() if settings.token else ""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return httpx2.Client(base_url=address, headers=headers, timeout=SECONDS, trust_env=False)


def _deliver(settings: Settings, address: str, paths: Sequence[Path], browse: bool) -> None:
    with client_of(settings, address) as client:
        chat_id = send_request(client, "POST", "/api/chats").json()["id"]
        try:
            for path in paths:
                for problem in send_file(client, chat_id, path)["problems"]:
                    sys.stderr.write(printable(f"{path.name}: {problem}") + "\n")
        except DeskError as fault:
            if fault.code != "server_unreachable":  # what came may still be read, and is told of in the chat
                send_request(client, "DELETE", f"/api/chats/{chat_id}")
            raise
    url = f"{address}/#chat={chat_id}"
    sys.stdout.write(f"{url}\n")
    sys.stdout.flush()
    if settings.token and settings.token.get_secret_value():
        sys.stderr.write("A browser without a session asks for the token.\n")
    if browse:
        webbrowser.open(url)


def send_file(client: httpx2.Client, chat_id: str, path: Path) -> dict[str, Any]:
    """Upload a file in pieces and return the desk's result of reading it. Continues after a lost connection.

    Raises DeskError for a refused file, and if the desk no longer answers.
    """
    size = path.stat().st_size
    name = base64.b64encode(path.name.encode("utf-8", "surrogateescape")).decode()
    headers = TUS | {"Upload-Length": str(size), "Upload-Metadata": f"filename {name}"}
    place = send_request(client, "POST", f"/api/chats/{chat_id}/uploads", headers=headers).headers["Location"]
    offset = tries = 0
    with path.open("rb") as file:
        while offset < size:
            file.seek(offset)
            piece = file.read(PIECE)
            if not piece:
                raise BadInput(f"{path} became shorter while it was read.", "Try again.")
            headers = TUS | {"Upload-Offset": str(offset), "Content-Type": "application/offset+octet-stream"}
            try:
                answer = client.patch(place, content=piece, headers=headers)
                if answer.status_code == 409:
                    answer = client.head(place, headers=TUS)
                if not answer.is_success:
                    raise refused(answer)
                offset, tries = int(answer.headers["Upload-Offset"]), 0
            except httpx2.TransportError as fault:
                tries += 1
                if tries == TRIES:
                    raise unreachable(fault) from None
                time.sleep(1)
                offset = int(send_request(client, "HEAD", place, headers=TUS).headers["Upload-Offset"])
            _print_progress(path.name, offset / size)
    return _read(client, place)


def _read(client: httpx2.Client, place: str) -> dict[str, Any]:
    """Return the result of a complete upload. Raises DeskError if it is not stored."""
    last: dict[str, Any] = {"state": "sending"}
    tries = 0
    while last["state"] == "sending" and tries < TRIES:  # a desk that was started again takes it up by itself
        time.sleep(min(tries, 1))
        last = json.loads(send_request(client, "GET", place).text.splitlines()[-1])
        tries += 1
    if last["state"] != "ready":
        error = last.get("error") or {
            "message": "The desk stopped while it read the file.", "hint": "Try again.", "code": "not_read"
        }  # fmt: skip
        raise DeskError(error["message"], error["hint"], code=error["code"])
    return last


def send_request(client: httpx2.Client, method: str, path: str, **options: Any) -> httpx2.Response:
    """Send a request; repeat it if its method is safe. Raises DeskError for a refusal, and if the desk does not answer."""
    for left in reversed(range(TRIES if method in ("HEAD", "GET") else 1)):
        try:
            answer = client.request(method, path, **options)
        except httpx2.HTTPError as fault:
            if not left:
                raise unreachable(fault) from None
            time.sleep(1)
            continue
        if answer.is_success:
            return answer
        raise refused(answer)
    raise AssertionError("the last try ends in an answer or a fault")


def unreachable(fault: Exception) -> DeskError:
    """Return the error for a desk that does not answer."""
    return DeskError(
        "The desk does not answer.",
        f"Is it busy or stopping? ({type(fault).__name__})",
        code="server_unreachable",
    )


def _print_progress(name: str, share: float) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{printable(name)} {share:.0%} " + ("\n" if share >= 1 else ""))
        sys.stderr.flush()
