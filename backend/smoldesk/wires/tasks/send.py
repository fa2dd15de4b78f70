"""A message becomes a task: its files are taken in, and a run is queued in the chat it names or in a new one."""

from smoldesk.agents import DeskAgents
from smoldesk.chats import Chats, Uploads
from smoldesk.errors import NotFound
from smoldesk.runs import IdempotencyKey, RunOptions, Runs
from smoldesk.wires.bodies import check_text
from smoldesk.wires.tasks.models import Malformed, NewTask


class TaskSender:
    """Begins tasks."""

    def __init__(
        self, runs: Runs, agents: DeskAgents, chats: Chats, uploads: Uploads, message_limit: int
    ) -> None:
        """`message_limit`: most bytes of a message's text."""
        self._runs = runs
        self._agents = agents
        self._chats = chats
        self._uploads = uploads
        self._message_limit = message_limit

    async def begin(self, task: NewTask) -> str:
        """The new task's id. Raises NotFound for an unknown context, Conflict when too many tasks wait there."""
        check_text(task.text, self._message_limit)
        if task.agent is not None:
            self._check_agent(task.agent)
        key = IdempotencyKey.of("tasks", task.context or "", task.message_id) if task.message_id else None
        if key is not None and (known := await self._runs.records.sent_as(key)) is not None:
            return known.id
        chat_id = await self._chat(task.context)
        names = [await self._uploads.keep(chat_id, file.name, file.data) for file in task.files]
        options = RunOptions(agent=task.agent, metadata=task.metadata or None, attachments=names or None)
        if key is None:
            return await self._runs.start(chat_id, task.text, options)
        run_id, _ = await self._runs.start_once(chat_id, task.text, key, options)
        return run_id

    def _check_agent(self, name: str) -> None:
        try:
            self._agents.listed.get(name)
        except NotFound as fault:
            raise Malformed(fault.message, fault.hint, code=fault.code) from None

    async def _chat(self, context: str | None) -> str:
        try:
            return (await (self._chats.create() if context is None else self._chats.get(context))).id
        except NotFound:
            raise NotFound("Context not found", "Leave contextId out to begin a new one.") from None
