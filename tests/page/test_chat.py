"""The chat pane as a person meets it: reading, writing, tables, files, faults."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.page.conftest import ScriptedServer, asked, delta, run, text
from tests.support.waiting import keep_words, see, until

pytestmark = pytest.mark.browser

DISTANCE = "(log) => log.scrollHeight - log.clientHeight - log.scrollTop"


def printed(run_id: str, content: str) -> dict[str, Any]:
    return {"type": "printed", "runId": run_id, "content": content, "step": 1}


def debug(run_id: str, duration: float) -> dict[str, Any]:
    """The batch of a step begins, which took so many seconds."""
    content = {"agent_response": {"duration": duration}, "parsed_outputs": [], "output_count": 0}
    return {"type": "debug", "runId": run_id, "content": content}


def table(rows: list[list[Any]], row_count: int) -> dict[str, Any]:
    columns = [{"name": "room", "kind": "text"}, {"name": "value", "kind": "number"}]
    content = {
        "tableId": "t1",
        "name": "measurement",
        "columns": columns,
        "rows": rows,
        "rowCount": row_count,
    }
    return {"type": "table", "runId": "r1", "content": content}


def test_what_came_with_a_question_is_named_under_it(page: Page, server: ScriptedServer) -> None:
    server.send({**asked("r1", "Look"), "attachments": ["a.csv", "<b>.png"]}, run("r1", "finished"))

    expect(page.locator(".question .attachment")).to_have_text(["a.csv", "<b>.png"])


def test_code_appears_while_it_is_written_and_is_replaced_by_the_real_one(
    page: Page, server: ScriptedServer
) -> None:
    server.send(
        asked("r1", "q"),
        run("r1", "running", step=1),
        delta("r1", "code", "import pan"),
        delta("r1", "code", "das"),
    )
    block = page.locator(".code-block")
    expect(block.locator("code")).to_have_text("import pandas")
    expect(page.locator(".status-words")).to_have_text("Step 1: writing code")

    html = '<span class="kn">import</span> pandas as pd'
    server.send(
        {
            "type": "code",
            "runId": "r1",
            "content": "import pandas as pd",
            "language": "python",
            "step": "Step 1",
            "html": html,
        }
    )

    expect(block).to_have_count(1)
    expect(block.locator("code")).to_have_text("import pandas as pd")
    expect(block.locator(".kn")).to_have_text("import")
    expect(page.locator(".step-head")).to_have_text("Step 1 · Python · 1 line")


def test_what_the_model_thinks_is_a_folded_line_until_its_step_is_over(
    page: Page, server: ScriptedServer
) -> None:
    server.send(asked("r1", "q"), run("r1", "running", step=1), delta("r1", "reasoning", "Two "))
    line = page.locator(".reasoning")
    expect(line).to_have_text("ThinkingTwo ")
    expect(line.locator("summary")).to_be_visible()
    expect(line.locator(".reasoning-words")).to_be_hidden()

    line.locator("summary").click()
    server.send(delta("r1", "reasoning", "and <b>two</b>."), delta("r1", "text", "I count."))
    expect(line.locator(".reasoning-words")).to_have_text("Two and <b>two</b>.")
    expect(line.locator(".reasoning-words")).to_be_visible()
    expect(page.locator(".thought")).to_have_text("I count.")

    server.send({"type": "code", "runId": "r1", "content": "2 + 2", "language": "python", "step": "Step 1"})
    expect(page.locator(".code-block code")).to_have_text("2 + 2")
    expect(line).to_be_hidden()
    expect(line.locator(".reasoning-words")).to_be_empty()
    expect(page.locator(".thought")).to_have_text("I count.")


def test_a_step_of_which_only_thoughts_came_leaves_nothing_behind(page: Page, server: ScriptedServer) -> None:
    server.send(asked("r1", "q"), run("r1", "running", step=1), delta("r1", "reasoning", "Hm."))
    expect(page.locator(".reasoning")).to_be_visible()
    server.send(run("r1", "cancelled", text="stopped"))
    expect(page.locator(".notice.ended")).to_be_visible()
    expect(page.locator(".step")).to_be_hidden()


def test_long_code_loses_no_letter_and_no_line_while_it_is_written(
    page: Page, server: ScriptedServer
) -> None:
    source = "\n".join(f"value_{n} = {n}" + "\n" * (n % 3) for n in range(300)).rstrip("\n")
    server.send(asked("r1", "q"), run("r1", "running", step=1))
    server.send(*(delta("r1", "code", source[at : at + 700]) for at in range(0, len(source), 700)))

    code = page.locator(".code-block code")
    expect(code).to_contain_text("value_299 = 299")
    assert code.text_content() == source

    height = "(code) => code.parentElement.scrollHeight"
    written = code.evaluate(height)
    server.send({"type": "code", "runId": "r1", "content": source, "step": "Step 1"})
    expect(page.locator(".code-block [class=chunk]")).to_have_count(0)
    see(page, lambda: code.evaluate(height), written)


def test_copy_puts_the_code_on_the_clipboard(page: Page, server: ScriptedServer) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    server.send(
        asked("r1", "q"), {"type": "code", "runId": "r1", "content": "a = 1\nb = 2", "step": "Step 1"}
    )

    expect(page.locator(".code-block code")).to_have_text("a = 1\nb = 2")
    keep_words(page)
    page.locator(".code-block").get_by_role("button", name="Copy").click()

    expect(page.locator(".code-copy")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == "a = 1\nb = 2"


def test_code_folds_with_its_step(page: Page, server: ScriptedServer) -> None:
    server.send(asked("r1", "q"), {"type": "code", "runId": "r1", "content": "a = 1", "step": "Step 1"})
    expect(page.locator(".code-text")).to_be_visible()

    page.locator(".step-head").click()

    expect(page.locator(".code-text")).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page.locator(".code-text")).to_be_visible()


def lines(first: int, last: int) -> str:
    return "\n".join(f"line {n}" for n in range(first, last + 1))


def test_output_shows_its_newest_lines_while_it_is_printed(page: Page, server: ScriptedServer) -> None:
    server.send(asked("r1", "q"), run("r1", "running", step=1))
    server.send(*(printed("r1", f"line {n}\n") for n in range(1, 21)))
    output = page.locator(".printed-text")
    earlier = page.get_by_role("button", name="Show 8 earlier lines")
    expect(earlier).to_be_visible()
    expect(output).to_have_text(lines(9, 20))
    above, below = earlier.bounding_box(), output.bounding_box()
    assert above is not None and below is not None
    assert above["y"] < below["y"]

    server.send(printed("r1", "line 21\n"))
    expect(output).to_have_text(lines(10, 21))

    page.get_by_role("button", name="Show 9 earlier lines").click()
    server.send(printed("r1", "line 22\n" + "\n".join(f"more {n}" for n in range(60))))
    expect(output).to_contain_text("line 1\n")
    expect(output).to_contain_text("more 59")
    see(page, lambda: output.evaluate(DISTANCE), 0)
    expect(page.get_by_role("button", name="Show fewer lines")).to_be_visible()


def test_output_is_folded_after_twelve_lines_once_its_step_is_over(
    page: Page, server: ScriptedServer
) -> None:
    server.send(asked("r1", "q"), run("r1", "running", step=1))
    server.send(*(printed("r1", f"line {n}\n") for n in range(1, 21)))
    expect(page.get_by_role("button", name="Show 8 earlier lines")).to_be_visible()
    server.send(debug("r1", duration=0.5))
    output = page.locator(".printed-text")
    expect(page.get_by_role("button", name="Show 8 more lines")).to_be_visible()
    expect(output).to_have_text(lines(1, 12))

    page.get_by_role("button", name="Show 8 more lines").click()

    expect(output).to_contain_text("line 20")
    expect(page.get_by_role("button", name="Show fewer lines")).to_be_visible()


def test_markup_from_models_and_people_stays_text(page: Page, server: ScriptedServer) -> None:
    attack = "<img src=x onerror=\"document.title='taken'\"><script>document.title='taken'</script>"
    link = '<a href="javascript:document.title=1">link</a><p style="position:fixed">x</p>'
    html = f'<p class="ok">fine</p>{attack}{link}'
    server.send(
        asked("r1", attack),
        run("r1", "running", step=1, notes=[attack]),
        printed("r1", attack),
        {
            "type": "tool",
            "runId": "r1",
            "content": {"callId": "c", "tool": attack, "state": "failed", "result": attack, "step": 1},
        },
        {"type": "code", "runId": "r1", "content": attack, "language": attack, "step": "Step 1"},
        table([[attack, 1]], 1),
        {
            "type": "file",
            "runId": "r1",
            "content": {"fileId": "f", "name": attack, "size": 3, "mediaType": "text/csv"},
        },
        text("r1", attack),
        text("r1", "x", html=html),
        {"type": "error", "runId": "r1", "content": attack, "hint": attack},
        run("r1", "failed", text=attack),
    )
    expect(page.locator(".answer .ok")).to_have_text("fine")
    expect(page.locator(".question")).to_contain_text(attack)

    assert page.locator(".chat img, .chat script, .chat [onerror], .chat p[style]").count() == 0
    assert page.locator(".answer a").evaluate("(link) => link.getAttribute('href')") is None
    assert page.title() == f"{attack[:59]}… · smoldesk"


def test_a_file_that_was_only_spoken_of_leads_nowhere(page: Page, server: ScriptedServer) -> None:
    created_url = "/api/chats/chat-1/files/made.csv?v=f_1"
    created = {"fileId": "f_1", "name": "made.csv", "size": 3, "mediaType": "text/csv"}
    named = {"fileId": "", "name": "/gone/away.csv", "size": 0, "mediaType": "text/csv"}
    server.send(
        asked("r1", "q"),
        {"type": "file", "runId": "r1", "content": created, "url": created_url},
        {"type": "file", "runId": "r1", "content": named},
    )
    expect(page.locator(".chat")).to_contain_text("/gone/away.csv")
    expect(page.locator(".chat a", has_text="made.csv").first).to_be_visible()
    assert page.locator(".chat a", has_text="away.csv").count() == 0

    # an address that is not the desk's is not used: a log may come from elsewhere
    expect(page.locator(".pointer", has_text="made.csv")).to_have_attribute("href", created_url)
    for at, url in enumerate(("https://host/made.csv", "//host/made.csv", "javascript:alert(1)")):
        file = created | {"fileId": f"f_{at + 2}", "name": f"{at}.csv", "url": url}
        server.send({"type": "file", "runId": "r1", "content": file, "url": url})
        for link in (
            page.locator(".pointer", has_text=f"{at}.csv"),
            page.locator(".chip a", has_text=f"{at}.csv"),
        ):
            expect(link).to_have_attribute("href", f"/api/chats/chat-1/files/{at}.csv")
    content = {
        "tableId": "t_1",
        "name": "t",
        "columns": [],
        "rows": [],
        "rowCount": 0,
        "url": "https://host/t",
    }
    server.send({"type": "table", "runId": "r1", "content": content, "url": "https://host/t"})
    expect(page.locator(".table-block")).to_have_count(1)
    assert (
        page.locator(".table-block").locator("a, button").count() == 2
    )  # pin and share, no rows from elsewhere


def test_the_log_follows_only_who_is_at_its_end(page: Page, server: ScriptedServer) -> None:
    server.send(asked("r1", "q"), *(text("r1", f"paragraph {n}\n\n" * 6) for n in range(20)))
    log = page.locator(".log")
    expect(page.locator(".answer")).to_have_count(20)
    until(page, lambda: log.evaluate(DISTANCE), lambda far: far <= 1)
    server.send(text("r1", "newest at the end"))
    expect(page.locator(".answer", has_text="newest at the end")).to_be_in_viewport()

    log.evaluate("(log) => { log.scrollTop = 100; }")
    latest = page.get_by_role("button", name="Jump to latest")
    expect(latest).to_be_visible()
    server.send(text("r1", "not pulled down\n" * 40))
    expect(page.locator(".answer")).to_have_count(22)
    assert log.evaluate("(log) => log.scrollTop") == 100

    latest.click()
    expect(latest).to_be_hidden()
    until(page, lambda: log.evaluate(DISTANCE), lambda far: far <= 1)


def test_enter_sends_and_shift_enter_breaks_the_line(page: Page, server: ScriptedServer) -> None:
    page.locator(".field").click()
    page.keyboard.type("one")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("two")
    page.keyboard.press("Enter")

    assert server.next_message() == "one\ntwo"
    expect(page.locator(".field")).to_have_value("")


def test_enter_that_confirms_an_input_method_does_not_send(page: Page, server: ScriptedServer) -> None:
    page.fill(".field", "とうきょう")
    compose = """(field, init) => field.dispatchEvent(
      new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, ...init }),
    )"""
    used = [
        page.locator(".field").evaluate(compose, init) for init in ({"isComposing": True}, {"keyCode": 229})
    ]

    assert used == [True, True], "the input method's Enter must not be prevented"
    expect(page.locator(".field")).to_have_value("とうきょう")
    page.locator(".field").press("Enter")
    assert server.next_frame()["message"] == "とうきょう"
    assert server.frames.empty()


def test_the_up_arrow_brings_back_what_was_asked(page: Page, server: ScriptedServer) -> None:
    server.send(asked("r1", "first"), run("r1", "finished"), asked("r2", "second"), run("r2", "finished"))
    expect(page.locator(".question")).to_have_count(2)
    field = page.locator(".field")
    field.click()

    received = []
    for key in ["ArrowUp", "ArrowUp", "ArrowUp", "ArrowDown", "ArrowDown"]:
        page.keyboard.press(key)
        received.append(field.input_value())  # a key is answered before the next one is pressed

    assert received == ["second", "first", "first", "second", ""]


def test_what_is_sent_while_a_run_works_waits_visibly(page: Page, server: ScriptedServer) -> None:
    server.send(asked("r1", "one"), run("r1", "running", step=1))
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    expect(page.locator(".turn")).to_have_attribute("aria-busy", "true")

    page.fill(".field", "two")
    page.keyboard.press("Enter")
    assert server.next_message() == "two"
    server.send(asked("r2", "two", ahead=1))

    expect(page.locator("[data-run=r2] .status-words")).to_have_text("Queued, next in line")
    server.send(run("r1", "finished"), run("r2", "finished"))
    expect(page.get_by_role("button", name="Stop")).to_be_hidden()


def test_a_failed_run_says_what_to_do_and_can_be_tried_again(page: Page, server: ScriptedServer) -> None:
    fault = {
        "type": "error",
        "runId": "r1",
        "content": "The model did not answer.",
        "code": "model_error",
        "hint": "Check the key.",
    }
    server.send(asked("r1", "How many?"), fault, run("r1", "failed", text="The model did not answer."))
    card = page.locator(".fault")
    expect(card).to_contain_text("The model did not answer.")
    expect(card).to_contain_text("Check the key.")

    card.get_by_role("button", name="Try again").click()

    assert server.next_message() == "How many?"


@pytest.mark.parametrize(
    "prompt",
    [
        "Titanic at a glance",
        *(
            pytest.param(prompt, marks=pytest.mark.slow)
            for prompt in (
                "Survival by class, as a plot",
                "Point at the kitchen",
                "Rooms coloured by temperature",
            )
        ),
    ],
)
def test_each_prompt_of_the_empty_chat_is_sent_as_it_reads(
    page: Page, server: ScriptedServer, prompt: str
) -> None:
    button = page.locator(".prompt", has_text=prompt)
    content = button.locator(".prompt-text").inner_text()

    button.click()

    assert server.next_message() == content
    expect(page.locator(".welcome")).to_be_hidden()


def test_a_long_table_begins_with_fifty_rows_and_shows_all_on_demand(
    page: Page, server: ScriptedServer
) -> None:
    rows = [[f"Room{n}", n / 4] for n in range(12_480)]
    fetched: list[dict[str, str]] = []

    def answer(query: dict[str, str]) -> dict[str, Any]:
        fetched.append(query)
        start, count = int(query["offset"]), int(query["limit"])
        return {"columns": [], "rows": rows[start : start + count], "rowCount": len(rows)}

    server.answers["/api/chats/chat-1/tables/t1"] = answer
    server.send(asked("r1", "q"), table(rows[:60], len(rows)))
    body = page.locator(".table-box tbody")
    expect(body.locator("tr")).to_have_count(50)

    page.get_by_role("button", name="Show all 12,480").click()
    page.locator(".table-box").evaluate("(box) => { box.scrollTop = box.scrollHeight; }")

    expect(body.get_by_role("cell", name="Room12479")).to_be_visible()
    assert body.locator("tr").count() < 150, "only rows in sight belong in the page"
    assert len(fetched) < 8, "only pages in sight are fetched"


def test_numbers_of_a_column_stand_in_line_and_years_stay_whole(page: Page, server: ScriptedServer) -> None:
    server.send(asked("r1", "q"), table([["a", 0.5], ["b", 1912], ["c", 29.6991], ["d", None]], 4))

    cells = page.locator(".table-box td[data-kind=number]")
    expect(cells).to_have_text(["0.5000", "1912.0000", "29.6991", "–"])
    assert cells.first.evaluate("(cell) => getComputedStyle(cell).textAlign") == "end"


def test_a_refused_upload_is_said_in_the_servers_words(page: Page, server: ScriptedServer) -> None:
    def refuse(route: Route) -> None:
        assert route.request.headers["upload-metadata"] == "filename ZW1wdHkuY3N2"
        body = {"error": {"code": "bad_input", "message": "The file is empty.", "hint": "Choose another."}}
        route.fulfill(status=422, body=json.dumps(body))

    page.route("**/api/chats/chat-1/uploads", refuse)
    page.locator("input[type=file]").set_input_files(
        {"name": "empty.csv", "mimeType": "text/csv", "buffer": b""}
    )

    expect(page.locator(".chip-fault")).to_contain_text("empty.csv: The file is empty. Choose another.")
    page.get_by_role("button", name="Dismiss empty.csv").click()
    expect(page.locator(".chip")).to_have_count(0)


def test_a_dropped_file_is_uploaded_and_becomes_a_chip(page: Page, server: ScriptedServer) -> None:
    place = "/api/chats/chat-1/uploads/u_1"

    def take(route: Route) -> None:
        if route.request.method == "PATCH":
            return route.fulfill(status=204, headers={"Upload-Offset": "8"})
        return route.fulfill(body='{"state": "ready"}\n')

    page.route(f"**{place}", take)
    page.route(
        "**/api/chats/chat-1/uploads", lambda route: route.fulfill(status=201, headers={"Location": place})
    )
    drop = """(chat) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["a,b\\n1,2\\n"], "rides.csv", { type: "text/csv" }));
      for (const type of ["dragenter", "dragover", "drop"]) {
        chat.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      }
    }"""
    with page.expect_request(lambda request: request.method == "PATCH") as request:
        page.locator(".chat").evaluate(drop)
    assert "a,b" in (request.value.post_data or "")

    server.send(
        {"type": "file", "content": {"fileId": "f1", "name": "rides.csv", "size": 8, "mediaType": "text/csv"}}
    )

    expect(page.locator(".chip a")).to_have_attribute("href", "/api/chats/chat-1/files/rides.csv")
    expect(page.locator(".upload-line")).to_have_text("Added rides.csv, 8 B")  # below it the card comes


def test_an_answer_is_read_out_whole_and_politely(page: Page, server: ScriptedServer) -> None:
    server.send(asked("r1", "q"), run("r1", "running", step=1))
    expect(page.locator(".turn")).to_have_count(1)

    server.send(text("r1", "891 passengers"))

    expect(page.locator(".chat [aria-live=polite]:not(.ask-called)")).to_have_text("891 passengers")
