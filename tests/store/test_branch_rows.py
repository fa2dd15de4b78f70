"""Rows of a branch after a turn, and what its turns remember when they are answered again."""

from smoldesk.events import ChartChanged, ReadingKept, RunFinished, RunStarted, Shown
from smoldesk.messages import Chart, ChartContent, Code
from smoldesk.store import branch_rows, chats, event_log, run_queue
from smoldesk.store.audit_rows import audit_page
from smoldesk.store.chat_choices import set_policy
from smoldesk.store.run_options import RunOptions
from smoldesk.store.store import Store
from smoldesk.store.transaction import Tx

SPEC = "f_" + "a" * 24


def chart(spec_id: str = SPEC) -> ChartContent:
    sizes = {"width": 1, "height": 1, "rows": 1, "shown": 1}
    names = {"spec_id": spec_id, "image_id": spec_id, "name": "c", "description": ""}
    return ChartContent.model_validate(names | sizes)


def finish(tx: Tx, chat_id: str, *messages: Code | Chart) -> str:
    """Run the next message of the chat to its end."""
    claim = run_queue.claim_next(tx, chat_id, run_queue.Claimant("me", 60))
    assert claim is not None
    tx.append(chat_id, [Shown(message=message) for message in messages], claim.run.id)
    run_queue.close_run(tx, claim.run, claim.epoch, [RunFinished(text="done")])
    return claim.run.id


def test_a_branch_after_a_turn_has_what_was_chosen_since(sqlite_store: Store) -> None:
    def job(tx: Tx) -> tuple[str, str]:
        chat_id = chats.new_chat(tx).id
        for message in ("draw", "later"):
            run_queue.enqueue_run(tx, chat_id, message, 10)
        # The second message waits: queued, queued, started, and the code is event 4; in the branch it is 3.
        code = Code(content="chart(df, spec)", step="1")
        drawn = finish(tx, chat_id, code, Chart(content=chart()))
        other = finish(tx, chat_id, Chart(content=chart("f_" + "b" * 24)))
        changed = ChartChanged(spec_id=SPEC, chart=chart(), code=code, code_seq=4)
        elsewhere = ChartChanged(spec_id="f_" + "b" * 24, chart=chart("f_" + "c" * 24))
        tx.append(chat_id, [ReadingKept(run_id=drawn), ReadingKept(run_id=other), changed, elsewhere])
        return chat_id, drawn

    chat_id, drawn = sqlite_store.submit(job).result()
    trunk = sqlite_store.read(
        lambda connection: branch_rows.read_trunk(connection, chat_id, drawn, RunOptions())
    )
    sqlite_store.submit(lambda tx: branch_rows.write_branch(tx, trunk, "c_branch", {})).result()
    log = sqlite_store.events("c_branch")
    [run_id] = {stored.run_id for stored in log if stored.run_id}
    readings = [stored.event.run_id for stored in log if isinstance(stored.event, ReadingKept)]
    [change] = [stored.event for stored in log if isinstance(stored.event, ChartChanged)]
    assert (readings, change.spec_id, change.code_seq) == ([run_id], SPEC, 3)


def test_a_tool_that_a_branch_may_always_use_is_in_the_audit_log(sqlite_store: Store) -> None:
    def job(tx: Tx) -> tuple[str, str]:
        chat_id = chats.new_chat(tx).id
        set_policy(tx, chat_id, "pay", "allow")
        set_policy(tx, chat_id, "send", "allow")
        set_policy(tx, chat_id, "send", "ask")
        for message in ("first", "second"):
            run_queue.enqueue_run(tx, chat_id, message, 10)
        finish(tx, chat_id)
        return chat_id, finish(tx, chat_id)

    chat_id, run_id = sqlite_store.submit(job).result()
    trunk = sqlite_store.read(lambda connection: branch_rows.read_trunk(connection, chat_id, run_id))
    sqlite_store.submit(lambda tx: branch_rows.write_branch(tx, trunk, "c_branch", {})).result()
    log = sqlite_store.read(lambda connection: audit_page(connection, None, 9, 0, "c_branch"))
    assert [(entry.action, entry.name, entry.outcome) for entry in log] == [
        ("permission.given", "pay", "in a branch")
    ]


def test_a_message_that_was_cancelled_in_the_queue_has_the_memory_of_the_turns_before(
    sqlite_store: Store,
) -> None:
    def job(tx: Tx) -> tuple[str, str, str]:
        chat_id = chats.new_chat(tx).id
        run_queue.enqueue_run(tx, chat_id, "first", 10)
        waiting = run_queue.enqueue_run(tx, chat_id, "second", 10).id
        first = finish(tx, chat_id)
        run_queue.request_cancel(tx, waiting, "stopped")
        return chat_id, first, waiting

    chat_id, first, waiting = sqlite_store.submit(job).result()
    rows = sqlite_store.read(lambda connection: event_log.read_memory_before(connection, chat_id, 5, waiting))
    events = [(run_id, type(event_log.parsed(body))) for _, run_id, _, body in rows]
    assert events == [(first, RunStarted)]
