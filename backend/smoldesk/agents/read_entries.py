"""agents.toml: read whole, with every mistake told by its place. What it looks like is in spec/reference/agents.md."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from smoldesk.agents.a2a_client import Peer
from smoldesk.agents.entries import (
    BUILT_IN,
    KINDS,
    NAME,
    NAME_FORM,
    AgentEntry,
    AgentList,
)
from smoldesk.agents.peer_entries import read_peer
from smoldesk.agents.terminal_entries import profile_of
from smoldesk.errors import BadInput, DeskError
from smoldesk.models import check_model_id

FILE = "agents.toml"
LARGEST = 1_000_000
"""Bytes such a file may have."""
_SHARED = ("description", "kind")
_OWN = {"code": ("model", "tools"), "tools": ("model", "tools"), "terminal": ("profile", "env")}
_EXPECTED = {
    "description": "a text",
    "kind": f"one of {', '.join(KINDS)}",
    "model": "the id of a model, as SMOLDESK_MODEL takes it",
    "tools": "a list of names of tools, each once",
    "profile": "the name of a profile, or the path of a .yaml below the data directory",
    "env": "a table of texts by names of variables",
}


@dataclass(frozen=True)
class Mistake:
    """What is wrong at which place of the file; without `agent` (or peer) it is about the file as a whole."""

    words: str
    agent: str | None = None
    key: str | None = None
    kind: str = "agent"

    def __str__(self) -> str:
        place = [FILE]
        if self.agent is not None:
            place.append(f"{self.kind} {self.agent!r}")
        if self.key is not None:
            place.append(f"key {self.key!r}")
        return f"{', '.join(place)}: {self.words}"


def load_agents(folder: Path) -> AgentList:
    """The list of a desk whose data directory this is; raises BadInput telling every mistake of the file."""
    listed, mistakes = read_agents(folder)
    if mistakes:
        lines = "".join(f"\n  {mistake}" for mistake in mistakes)
        raise BadInput(f"The list of agents has mistakes:{lines}", "", code="bad_agents")
    return listed


def read_agents(folder: Path) -> tuple[AgentList, list[Mistake]]:
    """What can be read of the file, and its mistakes. No file is a list, too: the built-in one."""
    path = folder / FILE
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):  # whether there can be a data directory is told elsewhere
        return AgentList(folder=folder), []
    except OSError as fault:
        return AgentList(folder=folder), [Mistake(f"it cannot be read ({fault.strerror}).")]
    return parse_agents(data, folder)


def parse_agents(data: bytes, folder: Path) -> tuple[AgentList, list[Mistake]]:
    """The same of the file's bytes."""
    try:
        if len(data) > LARGEST:
            raise ValueError(f"it has {len(data)} bytes, more than {LARGEST}")
        document = tomllib.loads(data.decode())
    except UnicodeDecodeError:
        return AgentList(folder=folder), [Mistake("it is not text in UTF-8.")]
    except (ValueError, RecursionError) as fault:  # of TOML too: it names line and column
        return AgentList(folder=folder), [Mistake(f"it is not TOML: {fault}.")]
    return _Reading(folder).read(document)


class _Reading:
    """One reading of a document: collects mistakes and goes on."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._mistakes: list[Mistake] = []

    def read(self, document: Mapping[str, Any]) -> tuple[AgentList, list[Mistake]]:
        for key in document:
            if key not in ("default", "agents", "peers"):
                self._miss(
                    "there is no such key; expected default, [agents.NAME] and [peers.NAME].", None, key
                )
        entries = dict(BUILT_IN)
        agents = document.get("agents", {})
        if not isinstance(agents, dict):
            self._miss("expected tables [agents.NAME].", None, "agents")
            agents = {}
        for name, table in agents.items():  # pyright: ignore[reportUnknownVariableType]
            entry = self._entry(str(name), table)  # pyright: ignore[reportUnknownArgumentType]
            if entry is not None:
                entries[entry.name] = entry
        default = document.get("default", AgentList.default)
        if not isinstance(default, str) or (default not in entries and default not in agents):
            self._miss(f"expected the name of an agent: {', '.join(entries)}.", None, "default")
            default = AgentList.default
        return AgentList(entries, default, self._folder, self._peers(document)), self._mistakes

    def _peers(self, document: Mapping[str, Any]) -> dict[str, Peer]:
        """The agents elsewhere, as far as they can be read."""
        peers: Any = document.get("peers", {})
        if not isinstance(peers, dict):
            self._miss("expected tables [peers.NAME].", None, "peers")
            return {}
        tables: dict[str, Any] = peers  # pyright: ignore[reportUnknownVariableType]
        found: dict[str, Peer] = {}
        for name, table in tables.items():
            peer, problems = read_peer(name, table)
            self._mistakes += [Mistake(words, name, key, "peer") for key, words in problems]
            if peer is not None:
                found[name] = peer
        return found

    def _miss(self, words: str, agent: str | None, key: str | None) -> None:
        self._mistakes.append(Mistake(words, agent, key))

    def _entry(self, name: str, table: Any) -> AgentEntry | None:
        """An entry, as far as it can be read; None when not even its kind is known."""
        if not NAME.fullmatch(name):
            self._miss(f"a name is {NAME_FORM}.", name, None)
        if not isinstance(table, dict):
            self._miss(f"expected a table [agents.{name}].", name, None)
            return None
        values: dict[str, Any] = table  # pyright: ignore[reportUnknownVariableType]
        known = BUILT_IN.get(name)
        kind = values.get("kind", known.kind if known else None)
        if kind not in KINDS:
            words = "it is missing; e" if "kind" not in values else "e"
            self._miss(f"{words}xpected {_EXPECTED['kind']}.", name, "kind")
            return None
        if known is not None and kind != known.kind:
            self._miss(
                f"an agent of this name is there already, and stays of kind {known.kind}.", name, "kind"
            )
            return None
        entry = known or AgentEntry(name, kind)
        for key, value in values.items():
            entry = self._with(entry, key, value)
        if kind == "terminal":
            self._check_profile(entry)
        return entry

    def _with(self, entry: AgentEntry, key: str, value: Any) -> AgentEntry:
        """The entry with one value of its table; as it was when that cannot be."""
        allowed = (*_SHARED, *_OWN[entry.kind])
        if key not in allowed:
            words = f"an agent of kind {entry.kind} has no such key; expected {', '.join(allowed)}."
            self._miss(words, entry.name, key)
            return entry
        if not _FORMS[key](value):
            self._miss(f"expected {_EXPECTED[key]}.", entry.name, key)
            return entry
        if key == "model":
            try:
                check_model_id(value)
            except DeskError as fault:
                self._miss(str(fault), entry.name, key)
        return replace(entry, **{key: tuple(value) if key == "tools" else value})

    def _check_profile(self, entry: AgentEntry) -> None:
        if entry.profile is None:
            self._miss(f"it is missing; expected {_EXPECTED['profile']}.", entry.name, "profile")
            return
        try:
            profile_of(entry, self._folder)
        except DeskError as fault:
            self._miss(str(fault), entry.name, "profile")


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and "\0" not in value


def _is_name(value: Any) -> bool:
    return _is_text(value) and bool(value.strip())


def _are_names(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_name, value)) and len(value) == len(set(value))  # pyright: ignore


def _is_env(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    variables: dict[str, Any] = value  # pyright: ignore[reportUnknownVariableType]
    return all(
        name and "=" not in name and "\0" not in name and _is_text(text) for name, text in variables.items()
    )


_FORMS: Mapping[str, Callable[[Any], bool]] = {
    "description": _is_text,
    "kind": _is_name,
    "model": _is_name,
    "tools": _are_names,
    "profile": _is_name,
    "env": _is_env,
}
