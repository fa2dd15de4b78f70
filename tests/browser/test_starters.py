"""What an empty chat offers to ask is made from the tables and the building it has, and each of it is answered."""

import json
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, expect

from tests.browser.desk_page import BUILDING, DeskPage, OpenPage
from tests.exams.case import TABLES
from tests.support.desk_server import LiveDesk

pytestmark = pytest.mark.browser

ROOMS = {"Room1": "Studio", "Room2": "会議室A", "Kitchen": "Canteen", "Level1": "Lobby"}


def office() -> bytes:
    """A building of other rooms than the bundled one, without its images."""
    building: dict[str, Any] = json.loads(BUILDING.read_text("utf-8"))
    floor = building["floors"][0]
    floor["floorImage"] = ""
    named = json.dumps({"floors": [floor]}, ensure_ascii=False)
    for old, new in ROOMS.items():
        named = named.replace(f'"{old}"', f'"{new}"')
    alone: dict[str, Any] = json.loads(named)
    alone["floors"][0].pop("links", None)
    return json.dumps(alone, ensure_ascii=False).encode()


def prompts(desk: DeskPage) -> Locator:
    return desk.page.locator(".prompt")


def press_each(desk: DeskPage, count: int) -> None:
    """Press each prompt in a chat that begins as this one does; each must be answered, not declined."""
    texts = [prompts(desk).nth(n).locator(".prompt-text").inner_text() for n in range(count)]
    assert len(set(texts)) == count
    for number, text in enumerate(texts):
        if number == 0:
            prompts(desk).nth(0).click()
            turn = desk.turns.nth(0)
        else:
            turn = desk.say(text)
        desk.closed(turn)
        expect(turn.locator(".answer")).not_to_be_empty()
        expect(turn.locator(".question")).to_contain_text(text)
        content = turn.locator(".answer").inner_text()
        assert not any(
            text in content for text in ("cannot", "could not", "there is no", "できません", "ありません")
        ), content
    expect(desk.page.locator(".fault")).to_have_count(0)
    expect(desk.page.locator(".ask-card")).to_have_count(0)


def test_with_a_table_they_are_about_its_columns_and_are_all_answered(
    analyst: LiveDesk, open_page: OpenPage
) -> None:
    desk = open_page(analyst.url, locale="ja-JP")
    expect(prompts(desk)).to_have_count(4)
    expect(prompts(desk).first).to_contain_text("タイタニック")
    desk.drop("bakery.csv", (TABLES / "bakery.csv").read_bytes())
    expect(prompts(desk).first).to_contain_text("bakery")
    expect(prompts(desk)).to_have_count(4)
    on_the_map = desk.page.locator(".map-asks button")
    expect(on_the_map).to_have_text(["Room1を青色でハイライトして", "Room1からToiletまでの行き方は？"])
    press_each(desk, 4)


def test_with_another_building_they_name_its_rooms_and_one_leads_back(
    analyst: LiveDesk, open_page: OpenPage
) -> None:
    desk = open_page(analyst.url)
    desk.see_map(floor="1F")
    files = {"file": ("office.json", office(), "application/json")}
    response = httpx.post(f"{analyst.url}/api/buildings", files=files, timeout=60)
    assert response.status_code == 201, response.text
    body = {"buildingId": response.json()["buildingId"]}
    assert httpx.patch(f"{analyst.url}/api/chats/{desk.chat_id()}", json=body).status_code == 200
    expect(prompts(desk).filter(has_text="Studio").first).to_be_visible()
    expect(prompts(desk).filter(has_text="Room1")).to_have_count(0)
    back = desk.page.locator(".greeting-building button")
    back.focus()
    back.press("Enter")
    expect(back).to_have_count(0)
    expect(prompts(desk).filter(has_text="Studio")).to_have_count(0)
    expect(prompts(desk).first).to_contain_text("Titanic")

    assert httpx.patch(f"{analyst.url}/api/chats/{desk.chat_id()}", json=body).status_code == 200
    expect(prompts(desk).filter(has_text="Studio").first).to_be_visible()
    press_each(desk, prompts(desk).count())


def test_a_removed_table_is_asked_about_no_more(analyst: LiveDesk, open_page: OpenPage) -> None:
    desk = open_page(analyst.url)
    desk.drop("bakery.csv", (TABLES / "bakery.csv").read_bytes())
    expect(prompts(desk).first).to_contain_text("bakery")
    card = desk.page.locator(".upload-card")
    card.get_by_role("button", name="Remove").click()
    card.get_by_role("button", name="Remove").click()
    expect(prompts(desk).first).to_contain_text("Titanic")


def test_on_a_phone_they_stand_above_the_folded_card(analyst: LiveDesk, open_page: OpenPage) -> None:
    desk = open_page(analyst.url, size=(390, 844), locale="ja-JP")
    desk.drop("bakery.csv", (TABLES / "bakery.csv").read_bytes())
    expect(prompts(desk).first).to_contain_text("bakery")
    expect(prompts(desk).first).to_be_in_viewport()
    prompts(desk).first.click()
    desk.closed(desk.turns.first)
    expect(desk.turns.first.locator("table")).to_be_visible()
