"""What a terminal program writes, in the chat: as it comes, as the messages that repeat it, and after its run."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from smoldesk.messages import ChartRange, ChartSelection, RoomRef, TableSelection, as_json
from smoldesk.store.run_notes import note_of_loss, note_of_rooms, note_of_rows
from tests.page.conftest import Json, ScriptedServer, asked, delta, run, text
from tests.support.page_menu import from_menu
from tests.support.waiting import see

pytestmark = pytest.mark.browser

TABLE = "total 8\n-rw-r--r--  1 ada  staff   120 a.txt\n-rw-r--r--  1 ada  staff  9000 b.txt\n"


def batch(outputs: int, raw: str = "", **more: Any) -> Json:
    response = {"raw_output": raw, "screen": [raw], "agent": "demo", **more}
    content: Json = {"agent_response": response, "parsed_outputs": [], "output_count": outputs}
    return {"type": "debug", "runId": "r1", "content": content}


def code(content: str, language: str = "python") -> Json:
    return {"type": "code", "runId": "r1", "content": content, "language": language}


def started(page: Page, server: ScriptedServer, *messages: Json) -> None:
    server.send(asked("r1", "hello there"), run("r1", "running", step=1), *messages)


def test_the_text_takes_the_place_of_the_output_and_nothing_moves(page: Page, server: ScriptedServer) -> None:
    message = "first line\n\n  indented, <b>not bold</b>\nlast line"
    started(
        page, server, delta("r1", "output", f"\n{message[:14]}"), delta("r1", "output", f"{message[14:]}\n\n")
    )
    written = page.locator(".program-text")
    expect(written).to_have_attribute("data-live", "")
    expect(written).to_have_text(message, use_inner_text=True)
    expect(page.locator(".status-words")).to_have_text("The program is working")
    before = written.bounding_box()

    server.send(batch(1), text("r1", message, html="<p>first line indented</p>"))
    expect(page.locator(".program-text:not([data-live])")).to_have_text(message, use_inner_text=True)
    expect(written).to_have_count(1)

    assert written.bounding_box() == before


def test_no_frame_shows_a_batch_half_or_twice(page: Page, server: ScriptedServer) -> None:
    """Its messages come one by one, and a frame may be drawn between any two of them."""
    started(page, server, delta("r1", "output", "hi\n```python\nprint(1)\n```\nbye\n"))
    expect(page.locator(".program-text")).to_contain_text("bye")
    page.evaluate("""() => {
      window.seen = new Set();
      const look = () => {
        const blocks = [...document.querySelectorAll(".blocks > :not(.step)")];
        window.seen.add(blocks.map((one) => one.className).join(" ") || "nothing");
        requestAnimationFrame(look);
      };
      look();
    }""")
    frame = "() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"
    for message in (batch(3), text("r1", "hi"), code("print(1)"), text("r1", "bye")):
        server.send(message)
        page.evaluate(frame)
    expect(page.locator(".blocks > .code-block")).to_have_count(1)
    page.evaluate(frame)

    assert page.evaluate("[...window.seen]") == ["program-text", "program-text code-block program-text"]


def test_columns_are_not_wrapped_and_prose_is(page: Page, server: ScriptedServer) -> None:
    long = "words that go on " * 30
    started(page, server, delta("r1", "output", f"{long}\n"))
    prose = page.locator(".program-text")
    expect(prose).to_contain_text("go on")
    assert prose.evaluate("(box) => box.scrollWidth <= box.clientWidth")
    expect(prose).not_to_have_attribute("data-aligned", "")

    wide = TABLE.replace("a.txt", "a" * 200)
    server.send(batch(1), text("r1", long), delta("r1", "output", wide))
    table = page.locator(".program-text[data-live]")
    expect(table).to_have_attribute("data-aligned", "")
    expect(table).to_have_attribute("tabindex", "0")  # what scrolls can be scrolled by key
    expect(page.get_by_role("group", name="Program output")).to_be_visible()
    assert table.evaluate("(box) => box.scrollWidth > box.clientWidth")
    assert page.locator(".log").evaluate("(log) => log.scrollWidth <= log.clientWidth")


ALIGNED = {
    TABLE: True,
    "┌────┐\n│ hi │\n└────┘": True,
    "a\tb\nc\td": True,
    "One sentence.  Another one.\nAnd a third.  And so on.\n": False,
    "def f():\n    return 1\n\n    # done\n": False,
    "only one  gap\nin all of it\n": False,
}


def test_columns_are_known_however_the_text_is_cut(blank: Page) -> None:
    for size in (1, 7, 10_000):
        results = blank.evaluate(
            """async ([texts, size]) => {
              const { Alignment } = await import("/static/js/chat/program-text.js");
              return texts.map((text) => {
                const alignment = new Alignment();
                for (let at = 0; at < text.length; at += size) alignment.add(text.slice(at, at + size));
                return alignment.isAligned;
              });
            }""",
            [[*ALIGNED], size],
        )
        assert dict(zip(ALIGNED, results, strict=True)) == ALIGNED


def test_a_program_that_fails_leaves_what_it_wrote(page: Page, server: ScriptedServer) -> None:
    started(page, server, delta("r1", "output", "working on it\n"))
    failed = {
        "type": "error",
        "runId": "r1",
        "content": "The program ended with code 3.",
        "code": "program_exited",
    }
    server.send(failed, run("r1", "failed"))

    expect(page.locator(".fault")).to_contain_text("The program ended with code 3.")
    expect(page.locator(".program-text")).to_have_text("working on it")


def test_what_a_program_says_is_read_out_once(page: Page, server: ScriptedServer) -> None:
    spoken = page.locator(".chat [aria-live=polite]:not(.ask-called)")
    started(page, server, delta("r1", "output", "hello there\n"))
    expect(page.locator(".program-text")).to_have_count(1)
    expect(spoken).to_have_text("")
    server.send(batch(1), text("r1", "hello there"))

    expect(spoken).to_have_text("hello there")


def test_a_reload_shows_what_was_there(page: Page, server: ScriptedServer) -> None:
    started(page, server, batch(1), text("r1", TABLE, html="<p>total</p>"), run("r1", "finished", text=TABLE))
    expect(page.locator(".program-text")).to_have_count(1)
    before = page.locator(".turn").inner_text()
    page.reload()

    expect(page.locator(".program-text")).to_have_text(TABLE.strip(), use_inner_text=True)
    assert page.locator(".turn").inner_text() == before


def test_what_a_program_wrote_after_its_run_is_a_quiet_aside(page: Page, server: ScriptedServer) -> None:
    lines = "".join(f"{n:>3}  <i>tick</i>\n" for n in range(20))
    server.send(
        {"type": "text", "tone": "notice", "agent": "demo", "content": lines, "html": "<p>0 tick</p>"}
    )
    late = page.get_by_role("note")

    expect(late).to_contain_text("Output after the run ended")
    see(page, lambda: len((late.locator("pre").text_content() or "").split("\n")), 12)
    late.get_by_role("button", name="Show 8 more lines").click()
    expect(late.locator("pre")).to_have_text(lines.rstrip(), use_inner_text=True)
    from_menu(page, "日本語で表示")
    expect(late).to_contain_text("実行終了後の出力")


@pytest.mark.parametrize(
    ("agent", "notes", "asides"), [(None, 0, 1), ("demo", 1, 0)], ids=["the desk's", "a program's"]
)
def test_whose_word_it_is_is_told_by_its_agent_not_by_its_words(
    page: Page, server: ScriptedServer, agent: str | None, notes: int, asides: int
) -> None:
    message = "The variables of earlier code are gone (their Python process is gone). Files are kept."
    said = {"type": "text", "tone": "notice", "content": message}
    server.send(said | ({"agent": agent} if agent else {}))

    expect(page.locator(".aside")).to_contain_text(message)
    expect(page.get_by_role("note")).to_have_count(notes)
    expect(page.locator(".aside .notice")).to_have_count(asides)


def test_what_a_run_notes_is_said_in_the_language_of_the_page(page: Page, server: ScriptedServer) -> None:
    table = TableSelection(
        kind="table", table_id="f", name="Bob's.csv", begin=0, end=3, columns=[0, 1], names=["a", "b"]
    )
    weights = ChartRange.model_validate({"field": "weight", "from": 1, "to": 5})
    chart = ChartSelection(spec_id="s", name="price", ranges=[weights])
    # the reason as the wire has it, by its key
    lost, loss = note_of_loss("their Python process is gone")[0], note_of_loss("gone")[1]
    messages = [
        (lost, loss),
        note_of_rooms([RoomRef(floor_id="1F", name="Hall (old), east")]),
        note_of_rows(table),
        note_of_rows(chart),
    ]
    notice = {"type": "text", "tone": "notice", "content": lost, "html": f"<p>{lost}</p>"}
    server.send(
        asked("r1", "And now?"),
        notice | as_json(loss),
        run(
            "r1",
            "running",
            notes=[terms for terms, _ in messages],
            noted=[as_json(note) for _, note in messages],
        ),
        run("r1", "finished", text="Well."),
        asked("r2", "Before codes?"),
        run("r2", "running", notes=[messages[1][0]]),
        run("r2", "finished", text="Well."),
    )
    notes = page.locator(".notes .notice")
    before = "the person selected these rooms: Hall (old), east (1F)"
    expect(notes).to_have_text(
        [
            lost,
            "About Hall (old), east (1F)",
            "About rows 1 to 3 of Bob's.csv: a, b",
            "About rows of price (weight 1 – 5)",
            before,
        ]
    )
    expect(page.locator(".aside")).to_have_count(0)

    from_menu(page, "日本語で表示")

    expect(notes).to_have_text(
        [
            "以前のコードの変数は失われました（そのPythonプロセスはもうありません）。ファイルは残っています。",
            "Hall (old), east (1F)について",
            "Bob's.csvの1～3行目について：a、b",
            "priceで選択したデータについて（weight 1～5）",
            before,
        ]
    )
