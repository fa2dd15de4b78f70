"""Hosted providers over HTTP: each is played by a server of this machine; no real one is reached. Options of models."""

import json
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.responses import JSONResponse, RedirectResponse, Response

from smoldesk.models.hosted import HOSTED, provider_at
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.openai_server import OpenAIServer, Says
from tests.support.provider_servers import KEY, anthropic, bedrock, provider_server
from tests.wires.test_models import ask, listed, new_chat

COMPATIBLE = [name for name, provider in HOSTED.items() if not provider.needs_litellm]
OPTIONS: dict[str, Any] = {"temperature": 0.2, "maxTokens": 900, "reasoningEffort": "low"}
OPTIONS["extraBody"] = {"top_k": 40}
UNSET = {"temperature": None, "maxTokens": None, "reasoningEffort": None, "extraBody": {}}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    with live_desk(tmp_path_factory.mktemp("providers"), model_retries=0, log_level="DEBUG") as live:
        yield live


@pytest.fixture
def client(desk: LiveDesk) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=desk.url, timeout=60) as client:
        yield client


@pytest.fixture
def other_server() -> Iterator[OpenAIServer]:
    with OpenAIServer(lambda _: Says("<code>final_answer('hello')</code>")) as server:
        yield server


def new_model(provider: str, **more: Any) -> dict[str, Any]:
    place = {"azure": "my-resource", "bedrock": "eu-west-1"}.get(provider, "")
    return {
        "name": f"{provider}-1",
        "model": "big-1",
        "provider": provider,
        "key": KEY,
        "place": place,
    } | more


def code_of(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


def test_the_list_of_providers_names_keys_and_extra_fields_and_no_address(client: httpx.Client) -> None:
    providers = {item["name"]: item for item in client.get("/api/model-providers").json()["providers"]}
    assert list(providers) == [
        *("openai", "anthropic", "gemini", "mistral", "deepseek", "openrouter", "groq"),
        *("azure", "bedrock", "huggingface"),
    ]
    assert {name: item["place"] for name, item in providers.items() if item["place"]} == {
        "azure": "resource",
        "bedrock": "region",
    }
    assert all(item["keysAt"].startswith("https://") for item in providers.values())
    assert providers["groq"]["keyForm"] == "gsk_…"


def test_every_address_is_https_and_recognised_for_any_place() -> None:
    for name in COMPATIBLE:
        provider = HOSTED[name]
        assert provider.base_url.startswith("https://")
        assert provider_at(provider.base_url.format(place="my-resource-2")) is provider
    for wrong in ("", "https://api.openai.com.evil.example/v1", "https://a.b.openai.azure.com/openai/v1"):
        assert provider_at(wrong) is None


@pytest.mark.parametrize("name", COMPATIBLE)
def test_a_provider_needs_a_key_and_a_name_and_then_answers(
    name: str, client: httpx.Client, desk: LiveDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    with provider_server(name, monkeypatch) as server:
        offered = client.post(f"/api/model-providers/{name}/models", json={"key": KEY})
        assert offered.json() == {"models": ["big-1", "big-2"] if HOSTED[name].lists else []}
        assert client.post("/api/models", json=new_model(name, options=OPTIONS)).status_code == 201
        assert ask(desk, new_chat(client, f"{name}-1"))[-1]["content"]["text"] == "hello"
        sent = server.requests[-1]
        assert (sent.key, sent.body["model"], sent.body["temperature"], sent.body["top_k"]) == (
            KEY,
            "big-1",
            0.2,
            40,
        )
        model = listed(client)[f"{name}-1"]
        assert (model["options"], model["ofPage"]) == (OPTIONS, True)


@pytest.mark.parametrize(
    ("name", "path", "variable", "reply"),
    [
        ("anthropic", "/v1/messages", "ANTHROPIC_API_BASE", anthropic),
        ("bedrock", "/model/big-1/converse-stream", "AWS_BEDROCK_RUNTIME_ENDPOINT", bedrock),
    ],
)
def test_a_provider_behind_litellm_gets_the_key_in_its_own_form(
    name: str,
    path: str,
    variable: str,
    reply: Any,
    client: httpx.Client,
    desk: LiveDesk,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("litellm", reason="litellm is not installed")
    with OpenAIServer([], {path: reply}) as server:
        monkeypatch.setenv(variable, server.base_url.removesuffix("/v1"))
        wrong = client.post("/api/models", json=new_model(name, key="wrong-key-000111"))
        assert code_of(wrong) == (502, "model_auth")
        assert "wrong-key-000111" not in wrong.text
        added = client.post("/api/models", json=new_model(name))
        assert added.status_code == 201, added.text
        assert ask(desk, new_chat(client, f"{name}-1"))[-1]["content"]["text"] == "hello"
        assert set(server.asked) == {path}


def test_an_agents_entry_replaces_the_options_of_the_desks_model(
    tmp_path: Path, other_server: OpenAIServer
) -> None:
    (tmp_path / "agents.toml").write_text(
        f'[models.big]\nmodel = "openai:x"\nbase_url = "{other_server.base_url}"\n'
        "temperature = 0.7\nmax_tokens = 900\n"
        '[agents.exact]\nkind = "code"\ntemperature = 0\n'
    )
    with live_desk(tmp_path, model="big") as live, httpx.Client(base_url=live.url, timeout=60) as client:
        for agent in ("code", "exact"):
            chat = new_chat(client, None)
            assert client.patch(f"/api/chats/{chat}", json={"agent": agent}).status_code == 200
            assert ask(live, chat)[-1]["content"]["text"] == "hello"
    sent = [(request.body["temperature"], request.body["max_tokens"]) for request in other_server.requests]
    assert sent == [(0.7, 900), (0, 900)]


def test_a_key_of_a_provider_is_in_no_answer_log_or_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The attack: the provider refuses the key and repeats it, at each request that brings it."""
    caplog.set_level("DEBUG")
    taken_back = f"{KEY}-taken-back"
    lines: list[str] = []
    with (
        provider_server("groq", monkeypatch) as server,
        live_desk(tmp_path, model_retries=0, log_level="DEBUG") as live,
        httpx.Client(base_url=live.url, timeout=60) as client,
    ):
        server.offer("/openai/v1/models", JSONResponse({"error": {"message": f"bad key {taken_back}"}}, 401))
        lines += [
            client.post("/api/model-providers/groq/models", json={"key": taken_back}).text,
            client.post("/api/models", json=new_model("groq", key=taken_back)).text,
            client.post(
                "/api/models", json=new_model("groq", key=taken_back, options={"maxTokens": []})
            ).text,
            client.post("/api/model-providers/groq/models", json={"key": {"nested": taken_back}}).text,
            client.post("/api/models", json=new_model("groq")).text,
            client.put("/api/models/groq-1/options", json=OPTIONS).text,
            client.put("/api/models/groq-1/key", json={"key": taken_back}).text,
            repr(ask(live, new_chat(client, "groq-1"))),
            client.get("/api/models").text,
        ]
        assert {request.key for request in server.requests} == {KEY, taken_back}
    lines += [caplog.text, *(str(vars(record)) for record in caplog.records)]
    lines += [path.read_bytes().decode("latin-1") for path in tmp_path.rglob("*") if path.is_file()]
    assert not [text[:300] for text in lines if KEY in text]
    assert "groq-1" in "".join(lines)


def test_without_litellm_the_list_says_how_to_install_it(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "litellm", None)
    providers = client.get("/api/model-providers").json()["providers"]
    missing = {item["name"]: item["install"] for item in providers if item["install"]}
    assert missing == dict.fromkeys(("anthropic", "bedrock"), "pip install -e '.[litellm]'")


def test_a_key_goes_to_its_providers_address_alone(
    client: httpx.Client, other_server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The attack: a person names another server as a provider's, by every field that could become part of an address."""
    host = other_server.base_url.removeprefix("http://")
    with provider_server("mistral", monkeypatch) as server:
        for body, expected in (
            (new_model("mistral", baseUrl=other_server.base_url), "bad_address"),
            (new_model("mistral", place=host), "bad_place"),
            (new_model("azure", place=f"{host}#"), "bad_place"),
            (new_model("azure", place="evil.example/x?"), "bad_place"),
            (new_model("azure", place=""), "bad_place"),
            (new_model("bedrock", place="../x"), "bad_place"),
            (new_model("mistral", key=""), "model_auth"),
            (new_model("mistrial"), "unknown_provider"),
        ):
            assert code_of(client.post("/api/models", json=body)) == (400, expected), body
        assert client.post("/api/model-providers/azure/models", json={"key": KEY}).json() == {"models": []}
        for wrong in ("a-wrong-key-0123", "鍵-0123", "\U000f47b3"):
            refused = client.post("/api/model-providers/mistral/models", json={"key": wrong})
            assert code_of(refused) == (502, "model_auth") and wrong not in refused.text
        for wrong in ("a\r\nHost: evil.example", "\0"):
            refused = client.post("/api/model-providers/mistral/models", json={"key": wrong})
            assert refused.status_code == 502 and wrong not in refused.text
        assert client.post("/api/model-providers/nobody/models", json={"key": KEY}).status_code == 404
        assert other_server.requests == [] and other_server.asked == [] and server.requests == []


def test_a_list_that_is_no_list_or_leads_elsewhere_is_an_error(
    client: httpx.Client, other_server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    replies = [
        RedirectResponse(f"{other_server.base_url}/models"),
        Response("{" * 100_000),
        Response(b"x" * 6_000_000),
        Response("{}", 500),
    ]
    with provider_server("groq", monkeypatch) as server:
        for reply in replies:
            server.offer("/openai/v1/models", reply)
            answer = client.post("/api/model-providers/groq/models", json={"key": KEY})
            assert code_of(answer) == (502, "model_unreachable")
    assert other_server.asked == []


def test_options_change_later_after_a_test_and_are_kept(tmp_path: Path, other_server: OpenAIServer) -> None:
    body = {"name": "own", "model": "openai:x", "baseUrl": other_server.base_url}
    with live_desk(tmp_path) as live, httpx.Client(base_url=live.url, timeout=60) as client:
        assert client.post("/api/models", json=body).json()["options"] == UNSET
        changed = client.put("/api/models/own/options", json=OPTIONS)
        assert changed.json()["options"] == OPTIONS
        assert other_server.requests[-1].body["max_tokens"] == 900, "the test request had them"
        assert code_of(client.put("/api/models/builtin/options", json={})) == (404, "unknown_model")
    with live_desk(tmp_path) as live, httpx.Client(base_url=live.url, timeout=60) as client:
        assert listed(client)["own"]["options"] == OPTIONS
        ask(live, new_chat(client, "own"))
        assert other_server.requests[-1].body["temperature"] == 0.2
        assert client.put("/api/models/own/options", json={}).json()["options"] == UNSET
        ask(live, new_chat(client, "own"))
        assert "temperature" not in other_server.requests[-1].body
    with sqlite3.connect(
        tmp_path / "smoldesk.db"
    ) as database:  # as an older version left it, and as a newer one might
        database.execute("UPDATE model SET options = NULL")
        database.execute(
            "INSERT INTO model SELECT 'odd', model, base_url, sealed, context, 1, ? FROM model",
            ['{"temperature": 9}'],
        )
    with live_desk(tmp_path) as live, httpx.Client(base_url=live.url, timeout=60) as client:
        models = listed(client)
        assert models["own"]["options"] == models["odd"]["options"] == UNSET


def test_options_of_agents_toml_are_shown_and_not_changed(tmp_path: Path) -> None:
    (tmp_path / "agents.toml").write_text(
        '[models.big]\nmodel = "openai:x"\nbase_url = "http://127.0.0.1:1/v1"\nmax_tokens = 70\n'
    )
    with live_desk(tmp_path) as live, httpx.Client(base_url=live.url, timeout=60) as client:
        assert listed(client)["big"]["options"] == UNSET | {"maxTokens": 70}
        assert code_of(client.put("/api/models/big/options", json=OPTIONS)) == (404, "unknown_model")


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"temperature": 2.5}, "bad_temperature"),
        ({"maxTokens": 0}, "bad_max_tokens"),
        ({"reasoningEffort": "huge"}, "bad_reasoning_effort"),
        ({"extraBody": {"model": "other"}}, "bad_extra_body"),
        ({"extraBody": {"a": {"api_key": "sk-hidden-77"}}}, "bad_extra_body"),
        ({"extraBody": {"text": "x" * 1_000_000}}, "bad_extra_body"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_option_that_is_not_allowed_is_refused_before_any_request(
    options: dict[str, Any], code: str, client: httpx.Client, other_server: OpenAIServer
) -> None:
    body = {"name": "own", "model": "openai:x", "baseUrl": other_server.base_url, "options": options}
    refused = client.post("/api/models", json=body)
    assert code_of(refused) == (400, code)
    assert "sk-hidden-77" not in refused.text
    assert other_server.requests == []
    assert "own" not in listed(client)


@pytest.mark.parametrize("depth", [20, 300, 1_000, 100_000])
def test_a_body_nested_deeply_is_refused_and_the_desk_goes_on(depth: int, client: httpx.Client) -> None:
    nested = '{"a":' * depth + "1" + "}" * depth
    text = f'{{"name": "own", "model": "openai:x", "options": {{"extraBody": {nested}}}}}'
    refused = client.post("/api/models", content=text, headers={"content-type": "application/json"})
    assert refused.status_code in (400, 422)
    assert len(refused.text) < 2_000
    assert json.loads(client.get("/api/models").text)["models"]
