"""Builds agents of the kinds code and tools (smolagents) with the desk's models, tools, buildings, tables and children.

smolagents is imported when the first agent is built: the server starts without it.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from smoldesk.agents.agent_tools import AgentTools, client_side_tools
from smoldesk.agents.analyst_files import ChatFiles, desk_catalogue
from smoldesk.agents.answer_schema import AnswerSchema, RequiredCall
from smoldesk.agents.builder_parts import BuilderParts, CallOrder
from smoldesk.agents.call_meter import CallMeter
from smoldesk.agents.chat_data import ChatData
from smoldesk.agents.entries import INTERPRETER, AgentEntry
from smoldesk.buildings.building import Building
from smoldesk.errors import BadInput, Conflict
from smoldesk.models.capabilities import Capability
from smoldesk.models.choices import ResolvedModel
from smoldesk.models.window_offers import WindowOffers
from smoldesk.sandbox.executors import executor_of, is_sandbox
from smoldesk.stopping import StopFlag
from smoldesk.store.recordings import ReplayOptions, place_of_call
from smoldesk.store.run_options import ClientToolSpec
from smoldesk.tools.datasets import Datasets
from smoldesk.tools.run_context import Agent

if TYPE_CHECKING:
    from smolagents.models import Model

    from smoldesk.agents.supplied.agent_source import AgentSource
    from smoldesk.analyst.complete import Completed
    from smoldesk.analyst.language import Language


class AgentBuilder:
    """Builder of smolagents agents, and the source of their tools, models and tables."""

    def __init__(self, parts: BuilderParts) -> None:
        self.parts = parts
        self.data = ChatData(parts)
        self.tools = AgentTools(parts, self.data, self.model)
        self.meters: dict[str, CallMeter] = {}

    def build(
        self,
        entry: AgentEntry,
        chat_id: str,
        stop: StopFlag,
        order: CallOrder | None,
        depth: int = 0,
        client_tools: Sequence[ClientToolSpec] = (),
        within: str | None = None,
        chosen: str | None = None,
        answer: AnswerSchema | RequiredCall | None = None,
        shares_state: bool = False,
        replay: ReplayOptions | None = None,
    ) -> Agent:
        """Build an agent for one run of a chat. Raises DeskError for an unavailable model or tool, Stopped.

        `depth` counts the agents between a person and this run, `client_tools` are the client's own tools. A managed agent
        works `within` a call of its manager; agents that it manages itself are built when they are called, with the model
        `chosen` for the chat unless they name one. `answer` is what the client requires of it. With `shares_state` the agent
        may change the state that the client shares. With `replay` the run is played again: recorded replies and results of
        tools take the place of the model, and of tools that act outside.
        """
        from smoldesk.agents.wrapper.agent_wrapper import AgentWrapper, Parts
        from smoldesk.agents.wrapper.sent_pictures import SentPictures
        from smoldesk.models.recorded_model import RecordedModel

        assert entry.kind != "terminal", "such agents are programs"
        if entry.source is not None:
            if replay is not None:
                raise Conflict(f"The agent {entry.name!r} cannot be played again.", code="not_replayable")
            return self._supplied(entry.source, entry, chat_id, stop, client_tools, answer)
        if answer is not None and self.parts.is_builtin(entry):
            raise no_schema(entry.name)
        building = self.parts.building_of(chat_id)
        recording = replay.recording if replay is not None and not replay.is_live else None
        resolved = self._resolved(entry) if recording is None else None
        local_tools = self.tools.all(
            self.parts.data_dir.chat_folder(chat_id), building, stop, chat_id, depth, replay
        )
        tools = self.tools.allowed(
            entry,
            [*local_tools, *self.tools.of_servers(entry, local_tools, self.parts.servers.start_seconds)],
        )

        def managed(member: AgentEntry, call_id: str) -> Agent:
            member = replace(member, model=member.model or chosen)
            return self.build(
                member, chat_id, stop, order, depth, within=call_id, chosen=chosen, replay=replay
            )

        team = self.tools.team(entry, tools, managed)
        if recording is not None:
            model = RecordedModel(recording.replies.get(place_of_call(within), ()))
        else:
            model = self.model(entry, building, lambda: self.data.files(chat_id, stop), resolved, stop)
        own_tools = [
            *tools,
            *client_side_tools(client_tools, tools, shares_state),
            *self.parts.tools_of_chat((replay and replay.origin) or chat_id),
        ]
        parts = Parts(
            kind=entry.kind,
            model=model,
            tools=[*self.tools.played(own_tools, replay), *team],
            rooms=building.rooms(),
            children=self.parts.children,
            max_steps=entry.max_steps or self.parts.choices.max_steps,
            steps_setting=self._steps_setting(entry),
            call_order=order or self.parts.choices.tool_calls,
            executor=executor_of(entry.executor, self.parts.choices.executor),
            tables=self.parts.open_tables,
            runs_code=entry.tools is None or INTERPRETER in entry.tools,
            context=resolved.context if resolved else None,
            max_tokens=resolved.access.options.max_tokens if resolved else None,
            pictures=partial(self.data.pictures, chat_id)
            if resolved and resolved.images
            else lambda _, __: SentPictures(),
            notes=list
            if self.parts.is_builtin(entry) or recording
            else lambda: self._notes(within is not None),
            outline=str
            if self.parts.is_builtin(entry) or recording
            else lambda: self.data.outline(entry, chat_id, building, tools, stop),
            structured=recording.is_structured
            if recording
            else entry.structured and (resolved is None or resolved.structured is not False),
            capability=resolved.capability if resolved else Capability(),
            prompt_fault=WindowOffers(
                self.parts.choices.models,
                entry.model or self.parts.choices.model,
                entry.name,
                lambda: [*self.parts.entries],
            ).fault,
            answer=answer,
            read_selected=self._reader_of_selected(model, chat_id, stop)
            if self.parts.is_builtin(entry) and recording is None
            else None,
            has_data=partial(self.data.has_data, chat_id, building),
            within=within,
            meter=self.meters.get(chat_id) or CallMeter(),
        )
        return AgentWrapper(parts)

    def _supplied(
        self,
        source: "AgentSource",
        entry: AgentEntry,
        chat_id: str,
        stop: StopFlag,
        client_tools: Sequence[ClientToolSpec],
        answer: AnswerSchema | RequiredCall | None,
    ) -> Agent:
        """Return a run of a person's own agent. Raises BadInput for what such an agent does not support, DeskError."""
        from smoldesk.agents.supplied.agent_run import SuppliedRun
        from smoldesk.agents.supplied.equipment import DeskSide

        if answer is not None:
            raise no_schema(entry.name)
        if client_tools:
            raise BadInput(
                f"The agent {entry.name!r} does not support tools of the client.",
                "Leave them out, or choose another agent.",
                "unsupported_value",
            )
        building = self.parts.building_of(chat_id)
        side = DeskSide(
            self.parts.children,
            building.rooms(),
            self.parts.open_tables,
            self.parts.choices.executor,
            source.approvals,
        )
        return SuppliedRun(
            source.agent_for(chat_id),
            side,
            source.remembers,
            notes=self.parts.servers.problems if source.runs_code_here else list,
            outline=lambda: (
                self.data.outline(entry, chat_id, building, [], stop) if source.runs_code_here else ""
            ),
            pictures=partial(self.data.pictures, chat_id),
            files=partial(self.data.files_of_message, chat_id),
            upload_folder=source.upload_folder,
        )

    def _notes(self, is_managed: bool) -> list[str]:
        """Return notes for a model: which MCP servers do not run, and for a managed agent that its reader is an agent."""
        notes = self.parts.servers.problems()
        if not is_managed:
            return notes
        from smoldesk.agents.wrapper.managed_agent import BY_MANAGER

        return [BY_MANAGER, *notes]

    def code_run(
        self,
        entry: AgentEntry,
        chat_id: str,
        stop: StopFlag,
        depth: int = 0,
        replay: ReplayOptions | None = None,
    ) -> Agent:
        """Build the runner of a person's code, with the tools of the agent. Raises DeskError for an unavailable tool."""
        from smoldesk.agents.wrapper.code_run import CodeRun

        building = self.parts.building_of(chat_id)
        if entry.source is not None:  # its tools belong to its own runs
            return CodeRun([], building.rooms(), self.parts.children, self.parts.choices.executor)
        tools = self.tools.all(
            self.parts.data_dir.chat_folder(chat_id), building, stop, chat_id, depth, replay
        )
        tools = [*tools, *self.tools.of_servers(entry, tools, self.parts.servers.start_seconds)]
        return CodeRun(
            self.tools.played(self.tools.allowed(entry, tools), replay),
            building.rooms(),
            self.parts.children,
            executor_of(entry.executor, self.parts.choices.executor),
        )

    def _resolved(self, entry: AgentEntry) -> ResolvedModel | None:
        """Resolve the agent's model; None for a scripted one. Raises DeskError."""
        if self.parts.make_model is not None:
            return None
        choice = entry.model or self.parts.choices.model
        self.parts.choices.models.learn(choice)
        self.parts.choices.models.check_window(choice)
        return self._model_of(entry)

    def _steps_setting(self, entry: AgentEntry) -> str:
        if entry.max_steps:
            return f"`max_steps` of the agent {entry.name!r} in agents.toml"
        return "SMOLDESK_MAX_STEPS" if "max_steps" in self.parts.choices.models.access.settings else ""

    def _reader_of_selected(self, model: "Model", chat_id: str, stop: StopFlag) -> Callable[[], None] | None:
        """Return the function that has the built-in analyst read nothing but the rows that a message selects."""
        from smoldesk.analyst.model import BuiltinModel

        if not isinstance(model, BuiltinModel) or not is_sandbox(self.parts.choices.executor):
            return None

        def read() -> None:
            model.catalogue = self.data.of_selected_rows(chat_id, stop)

        return read

    def _model_of(self, entry: AgentEntry) -> ResolvedModel:
        """Return the agent's model, with its options and those of its entry."""
        resolved = self.parts.choices.models.resolve(entry.model or self.parts.choices.model)
        options = resolved.access.options.merged(entry.options)
        return replace(resolved, access=replace(resolved.access, options=options))

    def model(
        self,
        entry: AgentEntry,
        building: Building | None = None,
        chat_files: "Callable[[], ChatFiles]" = ChatFiles,
        resolved: ResolvedModel | None = None,
        stop: StopFlag | None = None,
    ) -> "Model":
        """Build the agent's model; `stop` ends what it reads. Raises DeskError."""
        if self.parts.make_model is not None:
            return self.parts.make_model()
        resolved = resolved or self._model_of(entry)
        from smoldesk.models import build_model

        def builtin() -> "Model":
            from smoldesk.analyst.model import BuiltinModel

            target_building = building or self.parts.building_of(None)
            with_named = partial(self.data.with_named_tables, target_building, stop or StopFlag())
            return BuiltinModel(desk_catalogue(target_building, Datasets.bundled(), chat_files()), with_named)

        return build_model(resolved.model, resolved.access, builtin)

    def complete(self, entry: AgentEntry, chat_id: str, text: str, language: "Language") -> "list[Completed]":
        """Complete a text to questions about the chat's tables, else the bundled ones; empty for models but the analyst."""
        if not self.parts.is_builtin(entry):
            return []
        from smoldesk.analyst.chat_schemas import build_schemas
        from smoldesk.analyst.complete import complete

        return complete(text, build_schemas(self.data.catalogue(chat_id)).chat_tables, language)

    def cached_tables(self) -> "Sequence[tuple[str, Sequence[tuple[str, Sequence[str]]]]]":
        """Return the databases with their cached tables and columns, without waiting for any."""
        return self.parts.databases.cached_tables()


def no_schema(agent: str) -> BadInput:
    """Return the error for an agent that does not support answers with a schema."""
    return BadInput(
        f"The agent {agent!r} does not support answers with a schema.",
        "Choose one of kind code or tools, with a model other than the built-in analyst.",
        "unsupported_value",
    )
