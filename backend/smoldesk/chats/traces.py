"""Traces: what a step's calls of the model were sent and gave, and its memory, put together from a chat's log on demand."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue
from sqlalchemy import Connection

from smoldesk.errors import NotFound
from smoldesk.store import chats, prompt_messages
from smoldesk.store.store import Store


@dataclass(frozen=True)
class PromptMessage:
    """A message of a prompt as JSON text; None when it is not kept (any more)."""

    id: str
    text: str | None


@dataclass(frozen=True)
class TracedCall:
    """One call of the model; `seq` is its event's."""

    seq: int
    prompt: Sequence[PromptMessage]
    response: PromptMessage | None


@dataclass(frozen=True)
class TracedStep:
    """A step's calls of the model, and the memory that later runs have of it, once it is over."""

    calls: Sequence[TracedCall]
    memory: dict[str, JsonValue] | None


class Traces:
    """The traces of all chats of a desk. Methods raise NotFound for an unknown chat."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def step(self, chat_id: str, run_id: str, step: int, within: str | None = None) -> TracedStep:
        """Return one step of a run, or of a managed agent's in the call `within`; raises NotFound when there is none."""
        return await self._store.aread(lambda connection: _step(connection, chat_id, run_id, step, within))

    async def message(self, chat_id: str, message_id: str) -> str:
        """Return a complete message as JSON text. Raises NotFound."""

        def read_message(connection: Connection) -> str:
            chats.get_chat(connection, chat_id)  # of a deleted chat nothing is found
            return prompt_messages.read_message(connection, chat_id, message_id)

        return await self._store.aread(read_message)


def _step(connection: Connection, chat_id: str, run_id: str, step: int, within: str | None) -> TracedStep:
    chats.get_chat(connection, chat_id)
    of_agent = prompt_messages.calls_of_run(connection, chat_id, run_id, within)
    calls = [call for call in of_agent if call.event.step == step]
    if within is None:
        finished = prompt_messages.step_finished(connection, chat_id, run_id, step)
    else:
        finished = prompt_messages.nested_step_finished(connection, chat_id, run_id, within, step)
    if not calls and finished is None:
        raise NotFound(f"There is no step {step} of run {run_id[:40]!r} in this chat.")
    responses = [call.event.response for call in calls if call.event.response]
    prompt_ids = [name for call in calls for name in call.prompt]
    texts = prompt_messages.read_messages(connection, chat_id, [*prompt_ids, *responses])

    def message(name: str) -> PromptMessage:
        return PromptMessage(name, texts.get(name))

    traced = [
        TracedCall(
            call.seq,
            [message(name) for name in call.prompt],
            message(call.event.response) if call.event.response else None,
        )
        for call in calls
    ]
    return TracedStep(traced, finished.memory if finished else None)
