"""Builds the agent that answers a chat, from what this desk has: model, tools, building, data, child processes.

Everything of smolagents is imported when the first agent is built: the server is up before that.
"""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from backend.agent_wrapper.context import Agent
from backend.errors import NotFound
from backend.maps.building import Building
from backend.messages import Isolation
from backend.models import Access
from backend.sandbox.children import Children
from backend.sandbox.folder_tables import ChatTables
from backend.sandbox.isolation import isolation_of
from backend.sandbox.profile import TableProfile
from backend.sandbox.profiles import Profiles, named_apart
from backend.sandbox.value_indexes import ValueIndexes
from backend.stopping import StopFlag
from backend.store.data_dir import DataDir
from backend.store.run_options import NO_CHOICE, RunOptions
from backend.tools.datasets import Datasets

if TYPE_CHECKING:
    from smolagents.models import Model

    from backend.builtin.catalogue import Catalogue
    from backend.builtin.value_index import ValueIndex
    from backend.tools.demo.wallet import Wallet
    from backend.tools.policy import Approval, DeskTool
    from backend.tools.sql_engine import Databases


@dataclass(frozen=True)
class AgentChoices:
    """The parts of the settings that say who answers, and how."""

    model: str
    kind: Literal["code", "tools"]
    tool_calls: Literal["together", "one_by_one"]
    max_steps: int
    access: Access
    executor: Literal["sandbox", "ast", "docker", "e2b"] = "sandbox"
    approval: "Mapping[str, Approval]" = field(default_factory=dict[str, "Approval"])
    """The operator's word on tools, by name."""


@dataclass(frozen=True)
class AgentInfo:
    """What the page is told of who answers."""

    model: str
    kind: str
    tools: list[str]
    approvals: dict[str, Literal["once", "always"]]
    """The tools that ask a person, each with when it does."""
    isolation: Isolation


class DeskAgents:
    """Implements runs.Agents."""

    def __init__(
        self,
        choices: AgentChoices,
        building_of: Callable[[str | None], Building],
        children: Children,
        data_dir: DataDir,
        profiles: Profiles,
        uploads: Callable[[str], Collection[str]],
        make_model: "Callable[[], Model] | None" = None,
        make_tools: "Callable[[Path], Sequence[DeskTool]] | None" = None,
        databases: "Databases | None" = None,
        wallet: "Callable[[str], Wallet] | None" = None,
    ) -> None:
        """`building_of` tells the building a chat shows (None: that of a new one);

        `uploads` tells the names of the files a person put into a chat, `wallet` has each chat's.

        For tests, `make_model` scripts the model of each run, `make_tools` gives other tools for a chat's folder.
        """
        self._choices = choices
        self._building_of = building_of
        self._children = children
        self._data_dir = data_dir
        self._make_model = make_model
        self._make_tools = make_tools
        self.profiles = profiles
        self._values = ValueIndexes()
        self._uploads = uploads
        self._databases = databases
        self._wallet = wallet

    def build(self, chat_id: str, stop: StopFlag, options: RunOptions = NO_CHOICE) -> Agent:
        """An agent for one run of a chat, as its client chose; raises DeskError for a model that cannot be had, Stopped."""
        from backend.agent_wrapper.wrapper import AgentWrapper, Parts

        building = self._building_of(chat_id)
        parts = Parts(
            kind=self._kind(options.agent),
            model=self._model(building, lambda: self._own_files(chat_id, stop)),
            tools=self._tools(self._data_dir.chat_folder(chat_id), building, stop, chat_id),
            rooms=building.rooms(),
            children=self._children,
            max_steps=self._choices.max_steps,
            call_order=options.order or self._choices.tool_calls,
            executor=self._choices.executor,
        )
        return AgentWrapper(parts)

    def _kind(self, name: str | None) -> Literal["code", "tools"]:
        match name:
            case None:
                return self._choices.kind
            case "code" | "tools":
                return name
            case _:
                raise NotFound(f"There is no agent {name[:40]!r}.", "Expected code or tools.")

    def info(self) -> AgentInfo:
        """Who answers, for the page; imports smolagents, so not on the event loop."""
        choices = self._choices
        tools = [*self._tools(self._data_dir.cache, self._building_of(None))]
        if choices.kind == "tools":
            from backend.agent_wrapper.interpreter import PythonInterpreter

            tools.append(PythonInterpreter(tools, choices.executor))
        return AgentInfo(
            choices.model,
            choices.kind,
            [tool.name for tool in tools],
            asking(tools, choices.approval),
            self.isolation(),
        )

    def approvals(self) -> Mapping[str, str]:
        """The tools that ask a person; imports smolagents, so not on the event loop."""
        return self.info().approvals

    def isolation(self) -> Isolation:
        """How far the code of agents is kept from this machine."""
        return isolation_of(self._choices.executor, self._children.report())

    def cells_waiting(self) -> int:
        """How many cells wait for a processor."""
        return self._children.cells_waiting

    def lost(self, chat_id: str) -> str | None:
        """Why the chat has no variables of earlier code: every time, whoever asks decides whether it is news."""
        if self._choices.executor != "sandbox":
            return None
        reason = self._children.lost(chat_id)
        if reason is None and not self._children.alive(chat_id):
            return "their Python process is gone"
        return reason

    def drop(self, chat_id: str, reason: str) -> None:
        self.profiles.forget(chat_id)
        self._values.forget(chat_id)
        self._children.drop(chat_id, reason)

    def close(self) -> None:
        self.profiles.close()
        self._children.close()

    def warm(self) -> None:
        """Do early what the first answer needs: a child process, and the imports of an agent."""
        self._children.warm()
        self.info()
        from backend.agent_wrapper import wrapper

        assert wrapper

    def try_model(self, seconds: float) -> str:
        """Wait for the model's first word; raises DeskError with what is wrong. For `smoldesk doctor`."""
        from backend.models import close_model
        from backend.models.trial import first_word

        began = time.monotonic()
        model = self._model(self._building_of(None), OwnFiles)
        try:
            first_word(model, seconds)
        finally:
            close_model(model)
        return f"it began to answer after {time.monotonic() - began:.1f} s"

    def try_code(self, code: str) -> str:
        """Run a line of code in a child; its value in words. For `smoldesk doctor`."""
        from backend.sandbox.executor import SandboxExecutor

        child = self._children.child("doctor", self._data_dir.cache)
        executor = SandboxExecutor(child)
        try:
            return str(executor(code).output)
        finally:
            executor.cleanup()

    def _tools(
        self, folder: Path, building: Building, stop: StopFlag | None = None, chat_id: str | None = None
    ) -> "Sequence[DeskTool]":
        if self._make_tools is not None:
            return self._make_tools(folder)
        from backend.tools.catalogue import build_tools

        files = self._tables_of(folder)
        wallet = self._wallet(chat_id) if self._wallet is not None and chat_id is not None else None
        return build_tools(building, Datasets.bundled(), folder, files, self._databases, stop, wallet)

    def _tables_of(self, folder: Path) -> ChatTables:
        datasets = Datasets.bundled()
        return ChatTables(folder, self._data_dir.cache, [datasets.path(name) for name in datasets.names()])

    def _model(self, building: Building, own: "Callable[[], OwnFiles]") -> "Model":
        if self._make_model is not None:
            return self._make_model()
        from backend.models import build_model

        choices = self._choices
        return build_model(choices.model, choices.access, lambda: self._builtin(building, own()))

    def _builtin(self, building: Building, own: "OwnFiles") -> "Model":
        from backend.builtin.model import BuiltinModel

        return BuiltinModel(desk_catalogue(building, Datasets.bundled(), own))

    def _own_files(self, chat_id: str, stop: StopFlag) -> "OwnFiles":
        """What a chat's folder holds, but for copies of bundled datasets."""
        folder = self._data_dir.chat_folder(chat_id)
        uploads = self._uploads(chat_id)
        counted = set(self._tables_of(folder).files())
        profiles = {
            name: profile
            for name, profile in self.profiles.files(chat_id, folder, stop).items()
            if name in counted
        }
        given = [table for name, one in profiles.items() if name in uploads for table in one.tables]
        written = [table for name, one in profiles.items() if name not in uploads for table in one.tables]
        broken = {
            name: " ".join(problem.words for problem in one.problems)
            for name, one in profiles.items()
            if one.problems and not one.tables
        }
        indexes = {
            table.load: partial(self._values.of, chat_id, folder, one.tables, number)
            for one in profiles.values()
            for number, table in enumerate(one.tables)
        }
        return OwnFiles(given, written, broken, indexes)


def asking(
    tools: "Sequence[DeskTool]", approval: "Mapping[str, Approval]"
) -> dict[str, Literal["once", "always"]]:
    """The tools that ask a person, each with when it does; `approval` is the operator's word on some."""
    found: dict[str, Literal["once", "always"]] = {}
    for tool in tools:
        when = approval.get(tool.name, tool.approval)
        if when != "never":
            found[tool.name] = when
    return found


@dataclass(frozen=True)
class OwnFiles:
    """What is known of a chat's files: tables a person gave, tables code wrote, and why others could not be read.

    `indexes` give the values of a table's columns by the expression that loads it.
    """

    given: Sequence[TableProfile] = ()
    written: Sequence[TableProfile] = ()
    broken: Mapping[str, str] = field(default_factory=dict[str, str])
    indexes: "Mapping[str, Callable[[], ValueIndex]]" = field(
        default_factory=dict[str, "Callable[[], ValueIndex]"]
    )


def desk_catalogue(building: Building, datasets: Datasets, own: OwnFiles) -> "Catalogue":
    """What the built-in analyst may talk about: the chat's own tables, the bundled ones and the building.

    As in SQL, a table a person gave stands before a bundled one of its name; one that code wrote does not.
    """
    from backend.builtin.catalogue import Catalogue, ColumnInfo, TableInfo

    given = {table.file for table in own.given}
    taken = {table.name.casefold() for table in own.given}
    bundled = [name for name in datasets.names() if name.casefold() not in taken]
    written = [t for t in own.written if t.name not in bundled and Path(t.file).stem not in bundled]
    tables = [
        TableInfo(
            name=profile.name,
            columns=[
                ColumnInfo(column.name, column.kind, column.values, column.form, tuple(column.span))
                for column in profile.columns
            ],
            rows=profile.rows,
            load=profile.load,
            file=profile.file,
            produced=profile.file not in given,
            index=own.indexes.get(profile.load),
        )
        for profile in named_apart([*own.given, *written])
    ]
    tables += [
        TableInfo(
            name=name,
            columns=[
                ColumnInfo(column, kind, _few(datasets.sample_values(name, column)))
                for column, kind in datasets.schema(name)
            ],
            rows=datasets.row_count(name),
            load=f"load_dataset({name!r})",
        )
        for name in bundled
    ]
    return Catalogue(
        tables=tables,
        rooms={floor.floor_id: [room.name for room in floor.rectangles] for floor in building.floors},
        floor_names={floor.floor_id: floor.floor_name for floor in building.floors},
        bitmaps=building.bitmap_ids(),
        current_floor=building.floors[0].floor_id,
        bounds={
            floor: (bounds.left, bounds.top, bounds.right, bounds.bottom)
            for floor in building.floor_ids()
            for bounds in [building.bounds(floor)]
        },
        broken=dict(own.broken),
    )


MOST_VALUES = 40
"""A column with more distinct values than this has no values worth naming one by one."""


def _few(values: list[str]) -> list[str]:
    return values if len(values) <= MOST_VALUES else []
