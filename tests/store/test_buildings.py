"""Imported buildings in the store: kept, chosen, told of, and never deleted from under a chat."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from smoldesk.buildings.building import Building
from smoldesk.chats.buildings import REMEMBERED, Buildings
from smoldesk.errors import Conflict, NotFound
from smoldesk.events import BuildingChosen
from smoldesk.messages import Closure, ClosureState
from smoldesk.messages.building import error
from smoldesk.store import buildings, chats
from smoldesk.store.buildings import BuildingImage, BuildingInfo
from smoldesk.store.closures import ChatClosures
from smoldesk.store.data_dir import DataDir
from smoldesk.store.store import Store
from smoldesk.store.transaction import Tx

IMAGES = {"plan.png": BuildingImage("f_1", "image/png", 12)}


def kept(store: Store, name: str = "Mine") -> BuildingInfo:
    definition = Building.load().definition
    return store.submit(
        lambda tx: buildings.new_building(tx, name, definition, IMAGES, [error("floors[0]", "Oh.")])
    ).result(30)


def new_chat(store: Store) -> str:
    return store.submit(chats.new_chat).result(30).id


def choose(store: Store, chat_id: str, building_id: str | None) -> chats.ChatInfo:
    return store.submit(lambda tx: buildings.choose_building(tx, chat_id, building_id)).result(30)


def delete(store: Store, building_id: str) -> list[str]:
    def hide_and_erase(tx: Tx) -> list[str]:
        buildings.hide_building(tx, building_id)
        return buildings.erase_building(tx, building_id)

    return store.submit(hide_and_erase).result(30)


def test_a_building_is_kept_with_its_images_and_its_report(store: Store) -> None:
    info = kept(store)
    assert (info.name, info.floors, info.rooms) == ("Mine", 3, 18)
    assert store.read(buildings.list_buildings) == [info]
    assert store.read(lambda connection: buildings.get_building(connection, info.id)) == info
    assert store.read(lambda connection: buildings.images_of(connection, info.id)) == IMAGES
    assert store.read(lambda connection: buildings.report_of(connection, info.id)) == [
        error("floors[0]", "Oh.")
    ]


def test_a_chat_shows_the_building_it_was_given_and_its_log_says_since_when(store: Store) -> None:
    displayed, chat_id, info = Buildings(store, Building.load()), new_chat(store), kept(store)
    assert displayed.of_chat(chat_id).definition.building_id is None
    assert choose(store, chat_id, info.id).building_id == info.id
    mine = displayed.of_chat(chat_id).definition
    assert (mine.building_id, mine.building_name) == (info.id, "Mine")
    assert choose(store, chat_id, None).building_id is None
    assert displayed.of_chat(chat_id) is displayed.bundled
    events = store.events(chat_id)
    assert [event.event for event in events] == [
        BuildingChosen(building_id=info.id, name="Mine"),
        BuildingChosen(building_id=None),
    ]
    at = [store.read(lambda c, seq=seq: buildings.building_at(c, chat_id, seq)) for seq in (0, 1, 2, 99)]
    assert at == [None, info.id, None, None]


def test_the_same_choice_again_is_no_news(store: Store) -> None:
    chat_id, info = new_chat(store), kept(store)
    for expected in (None, info.id, info.id):
        choose(store, chat_id, expected)
    assert len(store.events(chat_id)) == 1


def test_an_unknown_building_is_refused_naming_those_there_are_and_the_chat_keeps_its_own(
    store: Store,
) -> None:
    chat_id, info = new_chat(store), kept(store)
    choose(store, chat_id, info.id)
    for expected in ("b_nowhere", "", "\ud800", "\0", "x" * 10_000, "__proto__"):
        with pytest.raises(NotFound, match="There is no building") as caught:
            choose(store, chat_id, expected)
        assert f"{info.id} (Mine)" in caught.value.hint
        assert len(str(caught.value)) < 300
    assert store.read(lambda connection: chats.get_chat(connection, chat_id)).building_id == info.id


def test_a_building_that_a_chat_shows_is_not_deleted(store: Store) -> None:
    chat_id, info = new_chat(store), kept(store)
    choose(store, chat_id, info.id)
    with pytest.raises(Conflict, match=chat_id) as caught:
        delete(store, info.id)
    assert caught.value.code == "building_used"
    choose(store, chat_id, None)
    assert delete(store, info.id) == ["f_1"]
    assert store.read(buildings.list_buildings) == []
    with pytest.raises(NotFound):
        delete(store, info.id)


def test_a_deleted_chat_lets_its_building_go(store: Store) -> None:
    chat_id, info = new_chat(store), kept(store)
    choose(store, chat_id, info.id)
    store.submit(lambda tx: chats.delete_chat(tx, chat_id)).result(30)
    assert delete(store, info.id) == ["f_1"]


def test_a_name_that_no_database_holds_is_mended(store: Store) -> None:
    assert kept(store, "a\0b\ud800").name == "a\ufffdb?"


def test_only_some_buildings_stay_in_memory_and_all_are_found(store: Store) -> None:
    displayed, chat_id = Buildings(store, Building.load()), new_chat(store)
    for number in range(REMEMBERED + 2):
        choose(store, chat_id, kept(store, str(number)).id)
        assert displayed.of_chat(chat_id).definition.building_name == str(number)
    first = store.read(buildings.list_buildings)[-1]
    choose(store, chat_id, first.id)
    assert displayed.of_chat(chat_id).definition.building_name == "0"


@pytest.fixture
def two_desks(tmp_path: Path, postgres_url: str) -> Iterator[list[Store]]:
    desks = [Store.open(DataDir(tmp_path / name), postgres_url) for name in ("here", "there")]
    yield desks
    for desk in desks:
        desk.close()


def test_two_desks_that_choose_and_delete_at_once_leave_no_chat_without_its_building(
    two_desks: list[Store],
) -> None:
    here, existing = two_desks
    chat_id = new_chat(here)
    with ThreadPoolExecutor(2) as pool:
        for _ in range(20):
            info = kept(here)
            chosen = pool.submit(choose, here, chat_id, info.id)
            deleted = pool.submit(delete, existing, info.id)
            outcomes = [type(chosen.exception(30)), type(deleted.exception(30))]
            assert outcomes in ([NotFound, type(None)], [type(None), Conflict])
            now = here.read(lambda connection: chats.get_chat(connection, chat_id)).building_id
            there_are = [item.id for item in here.read(buildings.list_buildings)]
            assert now is None or now in there_are
            choose(here, chat_id, None)


def test_a_change_of_closures_made_for_the_former_building_is_refused(store: Store) -> None:
    chat_id, info = new_chat(store), kept(store)
    former = ChatClosures(store, chat_id, None)
    closed = ClosureState(closures=(Closure(kind="link", link_id="lift"),))
    choose(store, chat_id, info.id)
    with pytest.raises(Conflict, match="another building"):
        former.change(lambda _: closed)
    assert former.read() == ClosureState()
    assert ChatClosures(store, chat_id, info.id).change(lambda _: closed) == closed
