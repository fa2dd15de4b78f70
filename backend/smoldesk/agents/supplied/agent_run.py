"""One run of a person's agent: memory from the log, the desk's equipment, and the agent's errors as the desk's."""

import logging
import os
import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from smolagents.utils import AgentError, AgentGenerationError

from smoldesk.agents.supplied.equipment import DeskSide, Equipment
from smoldesk.agents.wrapper.agent_wrapper import desk_error_of, run_to_end
from smoldesk.agents.wrapper.answers import answer_text
from smoldesk.agents.wrapper.memory import TaskNotes, attachment_notes, steps_from
from smoldesk.agents.wrapper.sent_pictures import SentPictures
from smoldesk.errors import DeskError
from smoldesk.folders import open_inside
from smoldesk.logs import hider
from smoldesk.markdown.answer_forms import language_of
from smoldesk.tools.run_context import RunContext

log = logging.getLogger(__name__)

_UNSAFE = re.compile(r"[^\w\-.]")


@dataclass(frozen=True)
class SuppliedRun:
    """Agent of one chat, which answers one message."""

    agent: Any
    desk: DeskSide
    remembers: bool
    """Whether the agent sees earlier runs of the chat."""
    notes: Callable[[], list[str]]
    outline: Callable[[], str]
    pictures: Callable[[str, Sequence[str]], SentPictures]
    files: Callable[[str, Sequence[str]], Sequence[str]]
    """Returns the names of the uploads that came with a message or that it names."""
    upload_folder: Path | None = None

    def run(self, message: str, ctx: RunContext) -> str:
        """Answer a message; see tools.run_context.Agent. Raises DeskError("own_agent_failed") for an error of the agent."""
        agent: Any = self.agent
        pictures = self.pictures(message, ctx.attachments)
        equipment = Equipment(agent, self.desk, ctx, pictures=pictures)
        equipment.report.language = language_of(message)
        try:
            with equipment.put_in(), ctx.stop.calling(agent.interrupt):
                structured = bool(getattr(agent, "_use_structured_outputs_internally", False))
                history = ctx.history() if self.remembers else []
                agent.memory.steps = list(steps_from(history, structured))
                notes = [*self.notes(), *self._provided(message, ctx)]
                equipment.report.task = added = TaskNotes.since(history, notes, self.outline())
                output = run_to_end(agent.run(added.text(message, ctx.notes), stream=True, reset=False))
        except AgentError as fault:
            ctx.stop.check()
            if isinstance(fault, AgentGenerationError):
                raise desk_error_of(fault) from fault
            raise own_error(fault) from fault  # a callback interrupted the agent
        except DeskError:
            ctx.stop.check()
            raise
        except Exception as fault:  # classes, callbacks and checks of a person may raise anything
            ctx.stop.check()
            log.warning("the agent of chat %s failed", ctx.chat_id, exc_info=fault)
            raise own_error(fault) from fault
        finally:
            agent.memory.steps = []
        ctx.stop.check()
        answer = equipment.report.answer
        return (
            answer
            if answer is not None
            else answer_text(output, equipment.last_cell, equipment.report.language)
        )

    def _provided(self, message: str, ctx: RunContext) -> list[str]:
        """Copy the message's files where the agent's tools read them, as GradioUI does; return a note with their paths."""
        if self.upload_folder is None:
            return attachment_notes(ctx.attachments)
        names = self.files(message, ctx.attachments)
        paths = [copy_upload(ctx.folder, name, self.upload_folder / ctx.chat_id) for name in names]
        return [f"You have been provided with these files: {paths}"] if paths else []


def copy_upload(folder: Path, name: str, target: Path) -> str:
    """Copy a chat's file into a folder under a safe name; return the path."""
    target.mkdir(parents=True, exist_ok=True)
    path = target / _UNSAFE.sub("_", Path(name).name)
    with os.fdopen(open_inside(folder, name), "rb") as source, path.open("wb") as file:
        shutil.copyfileobj(source, file)
    return str(path)


def own_error(fault: Exception) -> DeskError:
    """Return the error for an exception of a person's own code. A library may quote a key in its text; it is hidden."""
    return DeskError(
        hider(())(f"The agent failed: {type(fault).__name__}: {str(fault)[:500]}"),
        "The server's log has the traceback.",
        code="own_agent_failed",
    )
