"""Operations of the protocol over the desk's runs: a task is a run, its context a chat, input-required an open ask.

The SDK reads and validates requests and writes responses; the handlers call `Runs` and store nothing.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace

from a2a.server.context import ServerCallContext
from a2a.server.request_handlers.request_handler import RequestHandler
from a2a.server.request_handlers.request_handler import (
    validate_request_params as checked,  # pyright: ignore[reportUnknownVariableType]
)
from a2a.types import a2a_pb2 as pb
from a2a.utils.errors import (
    TaskNotCancelableError,
    TaskNotFoundError,
    UnsupportedOperationError,
)
from a2a.utils.task import apply_history_length, validate_history_length

from smoldesk.chats import Chats
from smoldesk.errors import Conflict
from smoldesk.runs import Runs
from smoldesk.wires.a2a import list_tasks
from smoldesk.wires.a2a.encoder import TaskForm
from smoldesk.wires.a2a.errors import translate_errors
from smoldesk.wires.a2a.models import IncomingMessage, ProtocolEvent, base_in
from smoldesk.wires.a2a.push import PushNotifier, config_of, params_of
from smoldesk.wires.a2a.requests import INPUT_MODES, read_message
from smoldesk.wires.a2a.send_message import MessageSender, SentMessage
from smoldesk.wires.a2a.task_view import (
    TaskView,
    ViewedTask,
    is_last,
)
from smoldesk.wires.task_projection import STATUS_EVENTS, StatusUpdate

CANCELED = "Canceled by the client"
# Seconds that a cancel waits for the run's end.
END_SECONDS = 5.0
Event = pb.Task | pb.Message | ProtocolEvent


@dataclass(frozen=True)
class Services:
    """Services that the handlers of a desk share."""

    runs: Runs
    chats: Chats
    task_view: TaskView
    message_sender: MessageSender
    push_notifier: PushNotifier


class DeskHandler(RequestHandler):
    """Handler of one address: `agent` answers its messages, None means the chat's or the desk's default agent."""

    modes: Collection[str] = INPUT_MODES
    """Media types that parts may have."""

    def __init__(
        self, services: Services, agent: str | None, extended_card: Callable[[str], pb.AgentCard] | None
    ) -> None:
        """`extended_card` makes the card for callers with the token, and may block; None if the desk has no token."""
        self._runs = services.runs
        self._chats = services.chats
        self._task_view = services.task_view
        self._message_sender = services.message_sender
        self._push_notifier = services.push_notifier
        self._agent = agent
        self._extended_card = extended_card

    # --- messages -------------------------------------------------------------------------------------------------

    @checked
    async def on_message_send(
        self, params: pb.SendMessageRequest, context: ServerCallContext
    ) -> pb.Task | pb.Message:
        """Return a task once it is over or waits for input; at once if the client requests that."""
        sent, viewed_task = await self._process_message(params, context)
        with translate_errors():
            if not params.configuration.return_immediately and not _is_settled(viewed_task):
                await self._task_view.settled(viewed_task, sent.answered)
                viewed_task = await self._task_view.view(sent.task_id)
            task = await _form(viewed_task, context)
        return apply_history_length(task, params.configuration)

    @checked
    async def on_message_send_stream(
        self, params: pb.SendMessageRequest, context: ServerCallContext
    ) -> AsyncGenerator[Event, None]:
        """Yield the task, then its updates, until it is over or waits for input."""
        sent, viewed_task = await self._process_message(params, context)
        with translate_errors():
            task = await _form(viewed_task, context)
        yield apply_history_length(task, params.configuration)
        if not _is_settled(viewed_task):
            async for event in self._events(viewed_task, context, sent.answered):
                yield event

    async def _process_message(
        self, params: pb.SendMessageRequest, context: ServerCallContext
    ) -> tuple[SentMessage, ViewedTask]:
        validate_history_length(params.configuration)
        with translate_errors():
            # in a thread: decoding large files takes long
            incoming = await asyncio.to_thread(
                read_message, params, self._message_sender.file_limit, self.modes
            )
            push_params = params.configuration.task_push_notification_config
            if params.configuration.HasField("task_push_notification_config"):
                await self._push_notifier.check(config_of(push_params, "", base_in(context), 0))
            sent = await self._send(incoming, context)
            viewed_task = await self._task_view.view(sent.task_id)
            if params.configuration.HasField("task_push_notification_config"):
                push_params.task_id = sent.task_id
                after = viewed_task.seq if sent.answered else 0
                await self._push_notifier.begin(
                    config_of(push_params, viewed_task.record.chat_id, base_in(context), after)
                )
        if sent.answered is not None:
            viewed_task.note_answered(sent.answered)
        return sent, viewed_task

    async def _send(self, incoming: IncomingMessage, context: ServerCallContext) -> SentMessage:
        return await self._message_sender.send(incoming, self._agent)

    async def _events(
        self, viewed_task: ViewedTask, context: ServerCallContext, answered: str | None = None
    ) -> AsyncGenerator[Event, None]:
        form, last_state = TaskForm(viewed_task.record, base_in(context)), viewed_task.status.state
        with translate_errors():
            async with aclosing(self._task_view.merged(viewed_task)) as updates:
                async for update in updates:
                    if isinstance(update, StatusUpdate):
                        if update.state == last_state == "working":
                            continue  # the client already has this state from its answer
                        last_state = update.state
                    yield form.event(update)
                    if is_last(update, answered):
                        return

    # --- tasks ----------------------------------------------------------------------------------------------------

    @checked
    async def on_get_task(self, params: pb.GetTaskRequest, context: ServerCallContext) -> pb.Task | None:
        """Return the task."""
        validate_history_length(params)
        with translate_errors():
            task = await _form(await self._task_view.view(params.id), context)
        return apply_history_length(task, params)

    @checked
    async def on_list_tasks(
        self, params: pb.ListTasksRequest, context: ServerCallContext
    ) -> pb.ListTasksResponse:
        """Return a page of tasks, last changed first."""
        with translate_errors():
            return await list_tasks.page(self._runs, self._chats, params, base_in(context))

    @checked
    async def on_cancel_task(
        self, params: pb.CancelTaskRequest, context: ServerCallContext
    ) -> pb.Task | None:
        """Stop a task; it has ended when this returns, unless that takes more than a few seconds."""
        with translate_errors():
            viewed_task = await self._task_view.view(params.id, STATUS_EVENTS)
            try:
                await self._runs.cancel(params.id, CANCELED)
            except Conflict as fault:
                raise TaskNotCancelableError(f"This task is over: {viewed_task.status.state}.") from fault
            with suppress(TimeoutError):
                async with (
                    asyncio.timeout(END_SECONDS),
                    aclosing(self._task_view.updates(viewed_task)) as updates,
                ):
                    async for _ in updates:
                        pass
            return await _form(await self._task_view.view(params.id), context)

    @checked
    async def on_subscribe_to_task(
        self, params: pb.SubscribeToTaskRequest, context: ServerCallContext
    ) -> AsyncGenerator[Event, None]:
        """Yield the task, then its updates, until it is over or waits for input."""
        with translate_errors():
            viewed_task = await self._task_view.view(params.id)
        if viewed_task.status.is_end:
            raise UnsupportedOperationError(
                f"This task is over: {viewed_task.status.state}. GetTask has all of it."
            )
        with translate_errors():
            task = await _form(viewed_task, context)
        yield task
        async for event in self._events(viewed_task, context):
            yield event

    # --- push notifications -----------------------------------------------------------------------------------------

    @checked
    async def on_create_task_push_notification_config(
        self, params: pb.TaskPushNotificationConfig, context: ServerCallContext
    ) -> pb.TaskPushNotificationConfig:
        """Send the task's further events to a client's address."""
        with translate_errors():
            viewed_task = await self._task_view.view(params.task_id, STATUS_EVENTS)
            config = config_of(params, viewed_task.record.chat_id, base_in(context), viewed_task.seq)
            await self._push_notifier.check(config)
            await self._push_notifier.begin(replace(config, is_over=viewed_task.status.is_end))
        return params_of(config)

    @checked
    async def on_get_task_push_notification_config(
        self, params: pb.GetTaskPushNotificationConfigRequest, context: ServerCallContext
    ) -> pb.TaskPushNotificationConfig:
        """Return one configuration of a task."""
        with translate_errors():
            for config in await self._push_notifier.of_task(params.task_id):
                if config.id == params.id:
                    return params_of(config)
        raise TaskNotFoundError(f"The task has no push configuration {params.id[:40]!r}.")

    @checked
    async def on_list_task_push_notification_configs(
        self, params: pb.ListTaskPushNotificationConfigsRequest, context: ServerCallContext
    ) -> pb.ListTaskPushNotificationConfigsResponse:
        """Return all of them: they are few."""
        with translate_errors():
            configs = await self._push_notifier.of_task(params.task_id)
        return pb.ListTaskPushNotificationConfigsResponse(configs=[params_of(config) for config in configs])

    @checked
    async def on_delete_task_push_notification_config(
        self, params: pb.DeleteTaskPushNotificationConfigRequest, context: ServerCallContext
    ) -> None:
        """Tell nothing more there."""
        with translate_errors():
            await self._push_notifier.end(params.task_id, params.id)

    # --- the card ---------------------------------------------------------------------------------------------------

    @checked
    async def on_get_extended_agent_card(
        self, params: pb.GetExtendedAgentCardRequest, context: ServerCallContext
    ) -> pb.AgentCard:
        """Return the card for callers with the token; requests without it do not reach this method."""
        if self._extended_card is None:
            raise UnsupportedOperationError(
                "This desk asks for no token, and has no card but the public one."
            )
        return await asyncio.to_thread(self._extended_card, base_in(context))


async def _form(viewed_task: ViewedTask, context: ServerCallContext) -> pb.Task:
    """Return the task in the protocol's form, built on a thread, since it may be large."""
    return await asyncio.to_thread(viewed_task.task, base_in(context))


def _is_settled(viewed_task: ViewedTask) -> bool:
    """Return whether the task is over or waits for an answer."""
    return viewed_task.status.is_end or viewed_task.status.state == "input_required"
