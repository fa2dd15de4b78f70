"""Memory of an agent: written into StepFinished, and rebuilt from the log for every run.

smolagents cannot restore steps from its own dicts, so this is a format of the desk: plain data in, equal steps out.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import JsonValue
from smolagents.memory import ActionStep, MemoryStep, PlanningStep, TaskStep, ToolCall
from smolagents.models import ChatMessage, MessageRole
from smolagents.monitoring import Timing
from smolagents.utils import (
    AgentError,
    AgentExecutionError,
    AgentGenerationError,
    AgentMaxStepsError,
    AgentParsingError,
    AgentToolCallError,
    AgentToolExecutionError,
)

from smoldesk.agents.wrapper.code_agent import QUIET
from smoldesk.events import ReadingKept, RunStarted, StepFinished, StoredEvent, with_kept_reading
from smoldesk.output_parser.structured_text import as_structured, as_tagged

_ERRORS = {
    error.__name__: error
    for error in (
        AgentError,
        AgentExecutionError,
        AgentGenerationError,
        AgentMaxStepsError,
        AgentParsingError,
        AgentToolCallError,
        AgentToolExecutionError,
    )
}


RAN_BY_PERSON = (
    "(I, the person, ran this code myself in the same Python process; its variables are there for you.)"
)


def attachment_notes(names: Sequence[str]) -> list[str]:
    """Return the note for a model with the files of a message, if there are any; the built-in analyst reads it, too."""
    names_as_json = json.dumps([*names], ensure_ascii=False)
    return [f"files that came with this message, in the working directory: {names_as_json}"] if names else []


def task_of(message: str, notes: list[str], outline: str = "") -> str:
    """Return the task for the model: the outline of the chat's data, the person's message, notes on the state of the desk."""
    task = f"{outline}\n\n{message}" if outline else message
    return task if not notes else task + "\n\n" + "\n".join(f"(Note: {note})" for note in notes)


# Fields of a step's memory that TaskNotes writes.
ADDITIONS = ("notes", "outline")


@dataclass(frozen=True)
class TaskNotes:
    """Additions to a task that the agent made when the run started.

    Stored with the first step: later runs must send the same messages again, or no provider has them in its cache.
    """

    notes: list[str] = field(default_factory=list[str])
    outline: str = ""

    @classmethod
    def since(cls, history: Sequence[StoredEvent], notes: list[str], outline: str) -> "TaskNotes":
        """Return the additions after earlier runs: an outline that the model has read already is not repeated."""
        return cls(notes, "" if outline == newest_outline(history) else outline)

    def text(self, message: str, notes: list[str]) -> str:
        """Return the task for the model; `notes` are those of the log."""
        return task_of(message, [*notes, *self.notes], self.outline)

    def memory(self) -> dict[str, JsonValue]:
        """Return the fields for a step's memory, without empty ones."""
        notes: dict[str, JsonValue] = {"notes": [*self.notes]} if self.notes else {}
        return notes | ({"outline": self.outline} if self.outline else {})

    @classmethod
    def of(cls, memory: Mapping[str, Any]) -> "TaskNotes":
        """Return the additions that a step's memory has; none in logs of earlier versions."""
        return cls(memory.get("notes", []), memory.get("outline", ""))


def newest_outline(history: Sequence[StoredEvent]) -> str:
    """Return the last outline in the memory of earlier runs; empty without one."""
    for stored in reversed(history):
        if isinstance(stored.event, StepFinished) and stored.event.memory.get("outline"):
            return TaskNotes.of(stored.event.memory).outline
    return ""


def step_memory(step: ActionStep) -> dict[str, JsonValue]:
    """Return the part of a step that later runs need, as JSON data."""
    calls: list[JsonValue] = [
        {"name": call.name, "arguments": call.arguments, "id": call.id} for call in step.tool_calls or []
    ]
    return {
        "step_number": step.step_number,
        "model_output": step.model_output if isinstance(step.model_output, str) else None,
        "code_action": step.code_action,
        "tool_calls": calls,
        "observations": step.observations,
        "error": {"type": type(step.error).__name__, "message": step.error.message} if step.error else None,
        "is_final_answer": step.is_final_answer,
    }


@dataclass
class PersonsCode(MemoryStep):
    """Code that the person ran in the agent's variables, with its output: neither a task nor a step of the agent."""

    code: str
    notes: list[str]
    observations: str | None = None

    def to_messages(self, summary_mode: bool = False) -> list[ChatMessage]:
        came = self.observations or "It was stopped before it gave anything."
        text = f"{RAN_BY_PERSON}\n```python\n{self.code}\n```\n{came}"
        content = [{"type": "text", "text": task_of(text, self.notes)}]
        return [ChatMessage(role=MessageRole.USER, content=content)]


def steps_from(history: Sequence[StoredEvent], structured: bool = False) -> list[MemoryStep]:
    """Return the memory steps of earlier runs, oldest first.

    Replies are converted to the present form, JSON if `structured`: models continue in the form that they see.
    """
    kept = {fact.run_id: fact for item in history if isinstance(fact := item.event, ReadingKept)}
    steps: list[MemoryStep] = []
    task: tuple[str, list[str]] = "", []
    for stored in history:
        if isinstance(stored.event, RunStarted) and stored.event.is_code:
            steps.append(PersonsCode(stored.event.message, stored.event.notes))
        elif isinstance(stored.event, StepFinished) and steps and isinstance(steps[-1], PersonsCode):
            observations = stored.event.memory["observations"]
            steps[-1].observations = observations if isinstance(observations, str) else None
        elif isinstance(stored.event, RunStarted):
            kept_reading = kept.get(stored.run_id or "")
            message = with_kept_reading(stored.event.message, kept_reading, stored.event.reading)
            task = message, [*attachment_notes(stored.event.attachments), *stored.event.notes]
            steps.append(TaskStep(task=task_of(*task)))
        elif isinstance(stored.event, StepFinished):
            memory = stored.event.memory
            if steps and isinstance(steps[-1], TaskStep) and not memory.keys().isdisjoint(ADDITIONS):
                steps[-1].task = TaskNotes.of(memory).text(*task)
            if plan := memory.get("plan"):
                steps.append(_planning_step(str(plan)))
            steps.append(_action_step(stored.event, structured))
    return steps


def _planning_step(plan: str) -> PlanningStep:
    message = ChatMessage(role=MessageRole.ASSISTANT, content=plan)
    return PlanningStep([], message, plan, Timing(start_time=0.0, end_time=0.0))


def _action_step(event: StepFinished, structured: bool) -> ActionStep:
    memory: dict[str, Any] = dict(event.memory)
    error, output = memory["error"], memory["model_output"]
    if output is not None and memory["code_action"] is not None:
        output = (as_structured if structured else as_tagged)(output)
    return ActionStep(
        step_number=event.step,
        timing=Timing(start_time=0.0, end_time=event.duration),
        model_output=output,
        code_action=memory["code_action"],
        tool_calls=[ToolCall(**call) for call in memory["tool_calls"]] or None,
        observations=memory["observations"],
        error=_ERRORS.get(error["type"], AgentError)(error["message"], QUIET) if error else None,
        is_final_answer=memory["is_final_answer"],
    )
