"""What a whole desk writes into its log: one line a fact, as text or JSON, and nothing of what anybody said."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.support.desk_server import DeskProcess
from tests.support.openai_server import Fails, OpenAIServer, Says
from tests.support.scripted_model import code
from tests.support.ws_client import WsClient

KEY = "sk-mark-key-5f0a7c31e88b"
TOKEN = "mark-token-4c1d77aa0b"
AUTH = {"Authorization": f"Bearer {TOKEN}"}
CODE = "save_data({'markcolumn': [1]}, 'markfile')\nprint('markprint')\nint('marknumber')"


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_session_leaves_its_facts_in_the_log_and_none_of_its_words(
    tmp_path: Path, free_port: int, form: str
) -> None:
    """Everything that carries words is marked, and the log is read at DEBUG."""
    script = [Says(code(CODE)), Says(code("final_answer('markanswer')")), Fails(401, "markrefusal {key}")]
    with OpenAIServer(script) as provider:
        process = DeskProcess(
            tmp_path,
            free_port,
            {
                "SMOLDESK_LOG_LEVEL": "DEBUG",
                "SMOLDESK_LOG_FORMAT": form,
                "SMOLDESK_TOKEN": TOKEN,
                "SMOLDESK_MODEL": "openai:scripted",
                "SMOLDESK_OPENAI_API_KEY": KEY,
                "SMOLDESK_OPENAI_BASE_URL": provider.base_url,
                "SMOLDESK_ALLOW_UNISOLATED": "true",
                "SMOLDESK_MODEL_RETRIES": "0",
            },
        )
        try:
            process.wait_until_up()
            chat = visited(process)
            assert process.terminate() == 0
            log = process.errors()
            assert process.output() == ""
        finally:
            process.close()
    for mark in ("mark", "sk-", TOKEN, "evil.example", "Traceback"):
        assert mark not in log, mark
    lines = log.splitlines()
    facts = [json.loads(line) for line in lines] if form == "json" else [parsed(line) for line in lines]
    runs = [fact for fact in facts if fact["event"] == "run"]
    assert [(run["state"], run["agent"], run["model"], run["chat"]) for run in runs] == [
        ("finished", "code", "openai:scripted", chat),
        ("failed", "code", "openai:scripted", chat),
    ]
    assert (int(runs[0]["steps"]), int(runs[0]["tokens_in"])) == (2, 22)
    assert runs[1]["code"] == "model_auth"
    message = {(fact["event"], fact.get("code"), fact.get("request")) for fact in facts}
    assert {
        ("denial", "token_wrong", "mine-1"),
        ("denial", "host_refused", "mine-2"),
        ("denial", "origin_refused", "mine-3"),
        ("refusal", "not_found", "mine-4"),
        ("refusal", "not_json", "mine-5"),
    } <= message
    denied = next(fact for fact in facts if fact["event"] == "denial")
    assert denied["client"] == "127.0.0.1"
    errors = [line for line in facts if line["level"] == "ERROR"]
    assert errors == []  # a refused handshake is a quiet line of ours


def visited(process: DeskProcess) -> str:
    """What a client does that says much; the chat it was in."""

    def get(path: str, name: str, **headers: str) -> httpx.Response:
        response = httpx.get(process.url + path, headers=headers | {"X-Request-ID": name}, timeout=30)
        assert response.headers["x-request-id"] == name
        return response

    assert get("/api/chats", "mine-1", Authorization="Bearer markwrong").status_code == 401
    assert get("/api/chats", "mine-2", Host="evil.example", **AUTH).status_code == 421
    for _ in range(30):
        with pytest.raises(InvalidStatus):
            connect(
                process.ws_url,
                origin="http://evil.example",  # pyright: ignore[reportArgumentType]
                additional_headers={"X-Request-ID": "mine-3"},
            )
    assert get("/api/chats/c_mark/files/markname.csv", "mine-4", **AUTH).status_code == 404
    response = httpx.get(
        process.url + "/api/chats", headers=AUTH | {"X-Request-ID": "not (sane)"}, timeout=30
    )
    assert len(response.headers["x-request-id"]) == 16
    with WsClient(process.ws_url, headers=AUTH | {"X-Request-ID": "mine-5"}) as client:
        chat = client.hello()
        files = {"file": ("markupload.csv", b"markhead\n1\n")}
        url = f"{process.url}/api/chats/{chat}/files"
        assert httpx.post(url, files=files, headers=AUTH, timeout=30).status_code == 201
        client.socket.send("markbroken {")
        client.until("error")
        for _ in range(2):
            client.ask("markmessage")
    return chat


def parsed(line: str) -> dict[str, Any]:
    """A text line's facts; values with spaces are quoted, and none here has any."""
    _, _, level, _, event, *pairs = line.split(" ")
    facts = dict(pair.split("=", 1) for pair in pairs if "=" in pair)
    return facts | {"level": level, "event": event}


def test_many_refusals_become_a_few_lines(tmp_path: Path, free_port: int) -> None:
    process = DeskProcess(tmp_path, free_port, {"SMOLDESK_TOKEN": TOKEN})
    try:
        process.wait_until_up()
        with httpx.Client(base_url=process.url, timeout=30) as client:
            for _ in range(200):
                assert client.get("/api/chats").status_code == 401
        assert process.terminate() == 0
        log = process.errors()
    finally:
        process.close()
    assert 1 <= log.count("denial code=token_required") <= 100
