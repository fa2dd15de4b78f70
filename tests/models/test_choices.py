"""What a choice stands for: ids, names and servers, which key goes where, and whom a desk never asks. Pure."""

from importlib.util import find_spec
from typing import Any

import pytest
from pydantic import SecretStr

from smoldesk.agents.entries import AgentEntry, AgentList
from smoldesk.desk.from_settings import models_of
from smoldesk.errors import BadInput, DeskError, NotFound, Refused
from smoldesk.logs import hider
from smoldesk.models.choices import ModelChoices, NamedModel, check_address
from smoldesk.models.discovery import DiscoveredModel
from smoldesk.settings import Settings

DESKS_KEY, OWN_KEY = SecretStr("sk-of-the-desk"), SecretStr("sk-of-its-own")
NAMED = {
    "plain": NamedModel("plain", "openai:gpt-4o"),
    "keyed": NamedModel("keyed", "openai:gpt-4o", key=OWN_KEY),
    "local": NamedModel("local", "openai:x", "http://127.0.0.1:9/v1", context=9_000, images=True),
    "claude": NamedModel("claude", "litellm:anthropic/claude-sonnet-4-5", key=OWN_KEY),
    "rented": NamedModel("rented", "litellm:openai/x", "http://127.0.0.1:9/v1"),
    "lost": NamedModel("lost", "openai:x", problem="Its key is lost."),
}


def settings(**options: Any) -> Settings:
    inputs = {"openai_api_key": DESKS_KEY, "litellm_api_key": DESKS_KEY, "find_models": False} | options
    return Settings(_env_file=None, **inputs)  # pyright: ignore[reportCallIssue]


def choices(**options: Any) -> ModelChoices:
    entries = {
        "reader": AgentEntry("reader", "code", model="plain"),
        "other": AgentEntry("other", "code", model="openai:o3"),
    }
    return models_of(settings(**options), AgentList(entries, "reader", models=NAMED))


def test_a_key_goes_to_no_other_address_than_its_own() -> None:
    keys = {}
    for name in ("plain", "keyed", "local", "claude", "rented", "gpu/big"):
        access = choices(model_servers={"gpu": "http://10.0.0.7:8000/v1/"}).resolve(name).access
        keys[name] = (
            access.openai_api_key,
            access.openai_base_url,
            access.litellm_api_key,
            access.litellm_base_url,
        )
    assert keys == {
        "plain": (DESKS_KEY, "", DESKS_KEY, ""),
        "keyed": (OWN_KEY, "", None, ""),
        "local": (None, "http://127.0.0.1:9/v1", None, ""),
        "claude": (None, "", OWN_KEY, ""),
        # LiteLLM, given none, would take the one of the environment
        "rented": (None, "", SecretStr("none"), "http://127.0.0.1:9/v1"),
        "gpu/big": (None, "http://10.0.0.7:8000/v1", DESKS_KEY, ""),
    }
    assert choices(openai_base_url="http://elsewhere/v1").resolve("keyed").access.openai_base_url == ""
    assert "sk-of" not in repr(NAMED) + repr(choices().named)


def test_no_log_and_no_kept_prompt_shows_a_models_key_whenever_it_came() -> None:
    hide = hider([])  # of a log that was set up before
    some = ModelChoices([], choices().access, NAMED)
    for key in ("sk-late/0123456789", "ollama"):
        some.add(NamedModel("late", "openai:x", key=SecretStr(key)))
    text = f"{OWN_KEY.get_secret_value()} sk-late/0123456789 sk-late%2F0123456789 ollama"
    assert hide(text) == "*** *** *** ollama", "what servers of one's own are given for a key is a word"


def test_windows_and_pictures_are_the_operators_word_else_the_servers_or_the_tables() -> None:
    some = choices(model="openai:mine", model_context=5_000, model_servers={"gpu": "http://10.0.0.7:8000/v1"})
    some.note_discovered("gpu", [DiscoveredModel("big", 77, True)])
    facts = {name: some.resolve(name) for name in ("openai:mine", "local", "gpu/big", "gpu/new", "builtin")}
    assert {name: (fact.context, fact.images) for name, fact in facts.items()} == {
        "openai:mine": (5_000, None),
        "local": (9_000, True),
        "gpu/big": (77, True),
        "gpu/new": (None, None),
        "builtin": (None, None),
    }


def test_whether_a_model_answers_by_a_schema_is_the_operators_word_else_the_tables_until_it_refuses() -> None:
    if find_spec("litellm") is None:
        pytest.skip("litellm is not installed: it has the table")
    some = choices(model="openai:gpt-3.5-turbo", model_servers={"gpu": "http://10.0.0.7:8000/v1"})
    some.add(NamedModel("told", "openai:gpt-3.5-turbo", structured=True))
    names = ("builtin", "openai:gpt-3.5-turbo", "told", "plain", "claude", "gpu/big")
    assert [some.resolve(name).structured for name in names] == [False, False, True, True, True, None]
    some.resolve("gpu/big").capability.refuse("response_format")
    assert some.resolve("gpu/big").structured is False


def test_what_cannot_be_chosen_says_why() -> None:
    with pytest.raises(NotFound, match="openai:o3, plain"):
        choices().resolve("poet")
    with pytest.raises(BadInput, match="Its key is lost"):
        choices().resolve("lost")
    alone = ModelChoices(["openai:x"], choices().access, builtin_only=lambda: True)
    assert alone.resolve("builtin").model == "builtin"
    with pytest.raises(Refused, match="without isolation"):
        alone.resolve("openai:x")


@pytest.mark.parametrize(
    ("options", "requested"),
    [
        ({"port": 9}, ["ollama", "llamacpp", "lmstudio", "vllm"]),
        ({"port": 8000}, ["ollama", "llamacpp", "lmstudio"]),
        ({"port": 8080, "host": "0.0.0.0"}, ["ollama", "lmstudio", "vllm"]),
        ({"port": 9, "find_models": False, "model_servers": {"me": "http://localhost:9/v1"}}, []),
        ({"port": 9, "model_servers": {"vllm": "", "ollama": ""}}, ["llamacpp", "lmstudio"]),
    ],
)
def test_a_desk_never_asks_itself(options: dict[str, Any], requested: list[str]) -> None:
    assert list(choices(**{"find_models": True} | options).servers) == requested


@pytest.mark.parametrize(
    "address",
    [
        "",
        "models",
        "ftp://a/v1",
        "http://",
        "http://a:b@c/v1",
        "https://a/v1?key=x",
        "http://a/#b",
        "http://a b/",
        "http://a:x/",
    ],
)
def test_an_address_is_of_a_server_and_holds_no_secret(address: str) -> None:
    with pytest.raises(DeskError):
        check_address(address)
