"""What a run remembers of earlier ones: read from the log once, the same on every server that works the chat."""

import pytest

from smoldesk.events import RunStarted, StepFinished, StoredEvent
from smoldesk.runs.earlier_runs import MAX_CHARS, RunHistory
from smoldesk.store import event_log
from smoldesk.tools.run_context import RunContext
from tests.runs.conftest import Bench, BenchRuns, new_chat, until_closed
from tests.support.aio import run_async


class Remembering:
    """An agent that ends one step, and stores what each of its runs remembered."""

    def __init__(self) -> None:
        self.remembered: list[list[StoredEvent]] = []

    def __call__(self, message: str, ctx: RunContext) -> str:
        self.remembered.append(ctx.history())
        ctx.emit(StepFinished(step=1, memory={"observations": message}, duration=0.1))
        return message


def ask(runs: BenchRuns, chat_id: str, messages: list[str], before: int = 0) -> None:
    async def scenario() -> None:
        for number, message in enumerate(messages, before + 1):
            await runs.start(chat_id, message)
            await until_closed(runs, chat_id, number)

    run_async(scenario())


def messages(history: list[StoredEvent]) -> list[str]:
    return [stored.event.message for stored in history if isinstance(stored.event, RunStarted)]


def test_each_run_remembers_the_newest_runs_before_it(bench: Bench) -> None:
    agent = Remembering()
    runs = bench.open(agent, memory_runs=2)
    ask(runs, run_async(new_chat(runs)), ["a", "b", "c", "d"])
    assert [messages(history) for history in agent.remembered] == [[], ["a"], ["a", "b"], ["b", "c"]]
    kinds = [type(stored.event) for stored in agent.remembered[-1]]
    assert kinds == [RunStarted, StepFinished, RunStarted, StepFinished]


def test_chats_do_not_share_their_memory(bench: Bench) -> None:
    agent = Remembering()
    runs = bench.open(agent)
    first, second = run_async(new_chat(runs)), run_async(new_chat(runs))
    ask(runs, first, ["mine"])
    ask(runs, second, ["yours"])
    ask(runs, first, ["and?"], before=1)
    assert [messages(history) for history in agent.remembered] == [[], [], ["mine"]]


def test_runs_of_another_server_are_remembered_too(bench: Bench) -> None:
    """Two servers take turns on one log: what a server has read before does not hide what came since."""
    agents = [Remembering(), Remembering()]
    first = bench.open(agents[0])
    chat_id = run_async(new_chat(first))
    ask(first, chat_id, ["one"])
    bench.opened.remove(first)
    again = RunHistory(40)
    first.store.read(lambda c: again.read(c, chat_id))
    ask(first, chat_id, ["two"], before=1)
    first.close()
    first.store.close()
    second = bench.open(agents[1])
    ask(second, chat_id, ["three"], before=2)
    [history] = agents[1].remembered
    assert messages(history) == ["one", "two"]
    assert second.store.read(lambda c: again.read(c, chat_id)) == second.store.read(
        lambda c: RunHistory(40).read(c, chat_id)
    )


def test_only_events_after_those_read_before_are_read(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[int] = []
    read = event_log.read_memory

    def counted(*args: object) -> object:
        result = read(*args)  # pyright: ignore[reportArgumentType]
        rows.append(len(result))
        return result

    monkeypatch.setattr(event_log, "read_memory", counted)
    runs = bench.open(Remembering())
    ask(runs, run_async(new_chat(runs)), [f"message {n}" for n in range(6)])
    assert rows == [1, 2, 2, 2, 2, 2]


def test_a_history_too_large_for_the_memory_is_read_from_the_log(bench: Bench) -> None:
    agent = Remembering()
    runs = bench.open(agent)
    long = "x" * (MAX_CHARS // 4)
    ask(runs, run_async(new_chat(runs)), [long, long, long, "and now?"])
    assert messages(agent.remembered[-1]) == [long, long, long]
