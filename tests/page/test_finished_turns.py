"""A finished turn: its answer first, its steps as folded lines. What a reader looks at is never pulled away."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.conftest import ScriptedServer, asked, run, text
from tests.page.test_chat import debug, table
from tests.support.page_menu import from_menu
from tests.support.waiting import see

pytestmark = pytest.mark.browser

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
ROWS = [["Kitchen", 21.46], ["Hallway", 19.0]]


def code(step: int, content: str, run_id: str = "r1") -> dict[str, Any]:
    return {"type": "code", "runId": run_id, "content": content, "language": "python", "step": f"Step {step}"}


def image(**more: Any) -> dict[str, Any]:
    content = {"content": PIXEL, "format": "png", "path": "plot.png", "width": 800, "height": 400}
    return {"type": "image", "runId": "r1", **content, **more}


def answer(*items: str) -> dict[str, Any]:
    listing = "".join(f"<li>{item}</li>" for item in items)
    html = f"<p>The kitchen is warmest.</p><p>By room:</p><ul>{listing}</ul>"
    return text("r1", "The kitchen is warmest.") | {"html": html}


def work(server: ScriptedServer) -> None:
    """A run of two steps that has everything but its closing message."""
    server.send(
        asked("r1", "How warm is it?"),
        run("r1", "running", step=1),
        debug("r1", duration=0.09),
        code(1, "\n".join(f"line_{n} = {n}" for n in range(18))),
        {"type": "error", "runId": "r1", "content": "KeyError: room", "code": "", "hint": ""},
        run("r1", "running", step=2),
        debug("r1", duration=1.5),
        code(2, "show(table)"),
        table(ROWS, 2),
        image(),
        answer("Kitchen: 21.46", "Hallway: 19.0"),
    )


def parts(page: Page) -> list[str]:
    return page.evaluate(
        "[...document.querySelectorAll('.turn .result > *, .turn .blocks > *')].map((one) => one.className)"
    )


def test_the_answer_comes_first_and_the_steps_are_folded_lines(page: Page, server: ScriptedServer) -> None:
    work(server)
    expect(page.locator(".code-text")).to_have_count(2)
    assert parts(page) == ["step", "fault", "step", "table-block", "plot", "answer prose"]
    expect(page.locator(".code-text").first).to_be_visible()

    server.send(run("r1", "finished", text="The kitchen is warmest."))

    see(page, lambda: parts(page), ["answer prose", "plot", "table-block", "step", "step"])
    heads = page.locator(".step-head")
    expect(heads).to_have_text(
        ["Step 1 · Python · 18 lines · 90 msfailed", "Step 2 · Python · 1 line · 1.5 s"]
    )
    expect(page.locator(".code-text").first).to_be_hidden()
    expect(page.locator(".fault")).to_be_hidden()
    expect(page.get_by_role("group", name="Steps")).to_be_visible()

    expect(page.locator(".status-words")).to_have_text("2 steps in 1.6 s")

    heads.first.click()
    expect(page.locator(".code-text").first).to_be_visible()
    expect(page.locator(".fault")).to_have_text("KeyError: room")
    expect(page.locator(".code-text").last).to_be_hidden()


def test_a_list_or_table_that_repeats_the_table_is_left_out_and_another_is_not(
    page: Page, server: ScriptedServer
) -> None:
    work(server)
    expect(page.locator(".answer")).to_have_text("The kitchen is warmest.")

    server.send(answer("Kitchen: 21.46", "Attic: 30.0"))
    expect(page.locator(".answer").last).to_contain_text("Attic: 30.0")
    expect(page.locator(".answer").last).to_contain_text("By room:")

    for written, count in (("21.5", 0), ("21.4", 1)):
        cells = f"<tr><td>Kitchen</td><td>{written}</td></tr><tr><td>Hallway</td><td>19</td></tr>"
        html = (
            f"<p>By room:</p><table><tr><th>room</th><th>value</th></tr>{cells}</table><p>So {written}.</p>"
        )
        server.send(text("r1", "By room") | {"html": html})
        expect(page.locator(".answer").last).to_contain_text(f"So {written}.")
        expect(page.locator(".answer").last.locator("table")).to_have_count(count)


@pytest.mark.parametrize("end", ["failed", "cancelled"])
def test_a_run_that_did_not_finish_keeps_the_order_of_what_happened(
    page: Page, server: ScriptedServer, end: str
) -> None:
    work(server)
    server.send(run("r1", end, text="no"))

    expect(page.locator(f".turn[data-state={end}]")).to_have_count(1)
    assert parts(page)[:5] == ["step", "fault", "step", "table-block", "plot"]
    expect(page.locator(".code-text").first).to_be_visible()


def test_steps_stand_open_for_whoever_wants_them_to(page: Page, server: ScriptedServer) -> None:
    work(server)
    server.send(run("r1", "finished"))
    expect(page.locator(".code-text").first).to_be_hidden()
    setting = page.get_by_role("button", name="Show the steps of finished answers")
    expect(setting).to_have_attribute("aria-pressed", "false")

    setting.click()
    expect(setting).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".code-text").first).to_be_visible()
    page.reload()
    expect(page.locator(".code-text").first).to_be_visible()
    assert parts(page)[0] == "answer prose"

    page.get_by_role("button", name="Show the steps of finished answers").click()
    expect(page.locator(".code-text").first).to_be_hidden()
    from_menu(page, "日本語で表示")
    expect(page.locator(".step-head").last).to_have_text("ステップ2 · Python · 1行 · 1.5秒")
    expect(page.get_by_role("button", name="完了した回答のステップを表示")).to_be_visible()


def test_a_step_that_somebody_works_in_is_not_folded_away(page: Page, server: ScriptedServer) -> None:
    work(server)
    expect(page.locator(".code-text")).to_have_count(2)  # else the first one is the last, for a moment
    page.locator(".code-text").last.evaluate("(code) => code.focus({ preventScroll: true })")

    server.send(run("r1", "finished"))

    see(page, lambda: parts(page)[0], "answer prose")
    expect(page.locator(".code-text").first).to_be_hidden()
    expect(page.locator(".code-text").last).to_be_focused()


def top_of(locator: Locator) -> float:
    box = locator.bounding_box()
    assert box is not None
    return round(box["y"])


def test_whoever_follows_reads_a_long_answer_from_its_top(page: Page, server: ScriptedServer) -> None:
    work(server)
    server.send(
        text("r1", "\n".join(f"word {n}" for n in range(80))), run("r1", "finished", text="The kitchen.")
    )

    expect(page.locator(".question")).to_be_in_viewport()
    expect(page.locator(".answer").first).to_be_in_viewport()
    expect(page.get_by_role("button", name="Jump to latest")).to_be_hidden()

    server.send(asked("r2", "And now?"))
    expect(page.locator(".question").last).to_be_in_viewport()


@pytest.mark.parametrize("read", [".code-text", ".table-block"])
def test_whoever_reads_further_up_sees_nothing_move(page: Page, server: ScriptedServer, read: str) -> None:
    page.set_viewport_size({"width": 1440, "height": 700})  # low enough to scroll beside the folded steps
    server.send(asked("r1", "q"), run("r1", "running", step=1), debug("r1", duration=0.1))
    server.send(
        code(1, "\n".join(f"x = {n}" for n in range(60))), table(ROWS, 2), text("r1", "\n".join("abc"))
    )
    server.send(
        *({"type": "file", "runId": "r1", "content": {"fileId": "", "name": f"{n}"}} for n in range(40))
    )
    log, line = page.locator(".log"), page.locator(read)
    expect(page.locator(".file-named")).to_have_count(40)
    log.evaluate(
        """(log, read) => {
            const top = (one) => one.getBoundingClientRect().top;
            log.scrollTop += top(log.querySelector(read)) - top(log) - 10;
        }""",
        read,
    )
    expect(page.get_by_role("button", name="Jump to latest")).to_be_visible()
    before = top_of(line)

    server.send(image(), answer("Attic: 30.0"), run("r1", "finished"))

    see(page, lambda: parts(page)[0], "answer prose")
    see(page, lambda: abs(top_of(line) - before) <= 1, True)
    expect(page.locator(".code-text")).to_be_visible()


def test_a_plot_keeps_its_place_free_and_says_when_it_does_not_come(
    page: Page, server: ScriptedServer
) -> None:
    server.send(asked("r1", "q"), image(content="", url="/nowhere.png"), run("r1", "finished"))

    plot = page.get_by_role("button", name="Enlarge plot.png")
    expect(plot).to_have_text("This image could not be loaded")


def test_waiting_for_a_person_is_not_the_time_of_the_run(page: Page, server: ScriptedServer) -> None:
    at = "2024-05-01T10:00:{:02}Z".format
    for second, state in ((0, "running"), (1, "waiting"), (31, "running")):
        server.send(
            *([asked("r1", "q")] if state == "running" and second == 0 else []),
            run("r1", state, **({"step": 1} if second == 0 else {})) | {"timestamp": at(second)},
        )
    server.send(debug("r1", duration=31.5), code(1, "pay()"), text("r1", "Paid."), run("r1", "finished"))

    expect(page.locator(".step-head")).to_have_text("Step 1 · Python · 1 line · 1.5 s")
    expect(page.locator(".status-words")).to_be_empty()


def test_an_answer_is_read_without_marks_and_tables_of_one_name_are_told_apart(
    page: Page, server: ScriptedServer
) -> None:
    html = "<p>The <strong>Kitchen</strong> is warmest.</p><ul><li>Kitchen: 21</li><li>Hallway: 19</li></ul>"
    markdown = "The **Kitchen** is warmest.\n\n- Kitchen: 21\n- Hallway: 19"
    server.send(
        asked("r1", "q"), table(ROWS, 2), text("r1", markdown) | {"html": html}, run("r1", "finished")
    )
    spoken = page.locator(".chat > [aria-live=polite]")
    expect(spoken.first).to_have_text("The Kitchen is warmest.\nKitchen: 21\nHallway: 19")

    server.send(
        asked("r2", "q"), table(ROWS, 2) | {"runId": "r2"}, text("r2", "Again."), run("r2", "finished")
    )
    boxes = page.locator(".table-box")
    expect(boxes).to_have_count(2)
    first, second = (box.get_attribute("aria-label") for box in boxes.all())
    assert second == f"{first} (2)"
    expect(page.locator(".table-name")).to_have_text([first or "", first or ""])


def test_a_turn_that_is_emptied_ends_its_charts(blank: Page) -> None:
    script = """async () => {
        const { ChatLog } = await import("/static/js/chat/log.js");
        const { Bus } = await import("/static/js/core/bus.js");
        const { loadLanguage, translator } = await import("/static/js/core/i18n.js");
        const { initialState, reduce } = await import("/static/js/page/state.js");
        const content = { specId: "s1", imageId: "i1", name: "bars", description: "Bars", width: 9, height: 9 };
        const state = [
            { type: "user_message", seq: 1, runId: "r1", content: "Draw" },
            { type: "chart", seq: 2, runId: "r1", imageUrl: "/api/chats/c/files/i1", content },
            { type: "run", seq: 3, content: { runId: "r1", state: "finished" } },
        ].reduce((state, message) => reduce(state, message), initialState());
        const bus = new Bus();
        const log = new ChatLog({ bus, t: translator(await loadLanguage("en")) });
        document.body.append(log.dom);
        log.update(state);
        const image = log.dom.querySelector(".chart-picture");
        const change = (specId) => {
            const chart = { ...content, specId };
            bus.emit("state", { ...state, charts: { s1: { content: chart, imageUrl: `/api/chats/c/files/${specId}` } } });
            return image.getAttribute("src");
        };
        const before = change("s2");
        log.empty("r1");
        return [before, change("s3")];
    }"""
    changed = "/api/chats/c/files/s2"
    assert blank.evaluate(script) == [changed, changed]
