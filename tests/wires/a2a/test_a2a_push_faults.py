"""Faults of the desk while it notifies a client, and addresses that another server deleted meanwhile."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from smoldesk.chats import PushConfig, PushConfigs
from smoldesk.errors import DeskError
from smoldesk.wires.a2a.push import PushNotifier
from smoldesk.wires.a2a.task_view import TaskView
from tests.support.a2a_client import a2a_client, sent
from tests.support.desk_server import LiveDesk
from tests.support.waiting import PATIENCE
from tests.support.webhook import Webhook

FAULT = DeskError("The database is away.", code="store_fault")


@pytest.fixture
def hook() -> Iterator[Webhook]:
    webhook = Webhook()
    yield webhook
    webhook.close()


async def eventually(condition: Callable[[], bool]) -> None:
    for _ in range(PATIENCE // 10):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not come true")


def is_sending() -> bool:
    return any("PushNotifier._push" in repr(task) for task in asyncio.all_tasks())


def failing(monkeypatch: pytest.MonkeyPatch, method: str, *faults: Exception) -> None:
    """Have the next calls of a method of PushConfigs fail."""
    works, left = getattr(PushConfigs, method), list(faults)

    async def call(*args: Any) -> Any:
        if left:
            raise left.pop(0)
        return await works(*args)

    monkeypatch.setattr(PushConfigs, method, call)


async def configured(desk: LiveDesk, url: str) -> tuple[PushNotifier, PushConfigs, PushConfig]:
    """Return a notifier, and a configuration of a task that is over, of whose events none was sent."""
    async with a2a_client(desk.url, streaming=False) as client:
        task = await sent(client, "hello")
    view, configs = TaskView(desk.desk.runs), PushConfigs(desk.desk.store, desk.desk.runs)
    config = PushConfig(task.id, "one", (await view.record(task.id)).chat_id, url)
    return PushNotifier(configs, view, allow_private=True, pauses=(0.01,)), configs, config


async def test_notifications_go_on_after_a_fault_of_the_database_or_the_program(
    desk: LiveDesk, hook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    notifier, _, config = await configured(desk, hook.url)
    failing(monkeypatch, "record_delivery", FAULT, RuntimeError("can't start new thread"))
    await notifier.begin(config)
    await eventually(lambda: hook.is_told_the_end() and not is_sending())
    bodies = {key: repr(body) for key, (_, body) in zip(hook.keys(), hook.posted, strict=True)}
    assert len(hook.posted) > len(bodies), "the first events came again"
    assert all(bodies[key] == repr(body) for key, (_, body) in zip(hook.keys(), hook.posted, strict=True)), (
        "under the same keys"
    )
    await notifier.close()


async def test_an_address_that_could_not_be_replaced_is_still_notified(
    desk: LiveDesk, hook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook.statuses[:] = [503]
    notifier, _, config = await configured(desk, hook.url)
    await notifier.begin(config)
    failing(monkeypatch, "save", FAULT)
    with pytest.raises(DeskError, match="away"):
        await notifier.begin(replace(config, url="http://127.0.0.1:9/"))
    hook.statuses[:] = [200]
    await eventually(hook.is_told_the_end)
    await notifier.close()


async def test_a_take_over_whose_answer_was_lost_is_made_up_for(desk: LiveDesk, hook: Webhook) -> None:
    notifier, configs, config = await configured(desk, hook.url)
    await configs.save(config)  # this server is to send, but does not
    await notifier.resume()
    await eventually(hook.is_told_the_end)
    await notifier.close()


# --- attacks -----------------------------------------------------------------------------------------------------------


async def test_an_address_that_is_deleted_at_another_server_gets_nothing_more(
    desk: LiveDesk, hook: Webhook
) -> None:
    hook.statuses[:] = [503]
    notifier, configs, config = await configured(desk, hook.url)
    await notifier.begin(config)
    await eventually(lambda: len(hook.posted) >= 2 and is_sending())
    await configs.remove(config.run_id, config.id)
    await eventually(lambda: not is_sending())
    assert not hook.is_told_the_end()
    await notifier.close()
