"""Reader of agents.toml, which reports every mistake with its place. The format is in spec/reference/agents.md."""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from smoldesk.agents.a2a_client import Peer
from smoldesk.agents.a2a_client.entries import origin_of
from smoldesk.agents.entries import BUILT_IN, KINDS, NAME, NAME_FORM, AgentEntry, AgentList
from smoldesk.agents.managed import MAX_STEPS, faults_of_managed
from smoldesk.agents.read_models import read_model
from smoldesk.agents.terminals import profile_of
from smoldesk.buildings.layers.entries import LayerEntry, read_layer
from smoldesk.errors import BadInput, DeskError
from smoldesk.models import check_model_id
from smoldesk.models.choices import NamedModel
from smoldesk.models.options import options_from
from smoldesk.sandbox.executors import NODES, SANDBOX
from smoldesk.tools.mcp_servers.entries import ServerEntry, read_entry

FILE = "agents.toml"
# Bytes of the file.
LARGEST = 1_000_000
# Characters of a peer's description, which goes into every prompt of the agents that can ask it.
LONGEST_DESCRIPTION = 1_000
_SECTIONS = ("agents", "peers", "models", "mcp", "layers")
_COMMON_KEYS = ("description", "kind")
# Options of the model that an agent may replace; the others depend on the model.
_OPTIONS = ("temperature", "max_tokens")
_OF_SMOLAGENTS = ("model", "tools", "managed", "max_steps", "executor", *_OPTIONS)
_KIND_KEYS = {
    "code": (*_OF_SMOLAGENTS, "structured"),
    "tools": _OF_SMOLAGENTS,
    "terminal": ("profile", "env"),
}
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True)
class Mistake:
    """One mistake and its place in the file; without `agent` (or peer) it concerns the whole file."""

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
    """Read the agents of a data directory. Raises BadInput with every mistake of the file."""
    agent_list, mistakes = read_agents(folder)
    if mistakes:
        lines = "".join(f"\n  {mistake}" for mistake in mistakes)
        raise BadInput(f"The list of agents has mistakes:{lines}", "", code="bad_agents")
    return agent_list


def read_agents(folder: Path) -> tuple[AgentList, list[Mistake]]:
    """Return the readable part of the file and its mistakes; the built-in agents when there is no file."""
    path = folder / FILE
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        # a missing data directory is reported where it is created
        return AgentList(folder=folder), []
    except OSError as fault:
        return AgentList(folder=folder), [Mistake(f"it cannot be read ({fault.strerror}).")]
    return parse_agents(data, folder)


def parse_agents(data: bytes, folder: Path) -> tuple[AgentList, list[Mistake]]:
    """Parse the bytes of the file; see `read_agents`."""
    if len(data) > LARGEST:
        return AgentList(folder=folder), [
            Mistake(f"it has {len(data):,} bytes; expected at most {LARGEST:,}.")
        ]
    try:
        document = tomllib.loads(data.decode())
    except UnicodeDecodeError:
        return AgentList(folder=folder), [Mistake("it is not text in UTF-8.")]
    except (ValueError, RecursionError) as fault:
        # TOMLDecodeError is a ValueError that names line and column
        return AgentList(folder=folder), [Mistake(f"it is not TOML: {fault}.")]
    return _EntryReader(folder).read(document)


class _EntryReader:
    """One pass over a document: collects mistakes and goes on."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._mistakes: list[Mistake] = []
        self._models: frozenset[str] = frozenset()

    def read(self, document: Mapping[str, Any]) -> tuple[AgentList, list[Mistake]]:
        models = self._tables(document, "models")
        self._models = frozenset(models)
        for key in document:
            if key not in ("default", *_SECTIONS):
                message = f"there is no such key; expected default{''.join(f', [{kind}.NAME]' for kind in _SECTIONS)}."
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
            self._add_mistake(message, name, "managed")
        named = [self._model(name, table) for name, table in models.items()]
        models_by_name = {model.name: model for model in named if model is not None}
        servers = [self._server(name, table) for name, table in self._tables(document, "mcp").items()]
        mcp = [server for server in servers if server is not None]
        read_layers = [self._layer(name, table) for name, table in self._tables(document, "layers").items()]
        layers = [layer for layer in read_layers if layer is not None]
        return AgentList(entries, default, self._folder, peers, models_by_name, mcp, layers), self._mistakes

    def _model(self, name: str, table: Any) -> NamedModel | None:
        model, mistakes = read_model(name, table)
        self._mistakes += [Mistake(text, name, key, "model") for key, text in mistakes]
        return model

    def _server(self, name: str, table: Any) -> ServerEntry | None:
        if not isinstance(table, dict):
            self._mistakes.append(Mistake(f"expected a table [mcp.{name}].", name, kind="MCP server"))
            return None
        entry, mistakes = read_entry(name, table, of_file=True)  # pyright: ignore[reportUnknownArgumentType]
        self._mistakes += [Mistake(message, name, key or None, "MCP server") for key, message in mistakes]
        return entry

    def _layer(self, name: str, table: Any) -> LayerEntry | None:
        if not isinstance(table, dict):
            self._mistakes.append(Mistake(f"expected a table [layers.{name}].", name, kind="layer"))
            return None
        entry, mistakes = read_layer(name, table)  # pyright: ignore[reportUnknownArgumentType]
        self._mistakes += [Mistake(message, name, key or None, "layer") for key, message in mistakes]
        return entry

    def _tables(self, document: Mapping[str, Any], section: str) -> dict[str, Any]:
        tables: Any = document.get(section, {})
        if not isinstance(tables, dict):
            self._mistakes.append(Mistake(f"expected tables [{section}.NAME].", key=section))
            return {}
        return tables  # pyright: ignore[reportUnknownVariableType]

    def _table(self, kind: str, name: str, table: Any) -> dict[str, Any] | None:
        """Return the table of an agent or a peer, or None with a mistake."""
        if not NAME.fullmatch(name):
            self._mistakes.append(Mistake(f"a name is {NAME_FORM}.", name, kind=kind))
        if isinstance(table, dict):
            return table  # pyright: ignore[reportUnknownVariableType]
        self._mistakes.append(Mistake(f"expected a table [{kind}s.{name}].", name, kind=kind))
        return None

    def _peer(self, name: str, table: Any) -> Peer | None:
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

    def _add_mistake(self, message: str, agent: str, key: str) -> None:
        self._mistakes.append(Mistake(message, agent, key))

    def _entry(self, name: str, table: Any) -> AgentEntry | None:
        """Return an entry, without its invalid values; None when its kind is not valid."""
        values = self._table("agent", name, table)
        if values is None:
            return None
        builtin = BUILT_IN.get(name)
        kind = values.get("kind", builtin.kind if builtin else None)
        if kind not in KINDS:
            prefix = "it is missing; e" if "kind" not in values else "e"
            self._add_mistake(f"{prefix}xpected {_FORMS['kind'][1]}.", name, "kind")
            return None
        if builtin is not None and kind != builtin.kind:
            self._add_mistake(
                f"the built-in agent {name!r} is of kind {builtin.kind}; got {kind!r}.", name, "kind"
            )
            return None
        entry = builtin or AgentEntry(name, kind)
        for key, value in values.items():
            entry = self._with(entry, key, value)
        if kind == "terminal":
            self._check_profile(entry)
        return entry

    def _with(self, entry: AgentEntry, key: str, value: Any) -> AgentEntry:
        """Return the entry with one value of its table set, or unchanged when the value is invalid."""
        allowed = (*_COMMON_KEYS, *_KIND_KEYS[entry.kind])
        if key not in allowed:
            message = f"an agent of kind {entry.kind} has no such key; expected {', '.join(allowed)}."
            self._add_mistake(message, entry.name, key)
            return entry
        if key in _OPTIONS:
            return self._with_option(entry, key, value)
        if not _FORMS[key][0](value):
            self._add_mistake(f"expected {_FORMS[key][1]}.", entry.name, key)
            return entry
        if key == "model" and value not in self._models:
            try:
                check_model_id(value)
            except DeskError as fault:
                self._add_mistake(str(fault), entry.name, key)
        return replace(entry, **{key: tuple(value) if key in ("tools", "managed") else value})

    def _with_option(self, entry: AgentEntry, key: str, value: Any) -> AgentEntry:
        try:
            return replace(entry, options=entry.options.merged(options_from({key: value})))
        except DeskError as fault:
            self._add_mistake(str(fault), entry.name, key)
            return entry

    def _check_profile(self, entry: AgentEntry) -> None:
        if entry.profile is None:
            self._add_mistake(f"it is missing; expected {_FORMS['profile'][1]}.", entry.name, "profile")
            return
        try:
            profile_of(entry, self._folder)
        except DeskError as fault:
            self._add_mistake(str(fault), entry.name, "profile")


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and "\0" not in value


def _is_name(value: Any) -> bool:
    return _is_text(value) and bool(value.strip())


def _are_names(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_name, value)) and len(value) == len(set(value))  # pyright: ignore


def _is_steps(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MAX_STEPS


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


# Keys of a table: a check of the value, and the expectation for the mistake's text.
Forms = Mapping[str, tuple[Callable[[Any], bool], str]]
_FORMS: Forms = {
    "description": (_is_text, "a text"),
    "kind": (_is_name, f"one of {', '.join(KINDS)}"),
    "model": (_is_name, "the id of a model, as SMOLDESK_MODEL takes it, or a name of [models.NAME]"),
    "tools": (_are_names, "a list of names of tools, each once"),
    "managed": (_are_names, "a list of names of other agents, each once"),
    "max_steps": (_is_steps, f"a whole number from 1 to {MAX_STEPS}"),
    "structured": (
        lambda value: isinstance(value, bool),
        "true or false: whether its model answers by a schema",
    ),
    "executor": (
        lambda value: value in (SANDBOX, NODES),
        f"{SANDBOX} (its code runs at the desk) or {NODES}",
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
