"""What a client chose for its run reaches the agent's builder, also through a restart of the server."""

import pytest

from smoldesk.runs import Runs
from smoldesk.store import run_queue, run_rows
from smoldesk.store.run_options import NO_CHOICE, RunOptions
from smoldesk.tools.run_context import RunContext
from tests.runs.conftest import Bench, new_chat, until_closed
from tests.support.aio import run_async

CODE = RunOptions(agent="code")
IN_TURN = RunOptions(agent="tools", order="one_by_one")


def echo(message: str, ctx: RunContext) -> str:
    return message


@pytest.mark.parametrize("options", [NO_CHOICE, CODE, IN_TURN])
def test_options_are_what_was_kept(options: RunOptions) -> None:
    assert RunOptions.read(options.kept()) == options
    assert (options.kept() is None) == (options == NO_CHOICE)


def test_each_run_is_built_with_its_own_options(bench: Bench) -> None:
    runs = bench.open(echo)

    async def scenario() -> list[str]:
        chat_id = await new_chat(runs)
        started = [
            await runs.start(chat_id, "one"),
            await runs.start(chat_id, "two", CODE),
            await runs.start(chat_id, "three", IN_TURN),
        ]
        await until_closed(runs, chat_id, 3)
        return started

    started = run_async(scenario())
    assert bench.agents[0].chosen == [NO_CHOICE, CODE, IN_TURN]
    rows = [
        runs._store.read(lambda connection, run=run: run_rows.get_run(connection, run)) for run in started
    ]
    assert [row.options for row in rows] == [
        None,
        '{"agent":"code"}',
        '{"agent":"tools","order":"one_by_one"}',
    ]


def test_a_queued_run_keeps_its_options_through_a_restart(bench: Bench) -> None:
    first = bench.open(echo)

    async def queue() -> str:
        chat_id = await new_chat(first)
        # queued in the database only, as by a server that died before it began
        await first._store.do(lambda tx: run_queue.enqueue_run(tx, chat_id, "later", 10, IN_TURN))
        return chat_id

    chat_id = run_async(queue())
    bench.close()
    bench.opened.clear()
    second: Runs = bench.open(echo)
    run_async(until_closed(second, chat_id))
    assert bench.agents[1].chosen == [IN_TURN]
