"""The page "Add a model provider" is followed to the letter, to an answer at a real desk."""

from pathlib import Path

import pytest

from smoldesk import models
from smoldesk.desk import build_desk
from smoldesk.errors import BadInput
from smoldesk.models import PROVIDERS, Provider
from tests.support.desk_server import live_desk, settings_for
from tests.support.guide import Guide
from tests.support.packages import install_package
from tests.support.ws_client import WsClient, of_type

MODULE = "backend/smoldesk/models/echo_model.py"
REGISTRY = "backend/smoldesk/models/__init__.py"


def test_a_provider_of_the_page_answers_at_a_desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    guide = Guide("add_a_provider")
    assert guide.files.keys() == {MODULE, REGISTRY}
    guide.new_module(MODULE, tmp_path, monkeypatch)
    line = eval("{" + guide.files[REGISTRY] + "}", {"Provider": Provider})
    monkeypatch.setattr(models, "PROVIDERS", PROVIDERS | line)
    with live_desk(tmp_path / "data", model="echo:loud") as live, WsClient(live.ws_url) as client:
        client.hello()
        client.say("quiet")
        received = client.until_closed()
    assert of_type(received, "run")[-1]["content"]["text"] == "QUIET"
    assert len(of_type(received, "delta")) > 0


def test_the_same_in_a_package_needs_no_change_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = Guide("add_a_provider").files[MODULE]
    site = install_package(
        tmp_path / "site", "echo", {"echo_model": code}, "[smoldesk.models]\necho = echo_model:build\n"
    )
    monkeypatch.syspath_prepend(site)
    with live_desk(tmp_path / "data", model="echo:loud") as live, WsClient(live.ws_url) as client:
        client.hello()
        client.say("quiet")
        received = client.until_closed()
    assert of_type(received, "run")[-1]["content"]["text"] == "QUIET"


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("broken", "raise RuntimeError('no battery')", "RuntimeError: no battery"),
        ("number", "build = 3", "cannot be called"),
        ("openai", "def build(name, access): ...", "is called 'openai', as one of the desk's own is"),
    ],
)
def test_a_provider_that_is_none_stops_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str, problem: str
) -> None:
    points = f"[smoldesk.models]\n{name} = flat:build\n"
    monkeypatch.syspath_prepend(install_package(tmp_path / "site", "flat_package", {"flat": text}, points))
    with pytest.raises(BadInput) as caught:
        build_desk(settings_for(tmp_path / "data"))
    assert caught.value.code == "bad_plugin"
    assert repr(name) in caught.value.message and "flat:build of flat_package 1.0" in caught.value.message
    assert problem in caught.value.message
    assert not (tmp_path / "data").exists()
