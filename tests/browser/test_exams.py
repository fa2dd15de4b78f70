"""An exam beside the picker of models: its estimate, its progress over a reload, Stop, and its results."""

import re
from collections.abc import Iterator
from threading import Event

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.accessibility import Axe
from tests.browser.desk_page import OpenPage
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.openai_server import OpenAIServer, Reply, Says, Seen, Stalls

pytestmark = pytest.mark.browser
HELD = Event()


def answer(received: Seen) -> Reply:
    if HELD.is_set():
        return Stalls("<code>")
    return Says("<code>final_answer(342)</code>")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    folder = tmp_path_factory.mktemp("exams")
    with OpenAIServer(answer) as server:
        (folder / "agents.toml").write_text(
            f'[models.fixed]\nmodel = "openai:fixed"\nbase_url = "{server.base_url}"\n'
        )
        with live_desk(folder, model_retries=0) as live:
            yield live


def picker(page: Page) -> Locator:
    page.locator(".agent-button").click()
    page.locator(".agents-model").click()
    sheet = page.locator(".model-sheet")
    expect(sheet.get_by_role("radiogroup")).to_have_attribute("aria-busy", "false")
    return sheet


@pytest.mark.slow  # 30 questions
def test_the_analyst_is_examined_and_its_score_stands_in_the_picker(
    desk: LiveDesk, open_page: OpenPage, axe: Axe
) -> None:
    page = open_page(desk.url).page
    sheet = picker(page)
    sheet.get_by_role("button", name="Examine Built-in analyst").click()
    exam = page.get_by_role("dialog", name="Exam of Built-in analyst")
    expect(exam).to_contain_text("30 questions about the demo tables")
    expect(exam).to_contain_text("about 31")
    expect(exam).to_contain_text("$0.00")
    assert axe.violations(page) == []
    exam.get_by_role("button", name="Start exam").click()
    expect(exam.locator(".exam-score")).to_contain_text("of 30 right", timeout=120_000)
    expect(exam.get_by_role("row", name="Japanese").get_by_role("cell").first).to_have_text("10")
    exam.get_by_text("All answers").click()
    expect(exam.get_by_role("listitem")).to_have_count(30)
    assert axe.violations(page) == []
    score = exam.locator(".exam-score").inner_text()
    exam.get_by_role("button", name="Close").click()
    expect(sheet.locator("[data-model=builtin]")).to_contain_text(score)


def test_an_unknown_price_is_confirmed_and_a_running_exam_survives_a_reload(
    desk: LiveDesk, open_page: OpenPage, axe: Axe
) -> None:
    page = open_page(desk.url).page
    picker(page).get_by_role("button", name="Examine fixed").click()
    exam = page.get_by_role("dialog", name="Exam of fixed")
    expect(exam).to_contain_text("price unknown")
    exam.get_by_role("button", name="Start exam").click()
    expect(exam.get_by_role("alert")).to_contain_text("Confirm")
    HELD.set()
    exam.get_by_label("Start although the price is unknown").check()
    exam.get_by_role("button", name="Start exam").click()
    expect(exam.get_by_role("status")).to_have_text("Running: 0 of 30, 0 right")
    assert axe.violations(page) == []

    page.reload()
    sheet = picker(page)
    expect(sheet.locator("[data-model=fixed]")).to_contain_text("Running: 0 of 30")
    sheet.get_by_role("button", name="Examine fixed").click()
    exam.get_by_role("button", name="Stop").click()
    expect(exam.locator(".exam-score")).to_have_text("Interrupted: 0 of 30, 0 right")
    HELD.clear()
    exam.get_by_role("button", name="Continue exam").click()
    exam.get_by_label("Start although the price is unknown").check()
    exam.get_by_role("button", name="Continue exam").click()
    expect(exam.locator(".exam-score")).to_have_text("1 of 30 right", timeout=120_000)


def test_another_exam_meanwhile_is_refused_in_japanese(desk: LiveDesk, open_page: OpenPage) -> None:
    HELD.set()
    with desk.client() as client:
        body = {"model": "fixed", "acceptUnknownPrice": True}
        exam_id = client.post("/api/exams", json=body).json()["id"]
        opened = open_page(desk.url, locale="ja-JP")
        opened.forgive("409 (Conflict)")
        picker(opened.page).get_by_role("button", name="内蔵アナリストをテスト").click()
        exam = opened.page.get_by_role("dialog", name="内蔵アナリストのテスト")
        first = exam.get_by_role("button", name=re.compile("もう一度テスト|テストを開始"))
        expect(first).to_be_visible()
        if "もう一度" in first.inner_text():  # an earlier test examined it
            first.click()
        exam.get_by_role("button", name="テストを開始").click()
        expect(exam.get_by_role("alert")).to_contain_text("別のテストを実行中です。")
        assert client.post(f"/api/exams/{exam_id}/stop").status_code == 200
    HELD.clear()
