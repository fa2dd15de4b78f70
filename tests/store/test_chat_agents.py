"""The agent of a chat in the store, on each kind of database; and what a program says when no run listens."""

import pytest

from smoldesk.errors import NotFound
from smoldesk.events import AgentChosen, LateOutput
from smoldesk.store import chats
from smoldesk.store.chat_agents import agent_of_chat, choose_agent, say_late
from smoldesk.store.chat_lists import list_chats
from smoldesk.store.store import Store


def new_chat(store: Store) -> str:
    return store.submit(chats.new_chat).result(30).id


def choose(store: Store, chat_id: str, agent: str | None) -> chats.ChatInfo:
    return store.submit(lambda tx: choose_agent(tx, chat_id, agent)).result(30)


def agent_of(store: Store, chat_id: str) -> str | None:
    return store.read(lambda connection: agent_of_chat(connection, chat_id))


def test_a_choice_is_kept_and_told_once(store: Store) -> None:
    chat_id, other = new_chat(store), new_chat(store)
    assert agent_of(store, chat_id) is None
    assert choose(store, chat_id, "demo").agent == "demo"
    assert choose(store, chat_id, "demo").last_seq == 1
    assert agent_of(store, chat_id) == "demo"
    assert choose(store, chat_id, None).agent is None
    assert [stored.event for stored in store.events(chat_id, 0)] == [
        AgentChosen(agent="demo"),
        AgentChosen(agent=None),
    ]
    assert agent_of(store, other) is None
    assert [one.chat.agent for one in store.read(list_chats).chats if one.chat.id == chat_id] == [None]


def test_a_chat_that_is_not_there_chooses_nothing(store: Store) -> None:
    with pytest.raises(NotFound):
        choose(store, "c_none", "demo")
    assert agent_of(store, "c_none") is None


def test_what_comes_late_is_an_event_of_the_chat_and_of_no_run(store: Store) -> None:
    chat_id = new_chat(store)
    store.submit(lambda tx: say_late(tx, chat_id, "demo", "later \ud800\0\n")).result(30)
    [stored] = store.events(chat_id, 0)
    assert stored.run_id is None
    assert stored.event == LateOutput(agent="demo", text="later ?\0\n")
    with pytest.raises(NotFound):
        store.submit(lambda tx: say_late(tx, "c_gone", "demo", "x")).result(30)
