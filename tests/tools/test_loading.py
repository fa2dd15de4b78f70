"""Tools of other files and packages: used at a real desk; whatever cannot be had is told before it opens."""

import json
from pathlib import Path

import pytest

from smoldesk.desk import build_desk
from smoldesk.errors import BadInput
from tests.support.commands import Outcome, run_command
from tests.support.desk_server import live_desk, settings_for
from tests.support.packages import install_package
from tests.support.scripted_model import ScriptedModel, code
from tests.support.warm import ROOT, clean_environment
from tests.support.ws_client import WsClient, of_type

pytestmark = pytest.mark.long

WEATHER = '''\
from smolagents import Tool, tool

@tool
def add_up(a: int, b: int) -> int:
    """Adds two numbers.

    Args:
        a: The first.
        b: The second.
    """
    return a + b

class Shout(Tool):
    name = "shout"
    description = "Says it loudly."
    inputs = {"text": {"type": "string", "description": "What to say."}}
    output_type = "string"
    approval = "always"

    def forward(self, text: str) -> str:
        return text.upper()
'''


@pytest.fixture
def tools_file(tmp_path: Path) -> Path:
    file = tmp_path / "my_tools.py"
    file.write_text(WEATHER)
    return file


def refusal(tmp_path: Path, *files: Path) -> BadInput:
    """What is said instead of starting; nothing was taken or written."""
    data = tmp_path / "data"
    with pytest.raises(BadInput) as caught:
        build_desk(settings_for(data, tool_files=list(files)))
    assert not data.exists()
    return caught.value


def test_a_file_of_smolagents_tools_is_used_by_an_agent_with_its_policies(
    tmp_path: Path, tools_file: Path
) -> None:
    model = ScriptedModel([code("print(add_up(a=20, b=22))\nfinal_answer(shout(text='done'))")])
    with (
        live_desk(tmp_path / "data", lambda: model, tool_files=[tools_file]) as live,
        WsClient(live.ws_url) as client,
    ):
        client.hello()
        client.say("go")
        content = client.until("ask")["content"]
        assert (content["tool"], content["arguments"]) == ("shout", {"text": "done"})
        client.send(type="answer", askId=content["askId"], granted=True)
        received = client.until_closed()
    assert "42" in "".join(message["content"] for message in of_type(client.seen, "printed"))
    assert of_type(received, "run")[-1]["content"]["text"] == "DONE"


def test_a_tool_of_an_installed_package_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(
        install_package(
            tmp_path / "site",
            "weather",
            {"weather_tools": WEATHER},
            "[smoldesk.tools]\nadd_up = weather_tools:add_up\nshout = weather_tools:Shout\n",
        )
    )
    desk = build_desk(settings_for(tmp_path / "data"))
    try:
        assert {"add_up", "shout"} <= set(desk.agents.tool_names())
        assert desk.agents.info("code").approvals["shout"] == "always"
    finally:
        desk.close()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "import os\nraise RuntimeError('no battery')\n",
            "my_tools.py:2 cannot be loaded: RuntimeError: no battery",
        ),
        ("def f(:\n", "my_tools.py:1 cannot be loaded: SyntaxError"),
        ("import nothing_there\n", "my_tools.py:1 cannot be loaded: ModuleNotFoundError"),
        ("x = 1\n", "There is no tool in"),
        (
            WEATHER.replace("def forward(self", "def __init__(self, key): ...\n    def forward(self"),
            "'Shout' of",
        ),
        (
            WEATHER.replace('"always"', '"perhaps"'),
            "approval is 'perhaps', expected one of never, once, always",
        ),
        (WEATHER.replace('"shout"', '"add_up"'), "Two tools are called 'add_up'"),
        (WEATHER.replace('"shout"', '"show_map"'), "Two tools are called 'show_map'"),
    ],
)
def test_a_file_that_gives_no_tools_stops_the_start(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "my_tools.py"
    file.write_text(text)
    fault = refusal(tmp_path, file)
    assert fault.code == "bad_tools"
    assert message in fault.message
    assert str(file) in fault.message
    assert fault.hint


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    assert "There is no Python file" in refusal(tmp_path, tmp_path / "none.py").message


def test_an_entry_point_that_raises_stops_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "raise RuntimeError('no battery')"
    monkeypatch.syspath_prepend(
        install_package(tmp_path / "site", "weather", {"flat": text}, "[smoldesk.tools]\nrain = flat:Rain\n")
    )
    fault = refusal(tmp_path)
    assert fault.code == "bad_plugin"
    assert "'rain'" in fault.message and "flat:Rain of weather 1.0" in fault.message
    assert "RuntimeError: no battery" in fault.message


def smoldesk(tmp_path: Path, *line: str) -> Outcome:
    return run_command(*line, "--data-dir", str(tmp_path / "data"), cwd=ROOT, env=clean_environment())


def test_the_commands_say_it_too_and_doctor_lists_it_beside_all_else(tmp_path: Path) -> None:
    file = tmp_path / "my_tools.py"
    file.write_text("raise RuntimeError('no battery')\n")

    served = smoldesk(tmp_path, "serve", "--port", "0", "--tools", str(file))
    assert (served.code, served.out) == (2, "")
    assert f"{file}:1" in served.err and "no battery" in served.err

    report = smoldesk(tmp_path, "doctor", "--json", "--tools", str(file))
    findings = {finding["name"]: finding for finding in json.loads(report.out)}
    assert report.code == 1
    assert f"{file}:1" in findings["tools from files and packages"]["said"]
    assert findings["code in a child process"]["ok"]
