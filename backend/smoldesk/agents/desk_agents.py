"""Agents of a desk: picks the agent of a run, has it built, and describes agents for the page and the log."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from smoldesk.agents.a2a_client.entries import depth_of
from smoldesk.agents.agent_builder import AgentBuilder, no_schema
from smoldesk.agents.agent_tools import tools_with_approval
from smoldesk.agents.answer_schema import requirement_of
from smoldesk.agents.call_meter import CallMeter
from smoldesk.agents.checks import Checks
from smoldesk.agents.entries import (
    CODE,
    DEMO_TOOLS,
    INTERPRETER,
    AgentEntry,
    AgentList,
    Kind,
)
from smoldesk.agents.fingerprints import agent_hash, tools_hash
from smoldesk.agents.prompt_size import prompt_tokens
from smoldesk.agents.terminals import UNJAILED, Terminals
from smoldesk.errors import Conflict, DeskError
from smoldesk.messages import Isolation
from smoldesk.models.window_offers import larger_window
from smoldesk.sandbox.children import Children
from smoldesk.sandbox.executors import is_sandbox, isolation_of
from smoldesk.sandbox.losses import loss
from smoldesk.stopping import StopFlag
from smoldesk.store.run_options import NO_CHOICE, RunOptions
from smoldesk.store.run_queue import Choices
from smoldesk.tables.shared_folders import SharedFolders
from smoldesk.tables.table_profiles import Profiles
from smoldesk.tools.run_context import Agent

if TYPE_CHECKING:
    from smoldesk.agents.mentions import MentionList
    from smoldesk.agents.starters import Starter
    from smoldesk.agents.supplied.agent_source import AgentSource
    from smoldesk.analyst.catalogue import Catalogue
    from smoldesk.analyst.complete import Completed
    from smoldesk.analyst.language import Language


@dataclass(frozen=True)
class AgentInfo:
    """Description of an agent for the page. `model` is empty for a program, `kind` for an agent that no longer exists."""

    name: str
    model: str
    kind: Kind | Literal[""]
    tools: list[str]
    approvals: dict[str, Literal["once", "always"]]
    """Tools that need approval, each with when."""
    isolation: Isolation


@dataclass(frozen=True)
class NodeInfo:
    """Node that runs a chat's code."""

    name: str
    isolation: Isolation


class DeskAgents:
    """Implements runs.Agents."""

    def __init__(
        self,
        agent_list: AgentList,
        builder: AgentBuilder,
        terminals: Terminals,
        children: Children,
        choices_in: Callable[[str], tuple[str | None, str | None]],
        cache: Path,
    ) -> None:
        """Set up the agents. `choices_in` returns the agent and model chosen for a chat; `cache` is a folder to try code in."""
        self.agent_list = agent_list
        self.profiles: Profiles = builder.parts.profiles
        self.shared: SharedFolders = builder.parts.shared
        self.checks = Checks(
            builder.parts.choices.model,
            agent_list.folder,
            self.tool_names,
            named=frozenset(agent_list.models),
            of_servers=builder.parts.servers.owns,
        )
        self.servers = builder.parts.servers
        self._builder = builder
        self._terminals = terminals
        self._children = children
        self._choices_in = choices_in
        self._cache = cache
        self.models = builder.parts.choices.models

    def meter_calls(self, chat_id: str, meter: CallMeter | None) -> None:
        """Let `meter` observe the model calls of a chat's runs that start from now on; None ends that."""
        if meter is None:
            self._builder.meters.pop(chat_id, None)
        else:
            self._builder.meters[chat_id] = meter

    # --- for runs -------------------------------------------------------------------------------------------------

    def choose(self, chat_id: str, options: RunOptions, choices: Choices | None = None) -> RunOptions:
        """Fill in a run's agent and model: the options' own choice, else the chat's (read unless given), else the desk's."""
        agent, model = choices or self._choices_in(chat_id)
        agent = options.agent or agent or self.agent_list.default
        return options.model_copy(update={"agent": agent, "model": options.model or model})

    def who(self, options: RunOptions) -> Mapping[str, str]:
        """Return the agent that options name, and its model if any, for the log."""
        entry = self.agent_list.entries.get(options.agent or self.agent_list.default)
        if entry is None:
            return {"agent": options.agent or ""}
        model = self._model_of(with_model(entry, options.model))
        return {"agent": entry.name} | ({"model": model} if model else {})

    def build(self, chat_id: str, stop: StopFlag, options: RunOptions = NO_CHOICE) -> Agent:
        """Build an agent for one run of a chat, by options from `choose` or by the chat's choices.

        Raises NotFound for an agent that is not listed (any more), DeskError for an unavailable one, Stopped.
        """
        if options.agent is None:
            options = self.choose(chat_id, options)
        entry = with_model(self.agent_list.get(options.agent or ""), options.model)
        if options.is_code:
            depth = depth_of(options.metadata)
            return self._builder.code_run(with_python(entry), chat_id, stop, depth, options.replay)
        answer = requirement_of(options)
        if entry.kind == "terminal":
            if answer is not None:
                raise no_schema(entry.name)
            if options.replay is not None:
                raise Conflict(f"The agent {entry.name!r} cannot be played again.", code="not_replayable")
            return self._terminals.build(entry)
        depth, client_tools = depth_of(options.metadata), options.client_tools or ()
        return self._builder.build(
            entry,
            chat_id,
            stop,
            options.order,
            depth,
            client_tools,
            chosen=options.model,
            answer=answer,
            shares_state=options.shared_state is not None,
            replay=options.replay,
        )

    def require_schema(self, name: str | None, chat_id: str | None) -> None:
        """Raise BadInput unless an agent can answer by a schema; None: the chat's choice, else the default.

        Reads the store, so not on the event loop. Raises NotFound for an unknown agent.
        """
        options = self.choose(chat_id or "", RunOptions(agent=name))
        entry = with_model(self.agent_list.get(options.agent or ""), options.model)
        if entry.kind == "terminal" or entry.source is not None or self._builder.parts.is_builtin(entry):
            raise no_schema(entry.name)

    def require_python(self, chat_id: str) -> None:
        """Raise Conflict unless the chat's agent has a Python process for a person's code; NotFound for an unknown agent.

        Reads the store, so not on the event loop.
        """
        with_python(self.agent_list.get(self.choose(chat_id, NO_CHOICE).agent or ""))

    def approvals(self) -> Mapping[str, str]:
        """Return the tools that need approval, of any agent. Imports smolagents, so not on the event loop."""
        return self._info(DEMO_TOOLS).approvals

    def lost(self, chat_id: str, wait: bool = True) -> str | None:
        """Return why the chat has no variables of earlier code, at each call; the caller decides whether it is news.

        Without `wait`, raises BlockingIOError if the chat's process needs a closer look.
        """
        if not is_sandbox(self._builder.parts.choices.executor):
            return None
        if not wait:
            return None if self._children.is_intact(chat_id) else loss("gone")
        reason = self._children.lost(chat_id)
        if reason is None and not self._children.alive(chat_id):
            return loss("gone")
        return reason

    def holds(self, chat_id: str) -> bool:
        """Return whether the chat has a Python process or a program in a terminal."""
        return self._children.holds(chat_id) or self._terminals.holds(chat_id)

    def drop(self, chat_id: str, reason: str) -> None:
        """Drop the processes and caches of a chat: its variables, its programs, its profiles."""
        self._builder.data.forget(chat_id)
        for source in self._sources():
            source.drop(chat_id)
        self._children.drop(chat_id, reason)
        self._terminals.drop(chat_id, reason)

    def close(self) -> None:
        """End every child and program of the desk."""
        for source in self._sources():
            source.close()
        self._terminals.close()
        self.servers.close()
        self.profiles.close()
        self._children.close()

    def complete(self, chat_id: str, text: str, language: "Language") -> "list[Completed]":
        """Complete a text, if the built-in analyst answers. Reads the chat's files, so not on the event loop."""
        agent, model = self._choices_in(chat_id)
        entry = self.agent_list.entries.get(agent or self.agent_list.default)
        if entry is None or entry.kind == "terminal":
            return []
        return self._builder.complete(with_model(entry, model), chat_id, text, language)

    def catalogue(self, chat_id: str) -> "Catalogue":
        """Return the tables and the building of a chat. Reads the chat's files, so not on the event loop."""
        return self._builder.data.catalogue(chat_id)

    def mentions(self, chat_id: str, typed: str, files: Sequence[str], language: "Language") -> "MentionList":
        """List what a person can mention with `@`. Reads the chat's files, so not on the event loop."""
        from smoldesk.agents.mentions import mentions

        entries = [entry for entry in self.agent_list.entries.values() if not self.checks.problems(entry)]
        return mentions(
            typed,
            self.catalogue(chat_id),
            files,
            entries,
            language,
            self._builder.cached_tables(),
            self.shared.labels(files),
        )

    def starters(self, chat_id: str, language: "Language") -> "list[Starter]":
        """List suggestions for an empty chat. Reads the chat's files, so not on the event loop."""
        from smoldesk.agents.starters import starters

        tools = frozenset(self.info(self._choices_in(chat_id)[0]).tools)
        return starters(replace(self.catalogue(chat_id), tools=tools), language)

    def questions(self, chat_id: str, file: str, language: "Language") -> dict[str, list[str]]:
        """List questions for each table of a file. Reads the chat's files, so not on the event loop."""
        from smoldesk.agents.starters import questions

        return questions(self.catalogue(chat_id), file, language)

    # --- for the page ----------------------------------------------------------------------------------------------

    def info(self, name: str | None = None, model: str | None = None) -> AgentInfo:
        """Describe an agent with the model of a chat, also one that no longer exists; None: the desk's default agent.

        Imports smolagents, so not on the event loop.
        """
        name = name or self.agent_list.default
        entry = self.agent_list.entries.get(name)
        return (
            AgentInfo(name, "", "", [], {}, self.isolation())
            if entry is None
            else self._info(with_model(entry, model))
        )

    def prompt_tokens(self, chat_id: str | None) -> int | None:
        """Estimate the tokens that the instructions of a chat's agent take; None: it has no model, or is not available.

        Reads the store and imports smolagents, so not on the event loop.
        """
        name = self._choices_in(chat_id)[0] if chat_id else None
        entry = self.agent_list.entries.get(name or self.agent_list.default)
        if entry is None or entry.kind == "terminal":
            return None
        try:
            return prompt_tokens(entry, self._builder.tools.of_agent(entry))
        except DeskError:  # its runs report the problem
            return None

    def replay_problem(self, name: str) -> str:
        """Return why runs of an agent cannot be played again, as a code; empty if they can."""
        entry = self.agent_list.entries.get(name)
        if entry is None:
            return "agent_gone"
        return "" if entry.kind != "terminal" and entry.source is None else "agent_not_recorded"

    def tools_played_live(self) -> frozenset[str]:
        """Return the names of tools that are called when a run is played again. Imports smolagents."""
        return self._builder.tools.played_live() | {INTERPRETER, "final_answer"}

    def fingerprints(self, name: str | None) -> dict[str, str]:
        """Return the hashes of an agent and of its tools; empty ones if it or a tool is missing. Imports smolagents."""
        entry = self.agent_list.entries.get(name or self.agent_list.default)
        try:
            tools = self._builder.tools.of_agent(entry) if entry and entry.kind != "terminal" else []
        except DeskError:
            tools = []
        return {"agent": agent_hash(entry) if entry else "", "tools": tools_hash(tools)}

    def tool_names(self) -> list[str]:
        """Return the names of all tools that an agent can have. Imports smolagents."""
        of_servers = self.servers.tools(local_names := self._builder.tools.local_names())
        return list(dict.fromkeys([*local_names, *(tool.name for tool in of_servers)]))

    def tool_descriptions(self) -> dict[str, str]:
        """Return the description of each tool. Imports smolagents."""
        descriptions = {tool.name: tool.description for tool in self._builder.tools.of_agent(DEMO_TOOLS)}
        return descriptions | {
            tool.name: tool.description for tool in self.servers.tools(self.local_tool_names())
        }

    def local_tool_names(self) -> list[str]:
        """Return the names of all tools except those of MCP servers. Imports smolagents."""
        return self._builder.tools.local_names()

    def isolation(self) -> Isolation:
        """Return how the code of agents is isolated from this machine."""
        report = isolation_of(self._builder.parts.choices.executor, self._children.report())
        return Isolation(isolated=report.isolated, label=report.label, reasons=report.reasons)

    def node_of(self, chat_id: str) -> NodeInfo | None:
        """Return the node that has the chat's variables; None if they are here or there are none."""
        site = self._children.site(chat_id)
        if not site.name or not self._children.alive(chat_id):
            return None
        report = site.report()
        return NodeInfo(
            site.name, Isolation(isolated=report.isolated, label=report.label, reasons=report.reasons)
        )

    def _isolation_of(self, entry: AgentEntry) -> Isolation:
        source = entry.source
        if source is None or source.own_executor is None:
            return self.isolation()
        where = "away from this machine" if source.is_remote else "in the server's process"
        return Isolation(
            isolated=source.is_remote,
            label=source.own_executor,
            reasons=[f"The agent brings its own executor {source.own_executor}; its code runs {where}."],
        )

    def nodes(self) -> list[dict[str, str | int]]:
        """Return the connected nodes: name, processes of chats, places for them, isolation."""
        return [
            {
                "name": site.name,
                "processes": count,
                "places": site.max_children,
                "isolation": site.report().label,
            }
            for site, count in self._children.nodes_in_use()
        ]

    def cells_waiting(self) -> int:
        """Return how many cells wait for a processor."""
        return self._children.cells_waiting

    def warm(self) -> None:
        """Prepare for the first answer: start a child process and import smolagents."""
        self._children.warm()
        self._info(CODE)
        from smoldesk.agents.wrapper import agent_wrapper

        assert agent_wrapper

    def _info(self, entry: AgentEntry) -> AgentInfo:
        if entry.kind == "terminal":
            return AgentInfo(entry.name, "", entry.kind, [], {}, UNJAILED)
        try:
            tools = self._builder.tools.of_agent(entry)
        except DeskError:  # its runs and the list of agents report the problem
            tools = []
        return AgentInfo(
            entry.name,
            self._model_of(entry),
            entry.kind,
            [tool.name for tool in tools],
            tools_with_approval(tools, self._builder.parts.choices.approval),
            self._isolation_of(entry),
        )

    def _model_of(self, entry: AgentEntry) -> str:
        if entry.source is not None:
            return entry.source.model_id
        return "" if entry.kind == "terminal" else entry.model or self._builder.parts.choices.model

    def _sources(self) -> "list[AgentSource]":
        return [entry.source for entry in self.agent_list.entries.values() if entry.source is not None]

    # --- for `smoldesk doctor` ---------------------------------------------------------------------------------------

    def try_model(self, seconds: float) -> str:
        """Wait for the model's first word; return the time it took and what its server does not take. Raises DeskError."""
        from smoldesk.models import close_model, first_word

        started_at = time.monotonic()
        model = self._builder.model(CODE)
        try:
            first_word(model, seconds)
        finally:
            close_model(model)
        refused: tuple[str, ...] = getattr(getattr(model, "adapting", None), "refused", ())
        self._check_window()
        limits = f"; it does not take: {', '.join(refused)}" if refused else ""
        return f"its first word came after {time.monotonic() - started_at:.1f} s{limits}"

    def _check_window(self) -> None:
        """Raise DeskError if the model's window cannot take the instructions of the default agent."""
        models, choice = self._builder.parts.choices.models, self._builder.parts.choices.model
        window = models.resolve(choice).context or models.reported_window(choice)
        needed = self.prompt_tokens(None)
        if window and needed and window <= needed:
            raise DeskError(
                f"its window has {window:,} tokens, but the instructions of the agent take about {needed:,}.",
                f"Start its server with a window of {larger_window(needed):,} tokens or more, or choose another model.",
                code="prompt_too_long",
            )

    def try_code(self, code: str) -> str:
        """Run a line of code in a child; return its value as text."""
        from smoldesk.sandbox.executor import SandboxExecutor

        child = self._children.child("doctor", self._cache)
        executor = SandboxExecutor(child)
        try:
            return str(executor(code).output)
        finally:
            executor.cleanup()


def with_model(entry: AgentEntry, model: str | None) -> AgentEntry:
    """Return the agent with a chat's chosen model, if there is one and the agent does not bring its own."""
    own_model = entry.kind == "terminal" or entry.source is not None
    return entry if model is None or own_model else replace(entry, model=model)


def with_python(entry: AgentEntry) -> AgentEntry:
    """Return the agent if it runs Python in the chat's variables. Raises Conflict otherwise."""
    if entry.kind == "code" or (
        entry.kind == "tools" and (entry.tools is None or INTERPRETER in entry.tools)
    ):
        return entry
    raise Conflict(
        f"The agent {entry.name!r} has no Python variables and cannot run your code.",
        "Choose an agent of kind code.",
        code="not_supported",
    )
