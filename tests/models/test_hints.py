"""Hints of a model's faults name what was set, and nothing that was never set: for each code, with settings and without."""

import os
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from smoldesk.agents.entries import AgentEntry, AgentList
from smoldesk.desk.from_settings import access_of, models_of
from smoldesk.errors import ModelFault
from smoldesk.models import Access, build_model
from smoldesk.models.choices import ModelChoices, NamedModel
from smoldesk.settings import Settings
from tests.models.test_providers import ASK
from tests.support.desk_server import events_of, live_desk
from tests.support.openai_server import Breaks, Fails, Garbles, OpenAIServer, Reply, Stalls
from tests.support.scripted_model import ScriptedModel, code
from tests.support.ws_client import WsClient

TOO_LONG = Fails(400, "too big", "context_length_exceeded")
MOVED = Fails(307, headers={"location": "/v1/elsewhere"})
# A reply, its code, and what the hint says without and with the settings.
FAULTS: list[tuple[Reply, str, str, str]] = [
    (Fails(401), "model_auth", "wants a key: add its model in the page", "Check SMOLDESK_OPENAI_API_KEY"),
    (
        Fails(404),
        "model_unknown",
        "Check the model that was chosen",
        "Check SMOLDESK_MODEL and SMOLDESK_OPENAI",
    ),
    (Stalls("half"), "model_timeout", "a faster model", "raise SMOLDESK_MODEL_TIMEOUT_SECONDS"),
    (Breaks("half"), "model_unreachable", "running, its address http", "running, SMOLDESK_OPENAI_BASE_URL"),
    (Garbles("half"), "model_error", "Check its address http", "Check SMOLDESK_OPENAI_BASE_URL: it"),
    (MOVED, "model_error", "Check its address http", "Check SMOLDESK_OPENAI_BASE_URL."),
    (TOO_LONG, "model_too_long", "longer window. It", "lower SMOLDESK_MEMORY_RUNS or SMOLDESK_MODEL_CONTEXT"),
    (Fails(402), "model_no_credit", "Add credit", "Add credit"),
    (Fails(429), "model_rate_limited", "Wait a little", "Wait a little"),
    (Fails(500), "model_unavailable", "Try again later", "Try again later"),
    (Fails(400), "model_refused", "It said", "It said"),
]


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of this machine's own settings."""
    for name in [*os.environ]:
        if name.startswith("SMOLDESK_") or name == "OPENAI_API_KEY":
            monkeypatch.delenv(name)


def choices(entries: dict[str, AgentEntry] | None = None, **options: Any) -> ModelChoices:
    settings = Settings(_env_file=None, **options)  # pyright: ignore[reportCallIssue]
    return models_of(settings, AgentList(entries or {}, "code"))


def fault_of(model_id: str, access: Access) -> ModelFault:
    with pytest.raises(ModelFault) as caught:
        build_model(model_id, access, lambda: pytest.fail("the built-in model was used")).generate(ASK)
    return caught.value


@pytest.mark.parametrize(("reply", "fault_code", "unset", "as_set"), FAULTS, ids=[row[1] for row in FAULTS])
def test_a_hint_names_what_was_set_and_offers_the_page_otherwise(
    reply: Reply, fault_code: str, unset: str, as_set: str
) -> None:
    with OpenAIServer(lambda _: reply) as server:
        some = ModelChoices(["builtin"], Access(0.3, 0), servers={"vllm": server.base_url})
        resolved = some.resolve("vllm/scripted")
        found = fault_of(resolved.model, resolved.access)

        options: dict[str, Any] = {
            "model": "openai:scripted",
            "model_context": 9_000,
            "memory_runs": 5,
            "model_retries": 0,
        }
        options |= {"openai_base_url": server.base_url, "openai_api_key": SecretStr("sk-1")}
        resolved = choices(model_timeout_seconds=1, **options).resolve("openai:scripted")
        configured = fault_of(resolved.model, resolved.access)
    assert (found.code, configured.code) == (fault_code, fault_code)
    assert "SMOLDESK_" not in found.hint and unset in found.hint
    assert as_set in configured.hint


def test_the_settings_of_the_desks_model_are_none_of_an_agents_model() -> None:
    some = choices(
        {"other": AgentEntry("other", "code", model="openai:o3")},
        model="openai:gpt-5",
        model_context=9_000,
        openai_api_key=SecretStr("sk-1"),
    )
    names = {
        choice: some.resolve(choice).access.names_of("openai") for choice in ("openai:gpt-5", "openai:o3")
    }
    assert [(name.model, name.context, name.key) for name in names.values()] == [
        ("SMOLDESK_MODEL", "SMOLDESK_MODEL_CONTEXT", "SMOLDESK_OPENAI_API_KEY"),
        ("", "", "SMOLDESK_OPENAI_API_KEY"),
    ]
    assert {(name.timeout, name.memory, name.address) for name in names.values()} == {("", "", "")}


def test_a_customary_variable_is_named_where_the_key_comes_from_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-customary")
    with OpenAIServer([Fails(401)]) as server:
        monkeypatch.setattr("smoldesk.models.openai_model.OPENAI_URL", server.base_url)
        fault = fault_of("openai:gpt-5", Access(5, 0))
    assert fault.hint.startswith("Check OPENAI_API_KEY,")


def test_a_named_model_points_at_its_entry_only_for_what_the_entry_has() -> None:
    base = access_of(Settings(_env_file=None, openai_api_key=SecretStr("sk-1"), model="openai:gpt-5"))  # pyright: ignore
    keyed = NamedModel("big", "openai:x", key=SecretStr("sk-2")).access(base).names_of("openai")
    plain = NamedModel("big", "openai:x").access(base).names_of("openai")
    local = (
        NamedModel("big", "openai:x", "http://127.0.0.1:9/v1", of_page=True).access(base).names_of("openai")
    )
    assert [(name.key, name.address, name.model) for name in (keyed, plain, local)] == [
        ("the key of 'big' in [models.big]", "", "its model in [models.big]"),
        ("SMOLDESK_OPENAI_API_KEY", "", "its model in [models.big]"),
        ("", "its address in the page", "its model in the page"),
    ]


@pytest.mark.parametrize(
    ("agent", "options", "hint"),
    [
        ("code", {}, "Ask for less at once."),
        ("code", {"max_steps": 2}, "Ask for less at once, or raise SMOLDESK_MAX_STEPS."),
        (
            "short",
            {"max_steps": 9},
            "Ask for less at once, or raise `max_steps` of the agent 'short' in agents.toml.",
        ),
    ],
)
def test_a_step_limit_names_what_set_it(tmp_path: Path, agent: str, options: Any, hint: str) -> None:
    (tmp_path / "agents.toml").write_text('[agents.short]\nkind = "code"\nmax_steps = 1\n')
    endless = [code("1 + 1") for _ in range(30)]
    with live_desk(tmp_path, lambda: ScriptedModel(endless), agent=agent, **options) as desk:
        chat: str = httpx.post(f"{desk.url}/api/chats").json()["id"]
        with WsClient(desk.ws_url, f"?chat={chat}").greeted() as socket:
            socket.say("Never end")
            socket.until_closed()
        [failed] = [event for event in events_of(desk.url, chat) if event["type"] == "run_failed"]
    assert (failed["code"], failed["hint"]) == ("step_limit", hint)
