"""Checks an agent's configuration: model, tools, managed agents, program on PATH."""

from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING

from smoldesk.agents.a2a_client.entries import TOOL as ASK_AGENT
from smoldesk.agents.entries import INTERPRETER, AgentEntry
from smoldesk.agents.managed import tool_name
from smoldesk.agents.terminals import profile_of
from smoldesk.errors import DeskError
from smoldesk.models import (
    Access,
    build_model,
    check_model_id,
    close_model,
)

if TYPE_CHECKING:
    from smolagents.models import Model

# Providers whose models are not built for a check: the built-in one never fails, transformers would load its weights.
ON_FIRST_USE = ("builtin", "transformers")


class Checks:
    """Checks of one desk's agents. Imports smolagents for an agent whose tools are limited."""

    def __init__(
        self,
        model: str,
        folder: Path,
        tools: Callable[[], Collection[str]],
        access: Access | None = None,
        named: Collection[str] = (),
        of_servers: Callable[[str], bool] = lambda _: False,
    ) -> None:
        """Set up checks. `model` is the desk's, `folder` its data directory, `tools` lists its tools; `named`: models by name.

        `of_servers` returns whether a tool belongs to an MCP server, which need not run now. With `access`, models are built as
        for a run; this sends nothing, but imports a provider's library.
        """
        self._model = model
        self._folder = folder
        self._tools = tools
        self._access = access
        self._named = named
        self._of_servers = of_servers

    def problems(self, entry: AgentEntry) -> list[str]:
        """Return the problems that keep an agent from working, as sentences."""
        if entry.source is not None:  # it was made, so it works
            return []
        if entry.kind == "terminal":
            return self._of_program(entry)
        return [*self._of_model(entry), *self._of_tools(entry), *self._of_managed(entry)]

    def _of_model(self, entry: AgentEntry) -> list[str]:
        model_id = entry.model or self._model
        if model_id in self._named:
            return []
        try:
            provider, _ = check_model_id(model_id)
            if self._access is not None and provider not in ON_FIRST_USE:
                close_model(build_model(model_id, self._access, _never))
        except DeskError as fault:
            return [str(fault)]
        return []

    def _of_tools(self, entry: AgentEntry) -> list[str]:
        if entry.tools is None:
            return []
        available = [name for name in self._tools() if entry.kind == "tools" or name != INTERPRETER]
        strangers = [name for name in entry.tools if name not in available and not self._of_servers(name)]
        if not strangers:
            return []
        return [f"There is no tool {', '.join(map(repr, strangers))}. Tools: {', '.join(available)}."]

    def _of_managed(self, entry: AgentEntry) -> list[str]:
        clashing_names = (
            {tool_name(name) for name in entry.managed} & {*self._tools()} if entry.managed else set[str]()
        )
        return (
            [f"Managed agents have the names of tools: {', '.join(sorted(clashing_names))}."]
            if clashing_names
            else []
        )

    def _of_program(self, entry: AgentEntry) -> list[str]:
        from smoldesk.agents.terminal.child import environment, executable

        try:
            profile = profile_of(entry, self._folder)
            executable(profile.argv()[0], environment(profile, ""), self._folder)
        except DeskError as fault:
            return [str(fault)]
        return []


def all_tools(asks_peers: bool = False) -> list[str]:
    """Return the names of a desk's tools without building a desk; with ask_agent if it `asks_peers`. Imports smolagents."""
    from smoldesk.buildings.building import Building
    from smoldesk.tools.catalogue import build_tools
    from smoldesk.tools.datasets import Datasets

    return [
        *(tool.name for tool in build_tools(Building.load(), Datasets.bundled(), Path())),
        *([ASK_AGENT] if asks_peers else []),
        INTERPRETER,
    ]


def _never() -> "Model":
    raise AssertionError("only providers' models are built to be checked")
