"""The list of chats: in pages that join, searched, and with how each chat stands; on each kind of database."""

from functools import partial

import pytest
from sqlalchemy import event, insert, update

from smoldesk.events import RunFinished
from smoldesk.store import chat_lists, chats, run_queue
from smoldesk.store.chat_lists import ANSWER, ChatPage, Place, around, list_chats
from smoldesk.store.files import FileKind, StoredFile, add_file
from smoldesk.store.store import Store
from smoldesk.store.tables import ChatRow, EventRow, RunRow
from smoldesk.store.transaction import Tx


def add(store: Store, title: str, at: float = 1.0, requested: str = "", answer: str = "") -> str:
    """A chat that was last active at a time, with one answered run when something was asked; its id."""

    def job(tx: Tx) -> str:
        chat = chats.new_chat(tx, title)
        if requested:
            row = {"id": f"r_{chat.id}", "chat_id": chat.id, "position": 1, "state": "finished"}
            row |= {"message": requested, "created_at": at, "changed_at": at}
            tx.execute(insert(RunRow), row)
            tx.append(chat.id, [RunFinished(text=answer)], f"r_{chat.id}")
        tx.execute(update(ChatRow).where(ChatRow.id == chat.id).values(updated_at=at))
        return chat.id

    return store.submit(job).result(30)


def titles(page: ChatPage) -> list[str]:
    return [chat.chat.title for chat in page.chats]


def found(store: Store, text: str) -> dict[str, str]:
    """Title to what was found, of the chats that have these words."""
    return {
        chat.chat.title: chat.snippet for chat in store.read(lambda c: list_chats(c, text, limit=200)).chats
    }


def every_page(store: Store, text: str = "", limit: int = 7) -> list[list[str]]:
    pages: list[list[str]] = []
    place: Place | None = None
    while True:
        page = store.read(partial(list_chats, search=text, before=place, limit=limit))
        pages.append(titles(page))
        place = page.next
        if place is None:
            return pages


def test_pages_join_also_within_a_moment_and_pinned_ones_are_on_the_first_alone(store: Store) -> None:
    ids = [add(store, f"{number:02}", at=number // 3) for number in range(30)]
    for number in (5, 20):
        store.submit(lambda tx, number=number: chats.pin_chat(tx, ids[number], True)).result(30)
    first, *other_items = every_page(store)
    assert set(first[:2]) == {"05", "20"} and len(first) == 9
    received = [*first[2:], *(title for page in other_items for title in page)]
    assert sorted(received) == [f"{number:02}" for number in range(30) if number not in (5, 20)]
    assert [int(title) // 3 for title in received] == sorted(
        (int(title) // 3 for title in received), reverse=True
    )


def test_a_page_goes_on_where_it_ended_when_a_chat_before_it_moves(store: Store) -> None:
    ids = [add(store, str(number), at=number) for number in range(6)]
    first = store.read(partial(list_chats, limit=3))
    store.submit(
        lambda tx: tx.execute(update(ChatRow).where(ChatRow.id == ids[0]).values(updated_at=99.0))
    ).result(30)
    second = store.read(partial(list_chats, before=first.next, limit=3))
    assert (titles(first), titles(second)) == (["5", "4", "3"], ["2", "1"])


def test_an_archived_chat_is_in_the_archive_and_in_searches_alone(store: Store) -> None:
    chat_id = add(store, "old plan", at=1)
    add(store, "new plan", at=2)
    store.submit(lambda tx: chats.pin_chat(tx, chat_id, True)).result(30)

    def lists() -> tuple[list[str], list[str], list[str]]:
        pages = [
            store.read(partial(list_chats, **how)) for how in ({}, {"archived": True}, {"search": "plan"})
        ]
        return titles(pages[0]), titles(pages[1]), titles(pages[2])

    archived = store.submit(lambda tx: chats.set_archived(tx, chat_id, True)).result(30)
    assert (archived.pinned_at, archived.archived_at is None) == (None, False)
    assert lists() == (["new plan"], ["old plan"], ["new plan", "old plan"])
    store.submit(lambda tx: chats.set_archived(tx, chat_id, False)).result(30)
    assert lists() == (["new plan", "old plan"], [], ["new plan", "old plan"])


def test_words_are_found_in_titles_in_questions_and_in_answers(store: Store) -> None:
    add(store, "Quarterly report")
    add(store, "Second", requested="How many rows are in the\nQUARTER file?", answer="There are 12.")
    add(store, "Third", requested="Hello", answer='He said "three quarters" \\ 100 %')
    add(store, "Fourth", requested="厨房に矢印を", answer="左矢印が描かれました。")
    assert found(store, "quarter") == {
        "Quarterly report": "",
        "Second": "How many rows are in the QUARTER file?",
        "Third": 'He said "three quarters" \\ 100 %',
    }
    assert list(found(store, 'said "three')) == ["Third"]
    assert list(found(store, "\\ 100 %")) == ["Third"]
    assert list(found(store, "矢印")) == ["Fourth"]
    assert found(store, "描かれ")["Fourth"] == "左矢印が描かれました。"
    assert list(found(store, "second 12")) == ["Second"]  # a word of the title and one of the answer
    assert found(store, "second nothing") == {}
    assert found(store, "nul\0") == {}


def test_a_chat_is_found_by_the_name_of_a_file_that_a_person_added(store: Store) -> None:
    names: dict[FileKind, str] = {"upload": "fares 2024.csv", "produced": "fares by class.csv"}
    for kind, name in names.items():
        file = StoredFile(f"f_{kind}", add(store, kind, requested="Look at it"), kind, name, 1, "text/csv")
        store.submit(lambda tx, file=file: add_file(tx, file)).result(30)
    assert found(store, "FARES") == {"upload": "fares 2024.csv"}
    assert list(found(store, "fares look")) == ["upload"]


@pytest.mark.parametrize("word", ["run_finished", "type", '"', "}", '{"', "%", "_"])
def test_what_is_only_the_form_of_an_answer_is_not_found(store: Store, word: str) -> None:
    add(store, "Chat", requested="Hello", answer="Good day")
    assert found(store, word) == {}


def test_an_answer_is_stored_as_the_search_expects() -> None:
    assert RunFinished(text="yes").model_dump_json() == f'{ANSWER}yes"}}'


def test_a_deleted_chat_is_not_found(store: Store) -> None:
    chat_id = add(store, "Sales", requested="How much?", answer="Much")
    store.submit(lambda tx: chats.hide_chat(tx, chat_id)).result(30)
    assert found(store, "much") == {} == found(store, "")
    store.submit(lambda tx: chats.restore_chat(tx, chat_id)).result(30)
    assert list(found(store, "much")) == ["Sales"]


def test_pages_of_a_search_join_and_are_bounded(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat_lists, "WINDOW", 10)
    monkeypatch.setattr(chat_lists, "MAX_SEARCHED_CHATS", 20)
    for number in range(60):
        add(store, f"{'odd' if number % 2 else 'even'} {number}", at=number)
    pages = every_page(store, "odd", limit=4)
    assert [title for page in pages for title in page] == [f"odd {n}" for n in range(59, 0, -2)]
    assert max(len(page) for page in pages) == 4
    assert every_page(store, "nothing", limit=4) == [
        [],
        [],
        [],
        [],
    ]  # twenty chats a page, the last says it is the end


def test_a_chat_says_whether_it_works_waits_or_was_answered(store: Store) -> None:
    idle, busy = (
        add(store, "idle", requested="Hello", answer="Hi"),
        add(store, "busy", requested="Hello", answer="Hi"),
    )

    def at(chat_id: str) -> tuple[str, float | None]:
        (item,) = (chat for chat in store.read(list_chats).chats if chat.chat.id == chat_id)
        return item.state, item.answered_at

    store.submit(lambda tx: run_queue.enqueue_run(tx, busy, "again", 50)).result(30)
    assert (at(idle), at(busy)) == (("idle", 1.0), ("running", 1.0))
    waits = update(RunRow).where(RunRow.chat_id == busy, RunRow.state == "queued").values(state="waiting")
    store.submit(lambda tx: tx.execute(waits)).result(30)
    assert at(busy) == ("waiting", 1.0)
    store.submit(
        lambda tx: tx.execute(
            update(RunRow).where(RunRow.chat_id == busy).values(state="failed", changed_at=7)
        )
    ).result(30)
    assert at(busy) == ("idle", 7.0)


def test_a_rename_moves_no_chat_up(store: Store) -> None:
    old = add(store, "old", at=1)
    add(store, "new", at=2)
    store.submit(lambda tx: chats.rename_chat(tx, old, "older")).result(30)
    assert titles(store.read(list_chats)) == ["new", "older"]


def test_a_page_costs_the_same_few_statements_however_many_chats_there_are(store: Store) -> None:
    rows = [
        {"id": f"c_{n}", "title": f"chat {n}", "created_at": n, "updated_at": n, "last_seq": 1, "epoch": 0}
        for n in range(1_000)
    ]
    runs = [
        {
            "id": f"r_{n}",
            "chat_id": f"c_{n}",
            "position": 1,
            "state": "finished",
            "message": "what is it",
            "created_at": n,
            "changed_at": n,
        }
        for n in range(1_000)
    ]
    events = [
        {
            "chat_id": f"c_{n}",
            "seq": 1,
            "run_id": f"r_{n}",
            "type": "run_finished",
            "at": n,
            "body": RunFinished(text="it is").model_dump_json(),
        }
        for n in range(1_000)
    ]
    for table, values in ((ChatRow, rows), (RunRow, runs), (EventRow, events)):
        store.submit(
            lambda tx, table=table, values=values: tx.connection.execute(insert(table), values)
        ).result(30)

    def statements(text: str) -> int:
        requests: list[object] = []

        def job(connection: object) -> None:
            event.listen(connection, "before_cursor_execute", lambda *inputs: requests.append(inputs[2]))
            assert len(list_chats(connection, text, limit=40).chats) == 40  # pyright: ignore[reportArgumentType]

        store.read(job)
        return len(requests)

    assert statements("") == 5
    assert statements("what") == 48  # and the text of each chat that is shown
    assert len([title for page in every_page(store, "it", 40) for title in page]) == 1_000


def test_what_stands_around_a_word_is_one_line_with_its_ends_cut() -> None:
    assert around("a\n b", "b") == "a b"
    long = f"{'x' * 100} needle {'y' * 100}"
    assert around(long, "NEEDLE") == f"…{'x' * 59} needle {'y' * 59}…"
