"""Adds an agent to agents.toml and keeps the rest of the file, with its comments, as people wrote it."""

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomlkit

from smoldesk.agents.read_entries import FILE, load_agents, parse_agents
from smoldesk.errors import BadInput, Conflict


def add_agent(folder: Path, name: str, values: Mapping[str, Any], default: bool = False) -> Path:
    """Add [agents.NAME] with these values to the file of a data directory, creating both if needed; return the file.

    Raises Conflict for a name in use, BadInput with every mistake of the new entry or of the existing file.
    The file is replaced atomically: a server that starts meanwhile reads the old one or the new one.
    """
    agent_list = load_agents(folder)
    if name in agent_list.entries:
        raise Conflict(
            f"There is an agent {name!r} already.",
            f"Agents: {', '.join(agent_list.entries)}.",
            code="agent_exists",
        )
    path = folder / FILE
    document = tomlkit.parse(path.read_bytes()) if path.exists() else tomlkit.document()
    if "agents" not in document:
        document.add("agents", tomlkit.table(is_super_table=True))
    table = tomlkit.table()
    for key, value in values.items():
        table.add(key, value)
    document["agents"].append(name, table)  # pyright: ignore
    if default:
        if "default" in document:
            document["default"] = name
        else:
            document = _with_default(name, document)
    text = tomlkit.dumps(document)
    _, mistakes = parse_agents(text.encode(), folder)
    if mistakes:
        raise BadInput(" ".join(map(str, mistakes)), "", code="bad_agents")
    _replace(path, text)
    return path


def _with_default(name: str, document: tomlkit.TOMLDocument) -> tomlkit.TOMLDocument:
    # TOML: a key after a table's header belongs to that table, so `default` goes to the top of the file.
    return tomlkit.parse(f"default = {tomlkit.item(name).as_string()}\n{tomlkit.dumps(document)}")


def _replace(path: Path, text: str) -> None:
    # mkstemp makes the file with mode 0600: `env` of an entry may hold secrets. An existing file keeps its mode.
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{FILE}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            Path(temporary).chmod(path.stat().st_mode & 0o777)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
