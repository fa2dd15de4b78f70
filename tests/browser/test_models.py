"""Models in the page, at a real desk with servers that speak as Ollama and a locked provider do: the offer of a first start,
the sheet, a key that is entered, a model that fails, and the message sent again with another."""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.accessibility import COLOURS, Axe
from tests.browser.desk_page import OpenPage
from tests.support import model_servers
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.openai_server import Fails, OpenAIServer, Reply, Says, Seen
from tests.support.provider_servers import KEY as PROVIDER_KEY
from tests.support.provider_servers import provider_server

pytestmark = pytest.mark.browser

KEY = "sk-locked-0123456789"
OFFERED = [*model_servers.ollama()["/v1/models"]["data"], {"id": "broken", "owned_by": "library"}]
KNOWN = {item["id"] for item in OFFERED} - {"broken"}
KEYS_OF_MISTRAL = "https://console.mistral.ai/api-keys"
LOCKED = "Incorrect API key provided"
REFUSED_STOP = "Unsupported parameter: 'stop' is not supported with this model."


def answer(received: Seen) -> Reply:
    if received.body["model"] == "broken":
        return Fails(402, "Insufficient Balance")
    return Says("<code>final_answer(", repr(f"{received.body['model']} says hello"), ")</code>")


def locked(received: Seen) -> Reply:
    return answer(received) if received.key == KEY else Fails(401, LOCKED)


@pytest.fixture(scope="module")
def local() -> Iterator[OpenAIServer]:
    offers = model_servers.ollama()
    offers["/v1/models"] = {"object": "list", "data": OFFERED}
    show = offers["/api/show"]
    offers["/api/show"] = lambda body, more: show(body, more) if body["model"] in KNOWN else {}
    with OpenAIServer(answer, offers) as server:
        yield server


@pytest.fixture(scope="module")
def provider() -> Iterator[OpenAIServer]:
    with OpenAIServer(locked, model_servers.locked(KEY, "big-1")) as server:
        yield server


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory, local: OpenAIServer) -> Iterator[LiveDesk]:
    folder = tmp_path_factory.mktemp("models")
    (folder / "agents.toml").write_text(
        '[models.gone]\nmodel = "openai:x"\nbase_url = "http://127.0.0.1:1/v1"\ntemperature = 0.3\n'
    )
    with live_desk(folder, model_servers={"ollama": local.base_url}, model_retries=0) as live:
        yield live


def open_sheet(page: Page) -> Locator:
    page.locator(".agent-button").click()
    page.locator(".agents-model").click()
    sheet = page.get_by_role("dialog", name="Model for this chat")
    expect(sheet.get_by_role("radiogroup")).to_have_attribute("aria-busy", "false")
    return sheet


def test_a_found_model_is_offered_at_first_and_answers(
    desk: LiveDesk, open_page: OpenPage, axe: Axe, local: OpenAIServer
) -> None:
    opened = open_page(desk.url)
    offer = opened.page.locator(".model-offer")
    expect(offer).to_contain_text("llama3.2:3b is available on this machine (found at ollama · 8k tokens).")
    assert axe.violations(opened.page) == []
    offer.get_by_role("button", name="Use it in this chat").click()
    expect(offer).to_have_count(0)
    expect(opened.page.locator(".agent-button")).to_contain_text("ollama/llama3.2:3b")
    turn = opened.ask("hello")
    expect(turn).to_contain_text("llama3.2:3b says hello")

    requested = len(local.asked)
    opened.page.locator(".new-chat").click()
    expect(opened.page.locator(".agent-button")).to_contain_text("builtin")
    expect(opened.page.locator(".welcome")).to_be_visible()
    expect(opened.page.locator(".model-offer")).to_have_count(0)
    assert len(local.asked) == requested, "nobody looked: the offer was taken"


def test_a_model_is_added_with_a_key_chosen_by_key_and_removed(
    desk: LiveDesk, open_page: OpenPage, axe: Axe, provider: OpenAIServer
) -> None:
    opened = open_page(desk.url, theme="dark")
    opened.forgive("502 (Bad Gateway)")
    opened.forgive("400 (Bad Request)")
    page = opened.page
    page.locator(".model-offer").get_by_role("button", name="Not now").click()
    sheet = open_sheet(page)
    lines = sheet.locator(".model-line")
    expect(lines).to_have_count(5)
    expect(sheet.locator("[data-model=builtin]")).to_contain_text("Built-in analyst")
    expect(sheet.locator("[data-model=gone]")).to_contain_text("No response")
    expect(sheet.get_by_role("radio", name="llava:7b")).to_have_accessible_description(
        "Available · found at ollama · 12k tokens · accepts images"
    )
    expect(sheet.get_by_role("radio", name="Built-in analyst")).to_be_focused()
    assert axe.violations(page) == []

    sheet.get_by_role("button", name="Add a model").click()
    form = page.get_by_role("dialog", name="Add a model")
    form.get_by_label(re.compile("^Provider")).select_option("Other server")
    form.get_by_role("button", name="Test and add").click()
    expect(form.get_by_role("alert")).to_have_text("Enter a name and a model.")
    form.get_by_label("Model", exact=True).fill("big-1")
    form.get_by_label("Name").fill("big")
    form.get_by_label("Address").fill(provider.base_url)
    form.get_by_label("Key", exact=True).fill("sk-wrong-0123456789")
    form.get_by_role("button", name="Test and add").click()
    expect(form.get_by_role("alert")).to_contain_text("did not accept the key")
    expect(form.get_by_role("alert")).to_contain_text("the key of 'big' in the page")
    assert axe.violations(page) == []
    form.get_by_label("Key", exact=True).fill(KEY)
    form.get_by_role("button", name="Test and add").click()
    expect(sheet.get_by_role("status")).to_have_text("big responded and was added.")
    expect(sheet.locator("[data-model=big]")).to_contain_text("Available")
    assert KEY not in page.content()
    expect(sheet.get_by_role("radio", name="big")).to_be_checked()
    assert axe.violations(page, COLOURS) == []
    page.keyboard.press("Enter")
    expect(sheet).to_have_count(0)
    expect(page.locator(".agent-button")).to_be_focused()
    expect(page.locator(".agent-button")).to_contain_text("big")
    expect(opened.ask("hi")).to_contain_text("big-1 says hello")

    sheet = open_sheet(page)
    sheet.get_by_role("button", name="Remove big").click()
    page.get_by_role("dialog", name="Remove big?").get_by_role("button", name="Remove", exact=True).click()
    expect(sheet.locator("[data-model=big]")).to_have_count(0)
    sheet.get_by_role("button", name="Cancel").click()
    gone = opened.ask("and now?", "failed")
    expect(gone.locator(".fault")).to_contain_text("There is no model 'big' here.")


def test_in_japanese_a_model_that_fails_gives_way_to_another_and_the_message_is_sent_again(
    desk: LiveDesk, open_page: OpenPage
) -> None:
    opened = open_page(desk.url, locale="ja-JP", size=(390, 844))
    page = opened.page
    expect(page.locator(".model-offer")).to_contain_text("このパソコンのllama3.2:3bを使えます")
    opened.composer.fill("/model")
    opened.composer.press("Enter")
    sheet = page.get_by_role("dialog", name="このチャットのモデル")
    sheet.get_by_role("radio", name="broken").check()
    sheet.get_by_role("button", name="使用", exact=True).click()
    expect(sheet).to_have_count(0)
    turn = opened.ask("何がある？", "failed")
    expect(turn.locator(".fault-what")).to_have_text(
        "モデルのプロバイダーの残高が不足しているか、利用枠を使い切っています。"
    )
    expect(turn.locator(".fault-hint")).to_contain_text("has no credit left")

    turn.get_by_role("button", name="別のモデルを試す").click()
    expect(sheet.get_by_role("radio", name="broken")).to_be_checked()
    box = sheet.bounding_box()
    assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390
    sheet.get_by_role("radio", name="llama3.2:3b").check()
    sheet.get_by_role("button", name="使用して再送信").click()
    again = opened.turns.nth(1)
    opened.closed(again)
    expect(again).to_contain_text("何がある？")
    expect(again).to_contain_text("llama3.2:3b says hello")


def test_a_provider_needs_a_key_lists_its_models_and_keeps_the_options(
    desk: LiveDesk, open_page: OpenPage, axe: Axe, monkeypatch: pytest.MonkeyPatch
) -> None:
    with provider_server("mistral", monkeypatch) as server:
        opened = open_page(desk.url)
        opened.forgive("502 (Bad Gateway)")
        opened.forgive("400 (Bad Request)")
        page = opened.page
        sheet = open_sheet(page)
        sheet.get_by_role("button", name="Add a model").click()
        form = page.get_by_role("dialog", name="Add a model")
        provider, key = form.get_by_label(re.compile("^Provider")), form.get_by_label("Key", exact=True)
        expect(provider.get_by_role("option")).to_have_count(11)
        expect(form.get_by_label("Address")).to_be_hidden()
        key.fill("sk-of-openai-0123456789")
        form.get_by_label("Model", exact=True).fill("gpt-5")
        provider.select_option("Azure OpenAI")
        for label in ("Key", "Model", "Name"):  # they were for another provider
            expect(form.get_by_label(label, exact=True)).to_have_value("")
        expect(form.get_by_label("Resource name")).to_be_visible()
        provider.select_option("Mistral")
        expect(form.get_by_label("Resource name")).to_be_hidden()
        expect(form.get_by_role("link", name="Keys of Mistral")).to_have_attribute("href", KEYS_OF_MISTRAL)
        key.fill("sk-wrong-0123456789")
        key.blur()
        expect(form).to_contain_text("Mistral refused the key.")
        key.fill(PROVIDER_KEY)
        key.blur()
        expect(form).to_contain_text("2 models to choose from")
        expect(form.locator("datalist option")).to_have_count(2)
        form.get_by_label("Model", exact=True).fill("big-2")
        form.get_by_text("Answer options").click()
        expect(form.get_by_label("Name", exact=True)).to_have_value("big-2")
        assert axe.violations(page) == []

        for label, wrong, problem in (
            ("Temperature", "warm", "Enter a number from 0 to 2."),
            ("Temperature", "9", "Expected a number from 0 to 2."),
            ("Extra body", "{top_k}", "This is not a JSON object"),
            ("Extra body", '{"stream": false}', "The desk fills this field itself."),
        ):
            field = form.get_by_label(label)
            field.fill(wrong)
            form.get_by_role("button", name="Test and add").click()
            expect(
                form.locator(".model-option", has=page.get_by_label(label)).get_by_role("alert")
            ).to_contain_text(problem)
            expect(field).to_be_focused()
            field.fill("")
        assert server.requests == [], "no request was sent with them"
        form.get_by_label("Temperature").fill("0.2")
        form.get_by_label("Extra body").fill('{"top_k": 40}')
        form.get_by_role("button", name="Test and add").click()
        line = sheet.locator("[data-model=big-2]")
        expect(line).to_contain_text("temperature 0.2 · top_k 40")
        assert PROVIDER_KEY not in page.content()

        line.get_by_role("button", name="Options of big-2").click()
        form = page.get_by_role("dialog", name="Options of big-2")
        expect(form.get_by_label("Temperature")).to_have_value("0.2")
        form.get_by_label("Temperature").fill("")
        form.get_by_label("Longest answer").fill("900")
        form.get_by_label("Reasoning effort").select_option("low")
        form.get_by_role("button", name="Test and save").click()
        expect(line).to_contain_text("at most 900 tokens per answer · reasoning: low · top_k 40")
        body = server.requests[-1].body
        assert (body["max_tokens"], body["reasoning_effort"], body["top_k"]) == (900, "low", 40)
        assert "temperature" not in body
        assert httpx.delete(f"{desk.url}/api/models/big-2", timeout=60).status_code == 204


def test_options_of_agents_toml_are_shown_without_a_way_to_change_them(
    desk: LiveDesk, open_page: OpenPage
) -> None:
    opened = open_page(desk.url, locale="ja-JP")
    opened.composer.fill("/model")
    opened.composer.press("Enter")
    line = opened.page.get_by_role("dialog", name="このチャットのモデル").locator("[data-model=gone]")
    expect(line).to_contain_text("温度0.3")
    expect(line.get_by_role("button")).to_have_text(["テスト"])


def test_what_a_server_does_not_take_and_what_does_not_fit_is_marked_and_another_model_offered(
    tmp_path: Path, open_page: OpenPage
) -> None:
    def strict(received: Seen) -> Reply:
        if received.body.get("stream"):
            return Fails(400, "streaming is not supported")
        return Fails(400, REFUSED_STOP) if "stop" in received.body else answer(received)

    (tmp_path / "agents.toml").write_text(
        '[models.strict]\nmodel = "openai:strict"\ncontext = 32768\n'
        '[models.narrow]\nmodel = "openai:narrow"\ncontext = 1024\n'
    )
    offers = {"/v1/models": model_servers.listed("library", "strict", "narrow")}
    with (
        OpenAIServer(strict, offers) as server,
        live_desk(tmp_path, openai_base_url=server.base_url, model="narrow", find_models=False) as live,
    ):
        opened = open_page(live.url)
        page = opened.page
        turn = opened.ask("How many rooms?", "failed")
        expect(turn.locator(".fault-what")).to_contain_text("The prompt was not sent: it needs about")
        expect(turn.locator(".fault-what")).to_contain_text("1,024")
        expect(turn.locator(".fault-hint")).to_contain_text("strict")
        assert server.requests == []

        turn.get_by_role("button", name="Try another model").click()
        sheet = page.get_by_role("dialog", name="Model for this chat")
        expect(sheet.locator("[data-model=narrow]")).to_contain_text("Too small for this agent")
        expect(sheet.locator("[data-model=strict] .model-limit")).to_have_count(0)
        sheet.get_by_role("radio", name="strict").check()
        sheet.get_by_role("button", name="Use and send again").click()
        again = opened.turns.nth(1)
        opened.closed(again)
        expect(again).to_contain_text("strict says hello")
        assert [bool(seen.body.get("stream")) for seen in server.requests] == [True, False, False]

        sheet = open_sheet(page)
        expect(sheet.locator("[data-model=strict] .model-limit")).to_have_text(
            "Does not take: streaming, stop"
        )


def test_a_prompt_that_does_not_fit_is_explained_in_japanese(tmp_path: Path, open_page: OpenPage) -> None:
    with (
        OpenAIServer([]) as server,
        live_desk(tmp_path, openai_base_url=server.base_url, model="openai:x", model_context=1_024) as live,
    ):
        turn = open_page(live.url, locale="ja-JP", size=(390, 844)).ask("部屋は？", "failed")
        expect(turn.locator(".fault-what")).to_contain_text("モデルの上限は1,024トークンです")
        expect(turn.locator(".fault-hint")).to_contain_text("OLLAMA_CONTEXT_LENGTH=")
        expect(turn.get_by_role("button", name="別のモデルを試す")).to_be_visible()


def test_one_of_many_is_found_by_its_name(desk: LiveDesk, open_page: OpenPage) -> None:
    OFFERED.extend({"id": f"small-{n}", "owned_by": "library"} for n in range(12))
    opened = open_page(desk.url)
    sheet = open_sheet(opened.page)
    find = sheet.get_by_role("searchbox", name="Find a model")
    for _ in range(10):  # a server that is slow to answer, here because the machine is busy, is passed over
        expect(sheet.locator(".model-line")).not_to_have_count(0)
        if find.is_visible():
            break
        sheet.get_by_role("button", name="Cancel").click()
        sheet = open_sheet(opened.page)
    del OFFERED[-12:]
    find.fill("SMALL-7")
    expect(sheet.locator(".model-line:visible")).to_have_count(2)  # with the one that is chosen
    find.press("Enter")
    expect(sheet.get_by_role("radio", name="small-7")).to_be_focused()
    find.fill("")
    expect(sheet.locator(".model-line:visible")).to_have_count(17)
