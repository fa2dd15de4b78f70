"""Cards, and the addresses they name: each agent of the list, clients of protocol 0.3, callers with the token, gRPC."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import httpx
import pytest
from a2a.compat.v0_3 import types as v03
from a2a.types import a2a_pb2 as pb
from a2a.types import a2a_pb2_grpc

from tests.support.a2a_client import BINDINGS, Binding, a2a_client, events, said, sent, state, states, texts
from tests.support.desk_server import ROOT, LiveDesk, live_desk
from tests.wires.a2a.conftest import act

CARD = "/.well-known/agent-card.json"
TOKEN = "a long and random word"
AGENTS = '[agents.greeter]\nkind = "tools"\ndescription = "Greets people."\ntools = ["get_weather"]\n'


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    """A desk with a token and an agent of its own."""
    folder: Path = tmp_path_factory.mktemp("guarded")
    (folder / "agents.toml").write_text(AGENTS)
    with live_desk(folder, answer=act, token=TOKEN) as live:
        yield live


def get(desk: LiveDesk, path: str, **headers: str) -> httpx.Response:
    return httpx.get(desk.url + path, headers=headers, trust_env=False, timeout=30)


def bearer(token: str = TOKEN) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def test_the_card_says_what_is_there(desk: LiveDesk) -> None:
    answer = get(desk, CARD)
    card = answer.json()
    assert [(item["protocolBinding"], item["url"]) for item in card["supportedInterfaces"]] == [
        ("JSONRPC", f"{desk.url}/a2a"),
        ("HTTP+JSON", f"{desk.url}/a2a/rest"),
    ]
    assert card["capabilities"] == {"streaming": True, "pushNotifications": True, "extendedAgentCard": False}
    assert card["skills"][0]["tags"][0] == "code"
    assert "load_dataset" in card["skills"][0]["tags"]
    assert "securitySchemes" not in card and "url" not in card
    assert answer.headers["cache-control"] == "private, max-age=60"
    assert answer.headers["last-modified"].endswith("GMT")
    again = get(desk, CARD, **{"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


async def test_each_agent_has_a_card_and_addresses_of_its_own(desk: LiveDesk, binding: Binding) -> None:
    assert get(desk, f"/agents/demo{CARD}").json()["skills"][0]["tags"] == ["terminal"]
    lines: list[str | None] = []

    async with a2a_client(f"{desk.url}/agents/demo/", binding, streaming=False) as client:
        task = await sent(client, "hello")
    assert state(task.status) == "completed"
    record = desk.desk.store.read(lambda c: _record(c, task.id))
    lines.append(record.options.agent)
    assert lines == ["demo"]


def _record(connection: Any, run_id: str) -> Any:
    from smoldesk.store.run_lists import run_record

    return run_record(connection, run_id)


# --- the token ----------------------------------------------------------------------------------------------------------


def test_without_the_token_there_is_nothing(guarded: LiveDesk) -> None:
    for path in (
        CARD,
        "/v0.3" + CARD,
        f"/agents/greeter{CARD}",
        "/a2a/rest/tasks",
        "/a2a/rest/extendedAgentCard",
    ):
        assert get(guarded, path).status_code == 401, path
    assert httpx.post(f"{guarded.url}/a2a", json={}, trust_env=False).status_code == 401
    assert get(guarded, CARD, **bearer("wrong")).status_code == 401
    assert get(guarded, CARD, **bearer(), host="evil.example").status_code == 421
    assert get(guarded, CARD, **bearer(), origin="http://evil.example").status_code == 403


@pytest.mark.parametrize("binding", BINDINGS)
async def test_callers_with_the_token_get_the_extended_card(guarded: LiveDesk, binding: Binding) -> None:
    url = f"{guarded.url}/agents/greeter"
    async with a2a_client(url + "/", binding, streaming=False, **bearer()) as client:
        extended = await client.get_extended_agent_card(pb.GetExtendedAgentCardRequest())
        public = pb.AgentCard()
        from google.protobuf.json_format import ParseDict

        ParseDict(get(guarded, f"/agents/greeter{CARD}", **bearer()).json(), public)
        task = await sent(client, "hello")
    assert public.security_schemes["bearer"].http_auth_security_scheme.scheme == "bearer"
    assert public.capabilities.extended_agent_card
    assert [skill.id for skill in public.skills] == ["greeter"]
    assert list(public.skills[0].tags) == ["tools", "get_weather"]
    assert [skill.id for skill in extended.skills] == ["greeter", "tool:get_weather"]
    assert extended.skills[1].description
    assert state(task.status) == "completed"


def test_a_desk_without_a_token_has_no_extended_card(desk: LiveDesk, binding: Binding) -> None:
    answer = (
        httpx.get(f"{desk.url}/a2a/rest/extendedAgentCard", headers={"A2A-Version": "1.0"}, trust_env=False)
        if binding == "HTTP+JSON"
        else httpx.post(
            f"{desk.url}/a2a",
            headers={"A2A-Version": "1.0"},
            json={"jsonrpc": "2.0", "id": 1, "method": "GetExtendedAgentCard", "params": {}},
            trust_env=False,
        )
    )
    assert "no token" in answer.json()["error"]["message"]


# --- protocol 0.3 ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("transport", ["JSONRPC", "HTTP+JSON"])
async def test_a_client_of_0_3_talks_through_its_own_card(desk: LiveDesk, transport: Binding) -> None:
    card = get(desk, "/v0.3" + CARD).json()
    v03.AgentCard.model_validate(card)
    assert (card["url"], card["protocolVersion"]) == (f"{desk.url}/a2a", "0.3")

    async with a2a_client(desk.url, transport, path="/v0.3" + CARD) as client:
        result = await events(client, said("talk"))
    async with a2a_client(desk.url, transport, streaming=False, path="/v0.3" + CARD) as client:
        asking = await sent(client, "name")
        done = await sent(client, "Bo", task_id=asking.id)
    assert states(result)[-1] == "completed"
    assert state(asking.status) == "input_required"
    assert [texts(artifact) for artifact in done.artifacts] == [["Hello Bo, granted=True"]]


def test_a_message_of_0_3_as_it_is_written(desk: LiveDesk) -> None:
    message = {
        "kind": "message",
        "messageId": "m",
        "role": "user",
        "parts": [{"kind": "text", "text": "hello"}],
    }
    body = {"jsonrpc": "2.0", "id": 1, "method": "message/send", "params": {"message": message}}
    for path in ("/a2a", "/a2a/"):
        task = httpx.post(desk.url + path, json=body, trust_env=False, timeout=30).json()["result"]
        assert (task["kind"], task["status"]["state"]) == ("task", "completed")
        assert task["artifacts"][0]["parts"][0]["text"] == "You said: hello"


# --- gRPC -------------------------------------------------------------------------------------------------------------------


async def test_grpc_serves_the_same_behind_the_same_token(tmp_path: Path, free_port: int) -> None:
    with live_desk(tmp_path, answer=act, token=TOKEN, grpc_port=free_port) as desk:
        deadline = 0
        card = get(desk, CARD, **bearer()).json()
        while "GRPC" not in {item["protocolBinding"] for item in card["supportedInterfaces"]}:
            deadline += 1
            assert deadline < 300, card
            card = get(desk, CARD, **bearer()).json()
        address = card["supportedInterfaces"][-1]["url"]
        assert address == f"127.0.0.1:{free_port}"
        async with grpc.aio.insecure_channel(address) as channel:
            stub = a2a_pb2_grpc.A2AServiceStub(channel)
            recorded = (("authorization", f"Bearer {TOKEN}"), ("a2a-version", "1.0"))
            answer = await stub.SendMessage(said("hello"), metadata=recorded)
            assert state(answer.task.status) == "completed"
            stream = [event async for event in stub.SendStreamingMessage(said("talk"), metadata=recorded)]
            assert states(stream)[-1] == "completed"
            for metadata, expected in (
                ((), grpc.StatusCode.UNAUTHENTICATED),
                ((("authorization", "Bearer wrong"),), grpc.StatusCode.UNAUTHENTICATED),
                ((recorded[0], ("a2a-version", "2.0")), grpc.StatusCode.UNIMPLEMENTED),
            ):
                with pytest.raises(grpc.aio.AioRpcError) as refused:
                    await stub.SendMessage(said("hello"), metadata=metadata)
                assert refused.value.code() == expected
            with pytest.raises(grpc.aio.AioRpcError) as missing:
                await stub.GetTask(pb.GetTaskRequest(id="r_none"), metadata=recorded)
            assert missing.value.code() == grpc.StatusCode.NOT_FOUND
            guess = (("authorization", "Bearer a guess"),)
            codes: list[grpc.StatusCode] = []
            for metadata in (*[guess] * 4, recorded):  # one was wrong above
                with pytest.raises(grpc.aio.AioRpcError) as refused:
                    async for _ in stub.SendStreamingMessage(said("talk"), metadata=metadata):
                        pass
                codes.append(refused.value.code())
            late = grpc.StatusCode.RESOURCE_EXHAUSTED
            assert codes == [grpc.StatusCode.UNAUTHENTICATED] * 4 + [late], "the right one waits, too"
        [wrong] = [entry for entry in await desk.desk.audit.page() if entry.action == "token.wrong"]
        assert (wrong.address, wrong.count) == ("127.0.0.1", 5)


# --- lazily -----------------------------------------------------------------------------------------------------------------

LOOK = """
import sys, tempfile
from pathlib import Path
import httpx
from tests.support.desk_server import live_desk
with live_desk(Path(tempfile.mkdtemp()), answer=lambda message, ctx: message) as desk:
    assert httpx.get(desk.url + "/healthz", trust_env=False).status_code == 200
    before = [name for name in ("a2a", "google.protobuf", "grpc") if name in sys.modules]
    assert httpx.get(desk.url + "/.well-known/agent-card.json", trust_env=False, timeout=60).status_code == 200
    print(before, "a2a" in sys.modules)
"""


def test_nothing_of_the_sdk_is_imported_before_it_is_asked_for() -> None:
    done = subprocess.run([sys.executable, "-c", LOOK], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.stdout.strip().endswith("[] True"), done.stdout + done.stderr
