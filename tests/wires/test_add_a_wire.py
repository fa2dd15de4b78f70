"""The page "Add a wire" is followed to the letter, to an answer over HTTP from a real desk."""

import importlib
import json
from pathlib import Path

import httpx
import pytest

from smoldesk.app import WIRES, create_app
from smoldesk.desk import build_desk
from tests.support.desk_server import live_desk, settings_for
from tests.support.guide import Guide
from tests.support.scripted_model import ScriptedModel, code

FOLDER = "backend/smoldesk/wires/lines/"


def test_a_wire_of_the_page_answers_over_http(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    guide = Guide("add_a_wire")
    wanted = ("__init__", "models", "requests", "encoder", "routes")
    assert guide.files.keys() == {*(f"{FOLDER}{name}.py" for name in wanted), "backend/smoldesk/app.py"}
    package = guide.new_package(FOLDER, tmp_path, monkeypatch)
    routes = importlib.import_module(f"{package}.routes")
    [added] = eval(f"[{guide.files['backend/smoldesk/app.py']}]", vars(routes))
    settings = settings_for(tmp_path / "data")
    desk = build_desk(settings, lambda: ScriptedModel([code("final_answer('It is 42.')", "I count.")]))
    app = create_app(settings, desk, [*WIRES, added])
    with live_desk(tmp_path / "data", desk=desk, app=app) as live:
        with httpx.stream("POST", f"{live.url}/lines", content="How many?", timeout=60) as answer:
            lines = [json.loads(line) for line in answer.iter_lines()]
        refused = httpx.post(f"{live.url}/lines", content=" ")
        page = httpx.get(live.url)
    assert lines[-1] == {"state": "finished", "text": "It is 42."}
    assert "I count." in "".join(line["text"] for line in lines[:-1])
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "empty")
    assert page.status_code == 200
