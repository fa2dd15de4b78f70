"""What every tool has: a policy, a checked signature, a description that tells a model enough."""

import inspect
from pathlib import Path

import pytest
import smolagents

from smoldesk.buildings.building import Building
from smoldesk.tools.catalogue import build_tools
from smoldesk.tools.datasets import Datasets
from smoldesk.tools.policy import DeskTool

SIGNATURES = {
    "list_datasets": {},
    "load_dataset": {"name": "needed"},
    "sql_engine": {"query": "needed", "database": None},
    "save_data": {"dataset": "needed", "file_name": "needed"},
    "show_map": {
        "floor_id": "needed",
        "highlight_rooms": "",
        "room_colors": "",
        "show_names": True,
        "bitmap_overlays": "",
        "text_overlays": "",
    },
    "draw_arrow": {"room_name": "needed", "direction": "needed"},
    "clear_arrows": {},
    "clear_map": {},
    "find_route": {
        "start": "needed",
        "goal": "needed",
        "accessible": False,
        "avoid": "",
        "via": "",
        "language": "en",
    },
    "nearest": {"kind": "needed", "start": "needed", "avoid": "", "language": "en"},
    "close_passage": {"place": "needed", "scenario": "", "language": "en"},
    "reopen_passage": {"place": "", "scenario": "", "language": "en"},
    "reachable_from": {"start": "", "minutes": None, "profile": "walk", "avoid": "", "language": "en"},
    "compare_scenarios": {"start": "", "goal": "", "profile": "walk", "language": "en"},
    "evacuation": {
        "profile": "walk",
        "people": None,
        "avoid": "",
        "show": "time",
        "floor": "",
        "language": "en",
    },
    "where_is": {"name": "needed", "language": "en"},
    "list_rooms": {"floor": "", "kind": "", "show": "names", "color": "", "language": "en"},
    "color_rooms": {"values": "needed", "palette": "viridis", "title": "", "unit": ""},
    "play_rooms": {"frames": "needed", "palette": "viridis", "title": "", "unit": ""},
    "show_layer": {"name": "needed"},
    "ask_person": {"question": "needed", "options": "needed"},
    "process_payment": {
        "recipient": "needed",
        "amount": "needed",
        "currency": "needed",
        "description": "",
    },
    "get_location": {},
    "change_bgm": {"track": "needed"},
    "get_weather": {"location": "needed"},
}
"""Every tool, in the order a model reads them: its arguments with their defaults."""


@pytest.fixture
def tools(building: Building, datasets: Datasets, folder: Path) -> list[DeskTool]:
    return build_tools(building, datasets, folder)


def test_the_catalogue_has_every_tool(tools: list[DeskTool]) -> None:
    assert [tool.name for tool in tools] == list(SIGNATURES)


def test_building_the_tools_touches_no_file(tools: list[DeskTool], folder: Path) -> None:
    assert list(folder.iterdir()) == []


def test_tools_run_on_the_host_and_need_no_approval_unless_they_say_so(tools: list[DeskTool]) -> None:
    other_items = {tool.name: (tool.runs_on, tool.approval) for tool in tools}
    special = {name: other_items.pop(name) for name in ("process_payment", "get_location", "change_bgm")}
    assert special == {
        "process_payment": ("host", "always"),
        "get_location": ("client", "always"),
        "change_bgm": ("client", "never"),
    }
    assert set(other_items.values()) == {("host", "never")}


def test_the_signatures_are_those_of_the_protocol(tools: list[DeskTool]) -> None:
    signatures = {
        tool.name: {
            name: "needed" if parameter.default is inspect.Parameter.empty else parameter.default
            for name, parameter in inspect.signature(tool.forward).parameters.items()
        }
        for tool in tools
    }
    assert signatures == SIGNATURES


def test_arguments_that_may_be_left_out_are_marked(tools: list[DeskTool]) -> None:
    for tool in tools:
        for name, parameter in inspect.signature(tool.forward).parameters.items():
            optional = parameter.default is not inspect.Parameter.empty
            assert tool.inputs[name].get("nullable", False) is optional, (tool.name, name)


def test_every_description_has_an_example_that_calls_the_tool(tools: list[DeskTool]) -> None:
    for tool in tools:
        _, _, example = tool.description.partition("Example: ")
        assert f"{tool.name}(" in example, tool.name
        compile(example, tool.name, "exec")
        assert len(tool.description) < 1200, tool.name


def test_descriptions_name_the_bitmaps_and_datasets_but_no_room_of_the_building(
    tools: list[DeskTool], building: Building
) -> None:
    report = {tool.name: tool.description for tool in tools}
    assert "warning, stairs, lift, fire" in report["show_map"]
    assert "measurement, titanic" in report["load_dataset"]
    of_upload = {room for room in building.rooms() if any(f"{room}, " in text for text in report.values())}
    assert of_upload == set()


def test_an_agent_takes_the_tools(tools: list[DeskTool]) -> None:
    agent = smolagents.CodeAgent(tools=list(tools), model=smolagents.Model(), verbosity_level=-1)  # pyright: ignore[reportCallIssue]
    assert set(SIGNATURES) < set(agent.tools)
    assert all(name in agent.system_prompt for name in SIGNATURES)


def test_a_class_is_checked_once_and_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    checks: list[str] = []
    check = smolagents.Tool.validate_arguments  # pyright: ignore[reportAttributeAccessIssue]

    def counted(self: smolagents.Tool) -> None:  # pyright: ignore[reportGeneralTypeIssues]
        checks.append(self.name)  # pyright: ignore[reportAttributeAccessIssue]
        check(self)

    monkeypatch.setattr(smolagents.Tool, "validate_arguments", counted)

    class Once(DeskTool):
        name = "once"
        description = "Does nothing."
        inputs = {}  # noqa: RUF012
        output_type = "string"

        def forward(self) -> str:
            return ""

    class Child(Once):
        name = "child"

    for _ in range(3):
        Once()
        Child()
    assert checks == ["once", "child"]


def test_a_tool_whose_signature_does_not_fit_its_inputs_is_refused() -> None:
    class Crooked(DeskTool):
        name = "crooked"
        description = "Takes a, says b."
        inputs = {"b": {"type": "string", "description": "b"}}  # noqa: RUF012
        output_type = "string"

        def forward(self, a: str) -> str:
            return a

    for _ in range(2):
        with pytest.raises(Exception, match="crooked"):
            Crooked()
