"""Work of managed agents in a run's log: joined, counted and closed like the run's own, and never taken for it."""

from smoldesk.events import (
    Delta,
    Nested,
    Printed,
    RunEvent,
    RunFailed,
    Shown,
    StepFinished,
    ToolCalled,
    ToolFailed,
    event_adapter,
)
from smoldesk.runs.context import RunUsage
from smoldesk.store.writer import joined
from smoldesk.tools.run_context import RunContext
from tests.runs.conftest import Bench, dies, new_chat, until_closed, until_event
from tests.support.aio import run_async

CALL = ToolCalled(step=1, call_id="r.1", tool="searcher", arguments={})
INNER = ToolCalled(step=1, call_id="r.1.1", tool="note", arguments={})


def within(event: object, call: str = "r.1") -> Nested:
    return Nested.model_validate({"within": call, "agent": "searcher", "event": event})


def test_pieces_of_one_agent_are_joined_and_those_of_two_are_not() -> None:
    messages: list[RunEvent] = [
        within(Delta(step=1, kind="text", text="a")),
        within(Delta(step=1, kind="text", text="b")),
        Delta(step=1, kind="text", text="c"),
        within(Delta(step=1, kind="text", text="d"), "r.2"),
        within(Printed(step=1, text="e"), "r.2"),
        within(Printed(step=1, text="f"), "r.2"),
    ]
    out = joined(messages)
    texts = [(item.within, item.event.text) for item in out if isinstance(item, Nested)]  # pyright: ignore
    assert texts == [("r.1", "ab"), ("r.2", "d"), ("r.2", "ef")]
    assert out[1] == messages[2]
    assert event_adapter.validate_json(messages[0].model_dump_json()) == messages[0]


def test_tokens_of_managed_agents_count_once_and_their_steps_are_not_the_runs() -> None:
    usage = RunUsage()
    step = StepFinished(step=1, memory={}, input_tokens=10, output_tokens=1, duration=0.1)
    usage.note([within(step), within(step, "r.1.1"), step])
    assert usage.facts() == {"steps": 1, "tokens_in": 30, "tokens_out": 3}


def test_a_restart_leaves_no_call_of_a_managed_agent_open(bench: Bench) -> None:
    def nests(message: str, ctx: RunContext) -> str:
        ctx.emit(CALL, within(INNER))
        ctx.stop.wait(60)
        ctx.stop.check()
        return "never"

    runs = bench.open(nests)

    async def started() -> str:
        chat_id = await new_chat(runs)
        await runs.start(chat_id, "go")
        await until_event(runs, chat_id, Nested)
        return chat_id

    chat_id = run_async(started())
    dies(runs)
    events = [stored.event for stored in run_async(until_closed(bench.open(nests), chat_id))]
    why = "The server restarted"
    assert events[-4:-2] == [
        within(ToolFailed(step=1, call_id="r.1.1", tool="note", error=why, code="run_ended")),
        ToolFailed(step=1, call_id="r.1", tool="searcher", error=why, code="run_ended"),
    ]
    assert isinstance(events[-2], Shown) and isinstance(events[-1], RunFailed)
