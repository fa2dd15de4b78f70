"""Tags of chats: set, counted, filtered, renamed, removed and copied; on each kind of database."""

from functools import partial

import pytest

from smoldesk.errors import NotFound
from smoldesk.events import RunFinished
from smoldesk.store import chat_tags, chats
from smoldesk.store.chat_lists import list_chats
from smoldesk.store.chat_tags import TagCount
from smoldesk.store.store import Store


def tagged(store: Store, title: str, *tags: str) -> str:
    """The id of a chat with these tags."""
    chat_id = store.submit(lambda tx: chats.new_chat(tx, title)).result(30).id
    store.submit(lambda tx: chat_tags.set_tags(tx, chat_id, tags)).result(30)
    return chat_id


def tags_of(store: Store, chat_id: str) -> tuple[str, ...]:
    return store.read(lambda connection: chats.get_chat(connection, chat_id)).tags


def counts(store: Store) -> list[tuple[str, int, int]]:
    return [(tag.name, tag.chats, tag.archived) for tag in store.read(list_chats).tags or []]


def titles(store: Store, **how: str | bool) -> list[str]:
    return [chat.chat.title for chat in store.read(partial(list_chats, **how)).chats]  # pyright: ignore[reportArgumentType]


def test_tags_are_compared_without_case_and_keep_the_first_spelling(store: Store) -> None:
    one = tagged(store, "one", "Sales", "SALES", "Straße", "ｶﾅ")
    two = tagged(store, "two", "sales", "STRASSE", "cafe\u0301")
    assert tags_of(store, one) == ("Sales", "Straße", "ｶﾅ")
    assert tags_of(store, two) == ("cafe\u0301", "Sales", "Straße")
    assert counts(store) == [("cafe\u0301", 1, 0), ("Sales", 2, 0), ("Straße", 2, 0), ("ｶﾅ", 1, 0)]
    assert titles(store, tag="CAFÉ") == ["two"]
    store.submit(lambda tx: chat_tags.set_tags(tx, one, [])).result(30)
    assert (tags_of(store, one), tags_of(store, two)) == ((), ("cafe\u0301", "Sales", "Straße"))


def test_a_tag_filters_the_list_the_archive_and_searches(store: Store) -> None:
    ids = [tagged(store, f"plan {number}", *(["work"] if number % 2 else [])) for number in range(6)]
    store.submit(lambda tx: chats.pin_chat(tx, ids[1], True)).result(30)
    store.submit(lambda tx: chats.set_archived(tx, ids[3], True)).result(30)
    assert titles(store, tag="Work") == ["plan 1", "plan 5"]
    assert titles(store, tag="work", archived=True) == ["plan 3"]
    assert titles(store, tag="work", search="plan") == ["plan 1", "plan 5", "plan 3"]
    assert titles(store, search="WORK 5") == ["plan 5"]  # a word of the tag and one of the title
    assert titles(store, tag="wor") == titles(store, tag="nul\0") == titles(store, tag="%") == []
    assert counts(store) == [("work", 2, 1)]
    second = store.read(partial(list_chats, tag="work", limit=1, before=(1e12, "c_z")))
    assert ([chat.chat.title for chat in second.chats], second.tags) == (["plan 5"], None)


def test_a_tag_is_renamed_everywhere_and_two_become_one(store: Store) -> None:
    both = tagged(store, "both", "sale", "sales")
    old, other = tagged(store, "old", "sale"), tagged(store, "other", "sales", "x")
    store.submit(lambda tx: chats.hide_chat(tx, old)).result(30)
    renamed = store.submit(lambda tx: chat_tags.rename_tag(tx, "SALE", "Sales")).result(30)
    assert renamed == TagCount("Sales", 2, 0)
    store.submit(lambda tx: chats.restore_chat(tx, old)).result(30)
    assert [tags_of(store, chat_id) for chat_id in (both, old, other)] == [
        ("Sales",),
        ("Sales",),
        ("Sales", "x"),
    ]
    store.submit(lambda tx: chat_tags.rename_tag(tx, "sales", "SALES")).result(30)  # another case alone
    assert counts(store) == [("SALES", 3, 0), ("x", 1, 0)]
    store.submit(lambda tx: chat_tags.remove_tag(tx, "sales")).result(30)
    assert (counts(store), tags_of(store, both)) == ([("x", 1, 0)], ())
    for job in (
        lambda tx: chat_tags.rename_tag(tx, "sale", "y"),
        lambda tx: chat_tags.remove_tag(tx, "sale"),
    ):
        with pytest.raises(NotFound, match="No chat has the tag 'sale'") as fault:
            store.submit(job).result(30)
        assert fault.value.code == "unknown_tag"


def test_a_deleted_chat_takes_its_tags_along_and_brings_them_back(store: Store) -> None:
    chat_id = tagged(store, "one", "only here")
    store.submit(lambda tx: tx.append(chat_id, [RunFinished(text="")])).result(30)
    store.submit(lambda tx: chats.hide_chat(tx, chat_id)).result(30)
    assert counts(store) == []
    store.submit(lambda tx: chats.restore_chat(tx, chat_id)).result(30)
    assert counts(store) == [("only here", 1, 0)]
    store.submit(lambda tx: chats.delete_chat(tx, chat_id)).result(30)
    assert counts(store) == []
    with pytest.raises(NotFound):
        store.submit(lambda tx: chat_tags.remove_tag(tx, "only here")).result(30)
