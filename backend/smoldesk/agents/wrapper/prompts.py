"""Prompt templates, parsed once, and system prompts, rendered once for everything they depend on.

smolagents parses its YAML at every build and compiles the template at every run; a desk builds an agent for each run.
"""

import importlib.resources
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

import yaml

AgentKind = Literal["code", "tools"]
_FILES = {"code": "code_agent.yaml", "tools": "toolcalling_agent.yaml"}


@cache
def templates(kind: AgentKind) -> Any:
    """smolagents' own prompt templates for a kind of agent (a dict; shared, never changed)."""
    text = importlib.resources.files("smolagents.prompts").joinpath(_FILES[kind]).read_text()
    return yaml.safe_load(text)


class PromptCache:
    """Rendered system prompts by what went into them; a desk has few, so nothing is evicted before `LIMIT`."""

    LIMIT = 256

    def __init__(self) -> None:
        self._prompts: dict[object, str] = {}

    def get(self, key: object) -> str | None:
        """The prompt that was kept under a key; None when there is none."""
        return self._prompts.get(key)

    def put(self, key: object, prompt: str) -> str:
        """Keep a prompt under a key."""
        if len(self._prompts) >= self.LIMIT:
            self._prompts.clear()
        self._prompts[key] = prompt
        return prompt


PROMPTS = PromptCache()


def prompt_key(kind: AgentKind, tools: Mapping[str, Any], *rest: object) -> object:
    """Everything a system prompt depends on: kind, tools with their texts and schemas, imports, instructions, tags."""
    return (kind, tuple((name, _tool_key(tool)) for name, tool in tools.items()), *rest)


def _tool_key(tool: Any) -> object:
    return (tool.description, repr(tool.inputs), tool.output_type)
