"""A model that takes long to read its prompt: what the page shows meanwhile, after a reload, and when it is stopped."""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import Axe
from tests.browser.desk_page import DeskPage, OpenPage
from tests.support import model_servers
from tests.support.desk_server import LiveDesk, events_of, live_desk
from tests.support.openai_server import OpenAIServer, Reply, Says, Seen, Stalls
from tests.support.scripted_model import code

pytestmark = pytest.mark.browser

SHARES = [(0, 4_900), (100, 4_900), (120, 4_900), (2_100, 4_900)]


class Reading:
    """A model's server that has read a part of the prompt, and no more until `well` is set."""

    well = False

    def __call__(self, _: Seen) -> Reply:
        if self.well:
            return Says(code("final_answer('Read.')")).reading((4_900, 4_900))
        return Stalls().reading(*SHARES)


@pytest.fixture
def servers() -> Iterator[dict[str, OpenAIServer]]:
    """The same model behind llama.cpp's server, and behind one that reports nothing."""
    model = Reading()
    with (
        OpenAIServer(model, model_servers.llamacpp()) as llama,
        OpenAIServer(model, model_servers.vllm()) as vllm,
    ):
        yield {"llama": llama, "vllm": vllm}


@pytest.fixture
def desk(tmp_path: Path, servers: dict[str, OpenAIServer]) -> Iterator[LiveDesk]:
    addresses = {name: server.base_url for name, server in servers.items()}
    with live_desk(tmp_path, model_servers=addresses) as live:
        yield live


def page_with(model: str, desk: LiveDesk, open_page: OpenPage, locale: str = "en-US") -> DeskPage:
    page = open_page(desk.url, locale=locale)
    chosen = httpx.patch(f"{desk.url}/api/chats/{page.chat_id()}", json={"model": model})
    assert chosen.json()["model"] == model
    return page


def test_a_prompt_that_is_read_shows_its_share_and_the_time_also_after_a_reload(
    desk: LiveDesk, open_page: OpenPage, servers: dict[str, OpenAIServer]
) -> None:
    page = page_with("llama/qwen2.5-7b-q4.gguf", desk, open_page)
    turn = page.say("How many rows?")
    words, timer = turn.locator(".status-words"), turn.get_by_role("timer")
    expect(words).to_have_text("Reading the prompt: 42 %, 2,100 of 4,900 tokens")
    expect(timer).to_have_text(re.compile(r"^[1-9]\d* s$"))
    box = words.bounding_box()
    first = timer.inner_text()
    expect(timer).not_to_have_text(first)
    assert words.bounding_box() == box, "the counting moves nothing"
    assert turn.locator("xpath=ancestor::*[@aria-live]").get_attribute("aria-live") == "off"

    page.reload()

    expect(words).to_have_text("Reading the prompt: 42 %, 2,100 of 4,900 tokens")
    expect(timer).to_have_text(re.compile(r"^[1-9]\d* s$"))
    reported = [event for event in events_of(desk.url, page.chat_id()) if event["type"] == "prompt_progress"]
    assert [(event["processed"], event["total"]) for event in reported] == [(0, 4_900), (2_100, 4_900)]
    assert servers["llama"].requests[0].body["return_progress"] is True


def test_axe_finds_nothing_while_the_prompt_is_read(desk: LiveDesk, open_page: OpenPage, axe: Axe) -> None:
    page = page_with("llama/qwen2.5-7b-q4.gguf", desk, open_page)
    expect(page.say("How many rows?").get_by_role("timer")).to_be_visible()
    assert axe.violations(page.page) == []


def test_a_stop_while_the_prompt_is_read_ends_the_run_at_once(desk: LiveDesk, open_page: OpenPage) -> None:
    page = page_with("llama/qwen2.5-7b-q4.gguf", desk, open_page)
    turn = page.say("How many rows?")
    expect(turn.locator(".status-words")).to_contain_text("2,100")

    page.stop.click()

    page.closed(turn, "cancelled")
    expect(turn.get_by_role("timer")).to_be_hidden()
    expect(turn).to_contain_text("Stopped.")
    expect(turn).not_to_contain_text("Reading the prompt")


def test_the_text_of_a_model_takes_the_place_of_the_progress(
    desk: LiveDesk, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Reading, "well", True)
    page = page_with("llama/qwen2.5-7b-q4.gguf", desk, open_page)
    turn = page.ask("How many rows?")
    expect(turn.locator(".answer")).to_have_text("Read.")
    expect(turn).not_to_contain_text("Reading the prompt")


def test_a_server_that_reports_nothing_is_not_asked_and_the_time_is_shown(
    desk: LiveDesk, open_page: OpenPage, servers: dict[str, OpenAIServer]
) -> None:
    page = page_with("vllm/Qwen/Qwen2.5-7B", desk, open_page, locale="ja-JP")
    turn = page.say("行数は？")
    expect(turn.locator(".status-words")).to_have_text("ステップ1：考えています")
    expect(turn.get_by_role("timer")).to_have_text(re.compile(r"[1-9]\d*秒"))
    assert "return_progress" not in servers["vllm"].requests[0].body
