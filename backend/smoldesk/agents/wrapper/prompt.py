"""System prompt of the desk's agents, put together from named parts: introduction, tools, examples, rules.

A prompt depends on the agent's kind and its tools alone, never on a chat or the time: providers cache it between calls.
What a chat has (tables, rooms) is added to its messages, see agents/chat_outline.py.
"""

import importlib.resources
import inspect
import json
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Literal, NamedTuple, cast

import yaml

# `structured`: a code agent whose model answers by a schema.
AgentKind = Literal["code", "structured", "tools"]
_FILES = {
    "code": "code_agent.yaml",
    "structured": "structured_code_agent.yaml",
    "tools": "toolcalling_agent.yaml",
}
_TYPES = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "array": "list",
}
_INDENT = "\n  "


class PromptPart(NamedTuple):
    """Named part of a system prompt."""

    name: str
    text: str


@cache
def templates(kind: AgentKind) -> Any:
    """Return the prompt templates of a kind of agent (a shared dict: do not change it).

    Those for plans, managed agents and a last answer are smolagents' own, which requires all of its keys.
    """
    text = importlib.resources.files("smolagents.prompts").joinpath(_FILES[kind]).read_text()
    return yaml.safe_load(text) | {"system_prompt": _texts()["introduction"][kind].strip()}


def prompt_parts(kind: AgentKind, tools: Mapping[str, Any]) -> list[PromptPart]:
    """Return the parts of the system prompt for an agent with these tools, final_answer among them."""
    texts = _texts()
    parts = [PromptPart("introduction", texts["introduction"][kind].strip())]
    if kind == "tools":  # a request has the descriptions of its tools beside the messages
        parts.append(PromptPart("tools", f"Your tools: {', '.join(tools)}."))
    else:
        parts.append(PromptPart("tools", _tool_list(tools.values())))
        examples = [
            _example(kind, entry)
            for entry in texts["examples"]
            if kind in entry["kinds"] and {*entry["tools"]} <= {*tools}
        ]
        parts.append(PromptPart("examples", "\n\n".join(["# Examples", *examples])))
    rules = texts["rules"]["tools" if kind == "tools" else "code"].strip()
    return [*parts, PromptPart("rules", f"# Rules\n{rules}")]


def join_parts(parts: Iterable[PromptPart]) -> str:
    """Return the text of a prompt."""
    return "\n\n".join(part.text for part in parts)


@cache
def _texts() -> dict[str, Any]:
    text = importlib.resources.files("smoldesk.agents.prompts").joinpath("prompts.toml").read_text("utf-8")
    return tomllib.loads(text)


def _tool_list(tools: Iterable[Any]) -> str:
    lines = [describe_tool(tool) for tool in tools if tool.name != "final_answer"]
    answer = "final_answer(answer): Ends the task; the person reads `answer`."
    return "\n".join(["# Tools: Python functions that are defined already", *lines, answer])


def describe_tool(tool: Any) -> str:
    """Return a tool as the line of its signature, its description and a line for each argument that has one.

    The commonest result, a text, and an example of a call without arguments are left out: prompts must fit small windows.
    """
    inputs: dict[str, dict[str, Any]] = tool.inputs
    defaults = _defaults(tool)
    arguments = ", ".join(_argument(name, field, defaults) for name, field in inputs.items())
    has_type = tool.output_type in _TYPES and tool.output_type != "string"
    output = f" -> {_TYPES[tool.output_type]}" if has_type else ""
    described = [
        f"{name}: {_argument_text(field)}" for name, field in inputs.items() if _argument_text(field)
    ]
    text, _, example = tool.description.partition("Example: ")
    description = text if not inputs or example.strip() == f"{tool.name}()" else tool.description
    lines = [line.rstrip() for line in description.strip().splitlines() if line.strip()]
    return f"{tool.name}({arguments}){output}: {_INDENT.join([*lines, *described])}"


def _defaults(tool: Any) -> dict[str, Any]:
    """Return the defaults of a tool's own function; tools of others have none, or a function of any arguments."""
    return {
        name: parameter.default
        for name, parameter in inspect.signature(tool.forward).parameters.items()
        if parameter.default is not inspect.Parameter.empty
    }


def _argument(name: str, field: Mapping[str, Any], defaults: Mapping[str, Any]) -> str:
    if name in defaults:
        return f"{name}={json.dumps(defaults[name]) if isinstance(defaults[name], str) else defaults[name]}"
    if field.get("nullable"):
        return f"{name}=None"
    kind = _TYPES.get(str(field.get("type")))
    return f"{name}: {kind}" if kind else name


def _argument_text(field: Mapping[str, Any]) -> str:
    text = " ".join(str(field.get("description") or "").split())
    values = cast("list[Any] | None", field.get("enum"))
    return f"{text} One of: {', '.join(map(str, values))}.".strip() if isinstance(values, list) else text


def _example(kind: AgentKind, entry: Mapping[str, Any]) -> str:
    lines = [f"Request: {entry['request']}"]
    for step in entry["steps"]:
        thought, code = step["thought"], step["code"].strip()
        if kind == "structured":
            lines.append(json.dumps({"thought": thought, "code": code}, ensure_ascii=False))
        else:
            lines.append(f"{thought}\n<code>\n{code}\n</code>")
        if "observation" in step:
            lines.append(f"Observation: {step['observation']}")
    return "\n".join(lines)
