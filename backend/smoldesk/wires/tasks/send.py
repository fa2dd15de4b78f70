"""A message becomes a task: its files are taken in, and a run is queued in the chat it names or in a new one."""

from smoldesk.agents import DeskAgents
from smoldesk.errors import BadInput, NotFound
from smoldesk.runs import Runs
from smoldesk.store import chats
from smoldesk.store.run_options import RunOptions
from smoldesk.store.transaction import Tx
from smoldesk.wires.intake import kept, with_names
from smoldesk.wires.tasks.requests import Malformed, NewTask


class Sending:
    """Begins tasks."""

    def __init__(self, runs: Runs, agents: DeskAgents, message_limit: int, file_limit: int) -> None:
        """The limits are of a message's text and of a file in it, in bytes."""
        self._runs = runs
        self._agents = agents
        self._message_limit = message_limit
        self.file_limit = file_limit

    async def begin(self, task: NewTask) -> str:
        """The new task's id. Raises NotFound for an unknown context, Conflict when too many tasks wait there."""
        if len(task.text.encode("utf-8", "replace")) > self._message_limit:
            hint = f"At most {self._message_limit} bytes."
            raise BadInput("The message is too long.", hint, code="too_large")
        if task.agent is not None:
            self._check_agent(task.agent)
        chat_id = await self._chat(task.context)
        store = self._runs.store
        names = [
            await kept(store, self._agents, chat_id, file.name, file.data, self.file_limit)
            for file in task.files
        ]
        options = RunOptions(agent=task.agent, metadata=task.metadata or None)
        return await self._runs.start(chat_id, with_names(task.text, names), options)

    def _check_agent(self, name: str) -> None:
        try:
            self._agents.listed.get(name)
        except NotFound as fault:
            raise Malformed(fault.message, fault.hint, code=fault.code) from None

    async def _chat(self, context: str | None) -> str:
        def job(tx: Tx) -> str:
            return (chats.new_chat(tx) if context is None else chats.get_chat(tx.connection, context)).id

        try:
            return await self._runs.store.do(job)
        except NotFound:
            raise NotFound("Context not found", "Leave contextId out to begin a new one.") from None
