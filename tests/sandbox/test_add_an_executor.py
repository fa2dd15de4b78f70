"""The page "Add an executor" is followed to the letter, to an answer at a real desk."""

import importlib
from pathlib import Path

import httpx
import pytest

from smoldesk.desk import build_desk
from smoldesk.errors import BadInput
from smoldesk.sandbox import executors
from tests.support.desk_server import live_desk, settings_for
from tests.support.guide import Guide
from tests.support.packages import install_package
from tests.support.scripted_model import ScriptedModel, code
from tests.support.ws_client import WsClient, of_type

MODULE = "backend/smoldesk/sandbox/plain_executor.py"
REGISTRY = "backend/smoldesk/sandbox/executors.py"


def test_an_executor_of_the_page_runs_a_cell_at_a_desk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    guide = Guide("add_an_executor")
    assert guide.files.keys() == {MODULE, REGISTRY}
    guide.new_module(MODULE, tmp_path, monkeypatch)
    entry = eval("{" + guide.files[REGISTRY] + "}", {**vars(executors), "importlib": importlib})
    monkeypatch.setattr(executors, "EXECUTORS", executors.EXECUTORS | entry)
    for user in ("smoldesk.sandbox.foreign_executor", "smoldesk.agents.wrapper.interpreter"):
        monkeypatch.setattr(importlib.import_module(user), "EXECUTORS", executors.EXECUTORS)
    model = ScriptedModel([code("n = 6 * 7\nprint(n)\nfinal_answer(f'It is {n}.')")])
    with (
        live_desk(tmp_path / "data", lambda: model, executor="plain") as live,
        WsClient(live.ws_url) as client,
    ):
        client.hello()
        client.say("go")
        received = client.until_closed()
        isolation = httpx.get(f"{live.url}/healthz").json()["isolation"]
    assert of_type(received, "run")[-1]["content"]["text"] == "It is 42."
    assert isolation == {
        "isolated": False,
        "label": "not isolated",
        "reasons": ["Code runs inside the server."],
    }


def test_an_executor_of_another_package_is_chosen_by_the_name_of_its_entry_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    module = (
        "from smoldesk.sandbox.executors import Executor\n"
        "from smoldesk.sandbox.isolation import Isolation\n"
        "far = Executor(dict, False, Isolation(True, 'far away', []), '')\nwrong = 1\n"
    )
    points = "[smoldesk.executors]\nfar-away = far_plugin:far\nwrong-one = far_plugin:wrong\n"
    install_package(tmp_path, "far", {"far_plugin": module}, points)
    monkeypatch.setattr(executors, "EXECUTORS", {**executors.EXECUTORS})
    desk = build_desk(settings_for(tmp_path / "data", executor="far-away"))
    try:
        assert desk.agents.isolation().label == "far away"
    finally:
        desk.close()
    with pytest.raises(BadInput, match=r"'wrong-one'.* is not an Executor"):
        build_desk(settings_for(tmp_path / "other", executor="wrong-one"))


def test_an_executor_that_there_is_not_is_refused_naming_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="Expected one of: sandbox, nodes, ast, docker, e2b"):
        build_desk(settings_for(tmp_path / "data", executor="abacus"))
    assert not (tmp_path / "data").exists()
