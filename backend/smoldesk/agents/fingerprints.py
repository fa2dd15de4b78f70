"""Fingerprints of an agent and its tools: hashes that change when an answer may change with them."""

import contextlib
import hashlib
import inspect
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from smoldesk.agents.entries import AgentEntry

if TYPE_CHECKING:
    from smoldesk.tools.policy import DeskTool

_LENGTH = 16


def agent_hash(entry: AgentEntry) -> str:
    """Return the hash of an entry, without its name, its description, its model and its secrets."""
    fields = asdict(replace(entry, source=None))
    ignored = {"name", "description", "env", "model", "source"}
    return _hash({name: str(value) for name, value in fields.items() if name not in ignored})


def tools_hash(tools: "Sequence[DeskTool]") -> str:
    """Return the hash of what a model reads of tools, and of the code of those that are not the desk's."""
    return _hash(
        sorted([tool.name, tool.description, tool.inputs, tool.output_type, _code_of(tool)] for tool in tools)
    )


def _code_of(tool: "DeskTool") -> str:
    """Return the source of a tool of a plug-in; empty for one of the desk or of a server."""
    inner: Any = getattr(tool, "inner", tool)
    sources: list[str] = []
    parts: tuple[Any, Any] = (inner.forward, inner.__class__)
    for part in parts:
        if not str(part.__module__).startswith(("smoldesk.", "smolagents.")):
            with contextlib.suppress(OSError, TypeError):
                sources.append(inspect.getsource(part))
    return "".join(sources)


def _hash(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:_LENGTH]
