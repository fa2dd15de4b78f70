"""Which model an id names, and what is said when it cannot be had."""

import json
import subprocess
import sys

import pytest
from pydantic import SecretStr
from smolagents import Model

from smoldesk.errors import BadInput, ModelFault, Stopped
from smoldesk.models import (
    Access,
    build_model,
    close_model,
    translate,
)

BUILTIN = Model()


def build(model_id: str, key: str | None = None, base_url: str = "") -> Model:
    access = Access(1, 0, openai_api_key=SecretStr(key) if key else None, openai_base_url=base_url)
    return build_model(model_id, access, lambda: BUILTIN)


def test_builtin_is_the_model_that_was_handed_in() -> None:
    assert build("builtin") is BUILTIN
    assert build(" builtin ") is BUILTIN


def test_an_openai_name_may_itself_hold_colons_and_slashes() -> None:
    assert build("openai:qwen3:8b", base_url="http://127.0.0.1:9/v1").model_id == "qwen3:8b"


@pytest.mark.parametrize(
    "model_id", ["", "gpt-5", "mistral:x", "builtin:x", "builtin:", "OpenAI", "openai", ":x"]
)
def test_an_id_nobody_serves_is_refused_naming_what_is_supported(model_id: str) -> None:
    with pytest.raises(BadInput) as caught:
        build(model_id)
    assert caught.value.code == "model_unknown"
    assert '"builtin"' in caught.value.hint
    assert "openai:NAME" in caught.value.hint


def test_openai_without_a_name_is_refused() -> None:
    with pytest.raises(BadInput, match="names no model"):
        build("openai: ", key="sk-x")


def test_openai_itself_without_a_key_is_refused_naming_the_setting() -> None:
    with pytest.raises(BadInput) as caught:
        build("openai:gpt-5")
    assert caught.value.code == "model_auth"
    assert "SMOLDESK_OPENAI_API_KEY" in caught.value.hint


def test_a_model_without_a_connection_can_be_closed_too() -> None:
    close_model(BUILTIN)


def test_importing_models_loads_neither_smolagents_nor_openai() -> None:
    text = "import json, sys, smoldesk.models; print(json.dumps(sorted({'smolagents', 'openai'} & set(sys.modules))))"
    done = subprocess.run([sys.executable, "-c", text], check=True, capture_output=True, text=True)
    assert json.loads(done.stdout) == []


def test_translating_twice_changes_nothing() -> None:
    fault = translate(ValueError("odd"))
    assert translate(fault) is fault


def test_a_stop_under_a_wrapper_stays_a_stop() -> None:
    stop = Stopped("the person said so")
    wrapped = RuntimeError("wrapped")
    wrapped.__cause__ = stop
    assert translate(wrapped) is stop


def test_an_unknown_error_is_a_model_error_with_its_words_but_not_the_key() -> None:
    fault = translate(KeyError("sk-abcdef123456 and hunter2"), SecretStr("hunter2"))
    assert isinstance(fault, ModelFault)
    assert fault.code == "model_error"
    assert "KeyError" in fault.hint
    assert "hunter2" not in fault.hint
    assert "abcdef" not in fault.hint


def test_a_chain_of_causes_that_bites_its_tail_ends() -> None:
    one, two = ValueError("one"), ValueError("two")
    one.__cause__, two.__cause__ = two, one
    assert translate(one).code == "model_error"
