"""Which wires a desk serves: those of its settings, its own, other packages' and that of the page "Add a wire"; mistakes are
told before it opens.
"""

import importlib
import json
import re
from pathlib import Path

import httpx
import pytest

from smoldesk.app import WIRES, create_app, wires_of
from smoldesk.desk import build_desk
from smoldesk.errors import BadInput
from tests.support.desk_server import live_desk, settings_for
from tests.support.guide import Guide
from tests.support.packages import install_package
from tests.support.scripted_model import ScriptedModel, code

ALL = [
    "mcp",
    "four_pane",
    "rest",
    "ai_sdk",
    "agui",
    "tasks",
    "a2a",
    "openai",
    "health",
    "shared_view",
    "page",
]
WIRE = """
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from smoldesk.wires.base import Wire

class {0}(Wire):
    name = "{1}"

    def routes(self):
        async def told(request):
            return PlainTextResponse(" ".join(seen))
        return [Route("/{1}", told)]

    async def open(self):
        seen.append("opened")

    async def close(self):
        seen.append("closed")

seen = []
"""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    return folder


def add_wire(path: Path, name: str, text: str, attribute: str = "Echo") -> None:
    module = f"{name}_wire"
    install_package(
        path, f"{name}_package", {module: text}, f"[smoldesk.wires]\n{name} = {module}:{attribute}\n"
    )


def refusal(folder: Path, **settings: object) -> BadInput:
    """What is said instead of starting; nothing was taken, opened or written."""
    with pytest.raises(BadInput) as caught:
        create_app(settings_for(folder, **settings))
    assert not folder.exists()
    return caught.value


def test_every_wire_is_on_unless_some_are_named(tmp_path: Path) -> None:
    assert [wire.name for wire in wires_of(settings_for(tmp_path))] == ALL
    some = settings_for(tmp_path, wires=["page", "tasks"])
    assert [wire.name for wire in wires_of(some)] == ["tasks", "page"]


def test_the_example_of_settings_names_every_wire() -> None:
    example = (Path(__file__).parent.parent.parent / ".env.example").read_text()
    assert f"Protocols to serve: {', '.join(wire.name for wire in WIRES)}, and" in example


def test_only_wires_that_are_on_answer(tmp_path: Path) -> None:
    with live_desk(tmp_path, wires=["health", "tasks"]) as live:
        results = {
            path: httpx.get(live.url + path, trust_env=False).status_code
            for path in ("/healthz", "/tasks", "/api/chats", "/.well-known/agent-card.json", "/")
        }
    assert results == {
        "/healthz": 200,
        "/tasks": 200,
        "/api/chats": 404,
        "/.well-known/agent-card.json": 404,
        "/": 404,
    }


def test_an_unknown_wire_is_refused_naming_those_there_are(tmp_path: Path, path: Path) -> None:
    add_wire(path, "echo", WIRE.format("Echo", "echo"))
    fault = refusal(tmp_path / "data", wires=["rest", "telex"])
    assert fault.code == "bad_settings"
    assert "telex" in fault.message and "rest" not in fault.message
    assert fault.hint == f"Expected some of: {', '.join([*ALL, 'echo'])}."


def test_a_wire_of_another_package_is_served_opened_and_closed(tmp_path: Path, path: Path) -> None:
    add_wire(path, "echo", WIRE.format("Echo", "echo"))
    with live_desk(tmp_path / "data") as live:
        assert httpx.get(f"{live.url}/echo", trust_env=False).text == "opened"
    import echo_wire  # pyright: ignore[reportMissingImports]

    assert echo_wire.seen == ["opened", "closed"]  # pyright: ignore[reportUnknownMemberType]


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("broken", "raise RuntimeError('no battery')", "RuntimeError: no battery"),
        ("number", "Echo = 3", "is not a class"),
        ("empty", "class Echo: ...", "has no routes and no open and no close"),
        ("other", WIRE.format("Echo", "another"), "has the name attribute 'another'"),
        ("rest", WIRE.format("Echo", "rest"), "has the name of the built-in wire 'rest'"),
    ],
)
def test_a_wire_that_is_none_stops_the_start(
    tmp_path: Path, path: Path, name: str, text: str, problem: str
) -> None:
    add_wire(path, name, text)
    fault = refusal(tmp_path / "data")
    assert fault.code == "bad_plugin"
    assert f"{name!r}" in fault.message and f"{name}_wire:Echo of {name}_package 1.0" in fault.message
    assert problem in fault.message
    assert re.search("[Rr]epair that package, or uninstall it", fault.hint)


def test_a_broken_wire_that_is_not_chosen_does_no_harm(tmp_path: Path, path: Path) -> None:
    add_wire(path, "broken", "raise RuntimeError('no battery')")
    settings = settings_for(tmp_path, wires=["rest", "health"])
    assert [wire.name for wire in wires_of(settings)] == ["rest", "health"]


FOLDER = "backend/smoldesk/wires/lines/"


def test_a_wire_of_the_page_answers_over_http(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    guide = Guide("add_a_wire")
    expected = ("__init__", "models", "requests", "encoder", "routes")
    assert guide.files.keys() == {*(f"{FOLDER}{name}.py" for name in expected), "backend/smoldesk/app.py"}
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
