"""agents.toml: read whole, with every mistake told by its place. What it looks like is in spec/reference/agents.md."""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from smoldesk.agents.a2a_client import Peer
from smoldesk.agents.a2a_client.entries import origin_of
from smoldesk.agents.entries import BUILT_IN, KINDS, NAME, NAME_FORM, AgentEntry, AgentList
from smoldesk.agents.managed import MOST_STEPS, faults_of_managed
from smoldesk.agents.read_models import read_model
from smoldesk.agents.terminals import profile_of
from smoldesk.errors import BadInput, DeskError
from smoldesk.models import check_model_id
from smoldesk.models.choices import NamedModel
from smoldesk.tools.mcp_servers.entries import ServerEntry, read_entry

FILE = "agents.toml"
# Bytes such a file may have.
LARGEST = 1_000_000
# Characters of a peer's description: every model that may ask it reads that with every request.
LONGEST_DESCRIPTION = 1_000
_SHARED = ("description", "kind")
_OF_SMOLAGENTS = ("model", "tools", "managed", "max_steps")
_OWN = {"code": (*_OF_SMOLAGENTS, "structured"), "tools": _OF_SMOLAGENTS, "terminal": ("profile", "env")}
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True)
class Mistake:
    """What is wrong at which place of the file; without `agent` (or peer) it is about the file as a whole."""

    message: str
    agent: str | None = None
    key: str | None = None
    kind: str = "agent"

    def __str__(self) -> str:
        place = [FILE]
        if self.agent is not None:
            place.append(f"{self.kind} {self.agent!r}")
        if self.key is not None:
            place.append(f"key {self.key!r}")
        return f"{', '.join(place)}: {self.message}"


def load_agents(folder: Path) -> AgentList:
    """The list of a desk whose data directory this is; raises BadInput telling every mistake of the file."""
    agent_list, mistakes = read_agents(folder)
    if mistakes:
        lines = "".join(f"\n  {mistake}" for mistake in mistakes)
        raise BadInput(f"The list of agents has mistakes:{lines}", "", code="bad_agents")
    return agent_list


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
    return _EntryReader(folder).read(document)


class _EntryReader:
    """One reading of a document: collects mistakes and goes on."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._mistakes: list[Mistake] = []
        self._models: frozenset[str] = frozenset()

    def read(self, document: Mapping[str, Any]) -> tuple[AgentList, list[Mistake]]:
        models = self._tables(document, "models")
        self._models = frozenset(models)
        for key in document:
            if key not in ("default", "agents", "peers", "models", "mcp"):
                message = "there is no such key; expected default, [agents.NAME], [peers.NAME], [models.NAME] and [mcp.NAME]."
                self._mistakes.append(Mistake(message, key=key))
        entries = dict(BUILT_IN)
        agents = self._tables(document, "agents")
        for name, table in agents.items():
            entry = self._entry(name, table)
            if entry is not None:
                entries[entry.name] = entry
        default = document.get("default", AgentList.default)
        if not isinstance(default, str) or (default not in entries and default not in agents):
            message = f"expected the name of an agent: {', '.join(entries)}."
            self._mistakes.append(Mistake(message, key="default"))
            default = AgentList.default
        read = [self._peer(name, table) for name, table in self._tables(document, "peers").items()]
        peers = {peer.name: peer for peer in read if peer is not None}
        for name, message in faults_of_managed(entries, [*agents], peers):
            self._miss(message, name, "managed")
        named = [self._model(name, table) for name, table in models.items()]
        models_by_name = {model.name: model for model in named if model is not None}
        servers = [self._server(name, table) for name, table in self._tables(document, "mcp").items()]
        mcp = [server for server in servers if server is not None]
        return AgentList(entries, default, self._folder, peers, models_by_name, mcp), self._mistakes

    def _model(self, name: str, table: Any) -> NamedModel | None:
        """A model that chats may choose; None when something of it is wrong."""
        model, mistakes = read_model(name, table)
        self._mistakes += [Mistake(text, name, key, "model") for key, text in mistakes]
        return model

    def _server(self, name: str, table: Any) -> ServerEntry | None:
        """An MCP server; None when something of it is wrong."""
        if not isinstance(table, dict):
            self._mistakes.append(Mistake(f"expected a table [mcp.{name}].", name, kind="MCP server"))
            return None
        entry, mistakes = read_entry(name, table, of_file=True)  # pyright: ignore[reportUnknownArgumentType]
        self._mistakes += [Mistake(message, name, key or None, "MCP server") for key, message in mistakes]
        return entry

    def _tables(self, document: Mapping[str, Any], section: str) -> dict[str, Any]:
        """The tables of a section by their names."""
        tables: Any = document.get(section, {})
        if not isinstance(tables, dict):
            self._mistakes.append(Mistake(f"expected tables [{section}.NAME].", key=section))
            return {}
        return tables  # pyright: ignore[reportUnknownVariableType]

    def _table(self, kind: str, name: str, table: Any) -> dict[str, Any] | None:
        """The values of an agent or a peer; None when it is no table."""
        if not NAME.fullmatch(name):
            self._mistakes.append(Mistake(f"a name is {NAME_FORM}.", name, kind=kind))
        if isinstance(table, dict):
            return table  # pyright: ignore[reportUnknownVariableType]
        self._mistakes.append(Mistake(f"expected a table [{kind}s.{name}].", name, kind=kind))
        return None

    def _peer(self, name: str, table: Any) -> Peer | None:
        """An agent elsewhere; None when something of it is wrong."""

        def miss(key: str, message: str) -> None:
            self._mistakes.append(Mistake(message, name, key, "peer"))

        before = len(self._mistakes)
        values = self._table("peer", name, table)
        if values is None:
            return None
        for key, value in values.items():
            if key not in _PEER_FORMS:
                miss(key, f"there is no such key; expected {', '.join(_PEER_FORMS)}.")
            elif not _PEER_FORMS[key][0](value):
                miss(key, f"expected {_PEER_FORMS[key][1]}.")
        if "card" not in values:
            miss("card", f"it is missing; expected {_PEER_FORMS['card'][1]}.")
        if len(self._mistakes) > before:
            return None
        fields: dict[str, Any] = values | {"origins": tuple(values.get("origins", ()))}
        return Peer(name, **fields)

    def _miss(self, message: str, agent: str, key: str) -> None:
        self._mistakes.append(Mistake(message, agent, key))

    def _entry(self, name: str, table: Any) -> AgentEntry | None:
        """An entry, as far as it can be read; None when not even its kind is known."""
        values = self._table("agent", name, table)
        if values is None:
            return None
        builtin = BUILT_IN.get(name)
        kind = values.get("kind", builtin.kind if builtin else None)
        if kind not in KINDS:
            prefix = "it is missing; e" if "kind" not in values else "e"
            self._miss(f"{prefix}xpected {_FORMS['kind'][1]}.", name, "kind")
            return None
        if builtin is not None and kind != builtin.kind:
            self._miss(f"the built-in agent {name!r} is of kind {builtin.kind}; got {kind!r}.", name, "kind")
            return None
        entry = builtin or AgentEntry(name, kind)
        for key, value in values.items():
            entry = self._with(entry, key, value)
        if kind == "terminal":
            self._check_profile(entry)
        return entry

    def _with(self, entry: AgentEntry, key: str, value: Any) -> AgentEntry:
        """The entry with one value of its table; as it was when that cannot be."""
        allowed = (*_SHARED, *_OWN[entry.kind])
        if key not in allowed:
            message = f"an agent of kind {entry.kind} has no such key; expected {', '.join(allowed)}."
            self._miss(message, entry.name, key)
            return entry
        if not _FORMS[key][0](value):
            self._miss(f"expected {_FORMS[key][1]}.", entry.name, key)
            return entry
        if key == "model" and value not in self._models:
            try:
                check_model_id(value)
            except DeskError as fault:
                self._miss(str(fault), entry.name, key)
        return replace(entry, **{key: tuple(value) if key in ("tools", "managed") else value})

    def _check_profile(self, entry: AgentEntry) -> None:
        if entry.profile is None:
            self._miss(f"it is missing; expected {_FORMS['profile'][1]}.", entry.name, "profile")
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


def _is_steps(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST_STEPS


def _is_env(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    variables: dict[str, Any] = value  # pyright: ignore[reportUnknownVariableType]
    return all(
        name and "=" not in name and "\0" not in name and _is_text(text) for name, text in variables.items()
    )


def _is_address(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(origin_of(value))
    except ValueError:
        return False


def _is_origin(value: Any) -> bool:
    return _is_address(value) and value.count("/") <= 2 + value.endswith("/") and not set(value) & {"?", "#"}


# Keys of a table: whether a value will do, and what is expected.
Forms = Mapping[str, tuple[Callable[[Any], bool], str]]
_FORMS: Forms = {
    "description": (_is_text, "a text"),
    "kind": (_is_name, f"one of {', '.join(KINDS)}"),
    "model": (_is_name, "the id of a model, as SMOLDESK_MODEL takes it, or a name of [models.NAME]"),
    "tools": (_are_names, "a list of names of tools, each once"),
    "managed": (_are_names, "a list of names of other agents, each once"),
    "max_steps": (_is_steps, f"a whole number from 1 to {MOST_STEPS}"),
    "structured": (
        lambda value: isinstance(value, bool),
        "true or false: whether its model answers by a schema",
    ),
    "profile": (_is_name, "the name of a profile, or the path of a .yaml below the data directory"),
    "env": (_is_env, "a table of texts by names of variables"),
}
_PEER_FORMS: Forms = {
    "card": (
        _is_address,
        "the address of an agent card: http:// or https://, without a name or password in it",
    ),
    "description": (
        lambda value: _is_text(value) and len(value) <= LONGEST_DESCRIPTION,
        f"a text of at most {LONGEST_DESCRIPTION:,} characters",
    ),
    "token_env": (
        lambda value: isinstance(value, str) and bool(_VARIABLE.fullmatch(value)),
        "the name of a variable of the environment that holds its token",
    ),
    "origins": (
        lambda value: isinstance(value, list) and all(map(_is_origin, value)),  # pyright: ignore
        'a list of origins such as "https://api.example.org"',
    ),
}
