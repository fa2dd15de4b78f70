"""The debug pane in a browser: rows, folding, search, detail, and ten thousand events."""

import json
import re
from typing import Any

import pytest
from pane_host import Desk, OpenPane
from playwright.sync_api import Locator, expect

from tests.support.waiting import see, until

pytestmark = pytest.mark.browser

Message = dict[str, Any]


def at(message: Message, seq: int, milliseconds: int = 0) -> Message:
    """The message as made from an event of run r1, so many milliseconds after it began."""
    stamp = f"2025-11-21T09:30:{milliseconds // 1000:02d}.{milliseconds % 1000:03d}Z"
    return {**message, "seq": seq, "runId": "r1", "timestamp": stamp}


def delta(text: str, step: int = 1) -> Message:
    return {"type": "delta", "content": text, "kind": "code", "step": step}


def run(state: str, **more: Any) -> Message:
    return {"type": "run", "content": {"runId": "r1", "state": state, **more}}


def tool(state: str, **more: Any) -> Message:
    return {
        "type": "tool",
        "content": {"callId": "c1", "tool": "load_dataset", "state": state, "step": 1, **more},
    }


RUN: list[Message] = [
    {"type": "map_definition", "content": {"floors": [], "bitmaps": []}},
    at({"type": "user_message", "content": "Load the Titanic"}, 1),
    at(run("running", step=1), 2, 100),
    at(delta("import pandas"), 3, 200),
    at(delta(" as pd"), 4, 300),
    at(tool("called", arguments={"name": "titanic"}), 5, 400),
    at(tool("returned", result="891 rows"), 6, 900),
    at(delta("\ndf"), 7, 950),
    at(
        {"type": "debug", "content": {"agent_response": {}, "parsed_outputs": [], "output_count": 1}}, 8, 1100
    ),
    at({"type": "code", "content": "import pandas as pd\ndf", "step": "Step 1"}, 9, 1100),
    at({"type": "arrow", "content": {"room": "Kitchen", "direction": "left"}}, 10, 1100),
    at(delta("more", step=2), 11, 1500),
    at({"type": "text", "content": "Done"}, 12, 1900),
    at(run("finished", text="Done"), 13, 2000),
]


@pytest.fixture
def desk(open_pane: OpenPane) -> Desk:
    return open_pane("debug", size=(900, 560))


def rows(desk: Desk) -> list[str]:
    """What is on the screen, in words."""
    script = """() => [...document.querySelectorAll(".debug-row")]
        .sort((a, b) => new DOMMatrix(a.style.transform).f - new DOMMatrix(b.style.transform).f)
        .map((row) => [".debug-type", ".debug-words", ".debug-count", ".debug-tokens", ".debug-cost", ".debug-length"]
            .map((part) => row.querySelector(part).textContent).filter(Boolean).join(" | "))"""
    return desk.page.evaluate(script)


def see_rows(desk: Desk, *expected: str) -> None:
    """Wait until these rows, and no others, are on the screen."""
    see(desk.page, lambda: rows(desk), list(expected))


def see_types(desk: Desk, *expected: str) -> None:
    see(desk.page, lambda: [row.split(" | ")[0] for row in rows(desk)], list(expected))


def rested(desk: Desk, box: Locator) -> float:
    """Where a list stands once it has stopped scrolling: a wheel moves it over several frames."""
    received: list[float] = []

    def top() -> float:
        desk.settle()
        received.append(box.evaluate("(node) => node.scrollTop"))
        return received[-1]

    return until(desk.page, top, lambda now: len(received) > 3 and received[-3:] == [now] * 3)


def call(milliseconds: int, seq: int, step: int = 1, **facts: Any) -> Message:
    content = {"step": step, "model": "gpt-4o", "messages": 3, "duration": 0.5, **facts}
    return at({"type": "model_call", "content": content}, seq, milliseconds)


def test_what_tells_of_one_thing_is_one_row_below_its_step_and_run(desk: Desk) -> None:
    """A log of a desk that kept no calls: the pieces of a step are its model's row."""
    desk.tell(*RUN)

    see_rows(
        desk,
        "map_definition | 0 floors · 0 bitmaps",
        "run | Load the Titanic | 2.0 s",
        "Step 1 | 1 output | 1.0 s",
        "delta | import pandas as pd df | × 3 | 750 ms",
        'tool | load_dataset(name="titanic") → 891 rows | 500 ms',
        "code | import pandas as pd df",
        "arrow | Kitchen · left",
        "Step 2 | 400 ms",
        "delta | more",
        "text | Done",
    )
    desk.see(rows="10", messages="14")
    depths = desk.page.evaluate(
        "() => [...document.querySelectorAll('.debug-row')].map((row) => +row.ariaLevel)"
    )
    assert depths == [1, 1, 2, 3, 3, 3, 3, 2, 3, 3]


def test_calls_of_the_model_count_for_their_step_run_and_chat(desk: Desk) -> None:
    counted: dict[str, Any] = {
        "firstToken": 0.2,
        "inputTokens": 12_300,
        "cachedTokens": 2_300,
        "outputTokens": 400,
        "cost": 0.031,
    }
    desk.tell(
        at({"type": "user_message", "content": "Go"}, 1),
        at(run("running", traceId="0af7651916cd43dd8448eb211c80319c"), 2),
        at(run("running", step=1), 3, 100),
        at(delta("a = 1"), 4, 400),
        call(600, 5, structured=True, **counted),
        at({"type": "code", "content": "a = 1", "step": "Step 1"}, 6, 900),
        at(run("running", step=2), 7, 1000),
        call(1500, 8, step=2, **counted),
        call(2000, 9, step=2, error="The provider is busy."),
    )

    see_rows(
        desk,
        "run | Go · running | ↑20k ⟲4.6k ↓800 | $0.062 | 2.0 s",
        "Step 1 | ↑10k ⟲2.3k ↓400 | $0.031 | 800 ms",
        "model_call | gpt-4o | × 2 | ↑10k ⟲2.3k ↓400 | $0.031 | 500 ms",
        "code | a = 1 | 300 ms",
        "Step 2 | ↑10k ⟲2.3k ↓400 | $0.031 | 1.0 s",
        "model_call | gpt-4o | ↑10k ⟲2.3k ↓400 | $0.031 | 500 ms",
        "model_call | gpt-4o · The provider is busy. | 500 ms",
    )
    expect(desk.page.locator(".debug-totals")).to_have_text("1 run · 2.0 s · ↑20k ⟲4.6k ↓800 · $0.062")
    bars = desk.page.locator(".debug-row[data-kind=model] i").evaluate_all(
        "(bars) => bars.map(({ style }) => [style.left, style.width, style.getPropertyValue('--first')])"
    )
    assert bars[0] == ["5%", "25%", "40.0%"], "it waited for two fifths of its time"
    desk.page.locator(".debug-row", has_text="Step 1").click()
    expect(desk.page.locator(".debug-figures")).to_have_text(
        "Duration800 msFirst token200 msTokens in10,000Cached2,300Tokens out400Response formatschemaCost$0.031"
    )
    for track in desk.page.locator(".debug-track").all():
        expect(track).to_be_visible()  # the waterfall stays beside the detail
    desk.page.locator(".debug-row[data-kind=run]").click()
    expect(desk.page.locator(".debug-figures")).to_contain_text("Trace id0af7651916cd43dd8448eb211c80319c")


def test_another_agent_nests_with_the_states_of_its_own_and_an_ask_with_its_call(desk: Desk) -> None:
    def progress(state: str, text: str) -> Message:
        facts = {"callId": "c1", "tool": "ask_cook", "agent": "cook", "step": 1}
        return {"type": "tool_progress", "content": {**facts, "state": state, "text": text}}

    requested = {"askId": "a1", "kind": "approval", "tool": "ask_cook", "callId": "c1", "prompt": "May it?"}
    desk.tell(
        at(run("running", step=1), 1),
        at(tool("called", tool="ask_cook", arguments={}), 2, 100),
        at({"type": "ask", "content": requested}, 3, 200),
        at(
            {
                "type": "ask_closed",
                "content": {"askId": "a1", "granted": True, "scope": "call", "by": "person"},
            },
            4,
            600,
        ),
        at(progress("running", "chop "), 5, 700),
        at(progress("running", "chop"), 6, 800),
        at(progress("waiting", "salt?"), 7, 1000),
        at(tool("returned", tool="ask_cook", result="soup"), 8, 1100),
    )

    see_rows(
        desk,
        "run | running | 1.1 s",
        "Step 1 | 1.1 s",
        "tool | ask_cook() → soup | 1.0 s",
        "ask | approval · ask_cook · May it? · granted | 400 ms",
        "cook running | cook · running · chop | × 2 | 300 ms",
        "cook waiting | cook · waiting · salt? | 100 ms",
    )


def test_the_tree_folds_and_the_arrow_keys_go_through_it(desk: Desk) -> None:
    desk.tell(*RUN)
    tree = desk.page.get_by_role("tree", name="Events")
    for key in ("Home", "ArrowDown", "ArrowRight"):
        tree.press(key)
        desk.settle()
    chosen = desk.page.locator(".debug-row[aria-selected=true]")
    expect(chosen).to_contain_text("Step 1")
    tree.press("ArrowLeft")
    expect(chosen).to_have_attribute("aria-expanded", "false")
    see_types(desk, "map_definition", "run", "Step 1", "Step 2", "delta", "text")
    tree.press("ArrowLeft")
    expect(chosen).to_contain_text("Load the Titanic")
    desk.page.locator(".debug-row", has_text="Step 1").locator(".debug-twist").click()
    desk.settle()
    assert len(rows(desk)) == 10


def test_filters_by_kind_level_and_step_keep_what_a_row_lies_in(desk: Desk) -> None:
    desk.tell(
        *RUN,
        at(tool("failed", callId="c2", step=2, result="no"), 20, 2500),
        at({"type": "error", "content": "Boom"}, 21, 2600),
    )
    desk.page.get_by_role("button", name="Filter").click()
    desk.page.get_by_role("button", name="Tools").click()
    see_types(desk, "run", "Step 1", "tool", "Step 2", "tool")
    expect(desk.page.locator(".debug-total")).to_have_text("2 of 12")
    desk.page.get_by_role("combobox", name="Level").select_option("error")
    see_types(desk, "run", "Step 2", "tool")
    desk.page.get_by_role("button", name="Tools").click()
    see_types(desk, "run", "Step 2", "tool", "error")
    desk.page.get_by_role("combobox", name="Level").select_option("info")
    desk.page.get_by_role("combobox", name="Step").select_option("1")
    desk.page.get_by_role("searchbox").fill("pandas")
    see_types(desk, "run", "Step 1", "delta", "code")
    desk.page.get_by_role("combobox", name="Step").select_option("2")
    expect(desk.page.get_by_text("Nothing matches “pandas”")).to_be_visible()
    desk.page.get_by_role("button", name="Filter").click()  # it goes, and what it hid comes back
    see_types(desk, "run", "Step 1", "delta", "code")


def test_errors_are_counted_and_jumped_along(desk: Desk) -> None:
    expect(desk.page.get_by_role("group", name="Errors")).to_be_hidden()
    desk.tell(
        *RUN,
        at({"type": "error", "content": "First"}, 20, 2500),
        *[at({"type": "text", "content": str(n)}, 30 + n, 2500) for n in range(60)],
        at({"type": "error", "content": "Second"}, 99, 2600),
    )
    errors = desk.page.get_by_role("group", name="Errors")
    expect(errors).to_contain_text("2 errors")
    received = []
    for button in ("Next", "Next", "Next", "Previous"):
        errors.get_by_role("button", name=f"{button} error").click()
        chosen = desk.page.locator(".debug-row[aria-selected=true]")
        expect(chosen).to_be_in_viewport()
        desk.settle()
        received.append((chosen.locator(".debug-words").inner_text(), errors.inner_text()))
    assert received == [
        ("First", "Error 1 of 2"),
        ("Second", "Error 2 of 2"),
        ("First", "Error 1 of 2"),
        ("Second", "Error 2 of 2"),
    ]


def test_the_errors_are_a_list_in_the_order_of_their_rows(desk: Desk) -> None:
    """A run fails after what failed in it, and stands before."""
    desk.tell(
        *RUN[:-1], at({"type": "error", "content": "Boom"}, 20, 2500), at(run("failed", text="No"), 21, 2600)
    )
    count = desk.page.get_by_role("button", name="2 errors")
    count.click()
    items = desk.page.get_by_role("menu", name="Errors").get_by_role("menuitem")
    expect(items).to_have_text([re.compile("^run.*failed"), re.compile("^error.*Boom.*Step 2$")])
    expect(items.first).to_be_focused()
    items.first.press("ArrowDown")
    items.last.press("Enter")
    expect(items).to_have_count(0)
    expect(desk.page.locator(".debug-row[aria-selected=true] .debug-words")).to_have_text("Boom")
    expect(desk.page.get_by_role("button", name="Error 2 of 2")).to_have_attribute("aria-expanded", "false")


def test_a_message_of_any_shape_is_a_row_of_plain_text(desk: Desk) -> None:
    for message in (
        {"type": "hologram", "content": {"x": 1}},
        {"type": "table"},
        {"type": "map", "content": 5},
        {"type": "tool", "content": None},
        {"type": "text", "content": "<img src=x onerror=alert(1)>"},
    ):
        desk.tell(message)
        see(desk.page, lambda: len(rows(desk)), 1)
        assert rows(desk)[0].startswith(str(message["type"]))
        assert desk.page.locator(".debug-viewer img").count() == 0
        desk.reset()


def test_a_click_shows_the_event_as_a_tree_and_points_at_it_everywhere(desk: Desk) -> None:
    desk.tell(*RUN)
    desk.page.locator(".debug-row", has_text="load_dataset").click()

    detail = desk.page.get_by_role("region", name="Event detail")
    expect(detail).to_contain_text("result: ")
    expect(detail).to_contain_text('"891 rows"')
    desk.hears(
        "select", [{"source": "debug", "seq": 5, "seqs": [5, 6, 10], "runId": "r1"}]
    )  # and what it drew


def test_raw_shows_each_folded_message_as_it_came(desk: Desk) -> None:
    desk.tell(*RUN)
    desk.page.locator(".debug-row", has_text="× 3").click()
    desk.page.get_by_role("tab", name="Tree").click()
    expect(desk.page.locator(".json-tree pre")).to_have_text("import pandas as pd\ndf")

    desk.page.get_by_role("tab", name="Raw").click()

    expect(desk.page.locator(".debug-raw")).to_be_visible()
    raw = desk.page.locator(".debug-raw").inner_text().splitlines()
    assert [json.loads(line) for line in raw] == [RUN[3], RUN[4], RUN[7]]
    expect(desk.page.get_by_role("tab", name="Raw")).to_have_attribute("aria-selected", "true")

    desk.page.get_by_role("tab", name="Raw").press("ArrowLeft")
    expect(desk.page.locator(".json-tree")).to_be_visible()


def test_the_detail_grows_while_the_step_it_shows_is_written(desk: Desk) -> None:
    desk.tell(*RUN[:4])
    desk.page.locator(".debug-row", has_text="delta").click()
    desk.page.get_by_role("tab", name="Tree").click()
    desk.tell(RUN[4])

    expect(desk.page.locator(".json-tree")).to_contain_text("import pandas as pd")


def test_what_somebody_looks_up_in_a_row_that_grows_stays(desk: Desk) -> None:
    """The search in its tree, and the messages of its prompt that were opened."""
    desk.tell(*RUN[:4])
    desk.page.locator(".debug-row", has_text="delta").click()
    desk.page.get_by_role("tab", name="Tree").click()
    field = desk.page.get_by_role("searchbox", name="Search this data")
    field.fill("pan")
    desk.tell(RUN[4])
    expect(field).to_be_focused()
    expect(field).to_have_value("pan")
    desk.page.get_by_role("tab", name="Prompt").focus()
    expect(desk.page.locator(".json-tree")).to_contain_text("import pandas as pd")

    desk.page.get_by_role("tab", name="Prompt").click()
    view = desk.page.locator(".debug-prompt")
    view.evaluate("(node) => { node.id = 'kept' }")
    desk.tell(RUN[6])
    expect(view).to_have_id("kept")


def test_escape_closes_the_detail_and_the_list_has_the_focus(desk: Desk) -> None:
    desk.tell(*RUN)
    desk.page.locator(".debug-row", has_text="arrow").click()
    desk.page.get_by_role("tab", name="Raw").press("Escape")

    expect(desk.page.locator(".debug-detail")).to_be_hidden()
    expect(desk.page.get_by_role("tree")).to_be_focused()


def test_a_long_branch_opens_in_parts(desk: Desk) -> None:
    desk.tell({"type": "table", "content": {"name": "t", "rows": list(range(250))}})
    desk.page.locator(".debug-row").first.click()
    desk.page.locator("summary", has_text="rows").click()
    expect(desk.page.locator(".json-leaf", has_text="99:")).to_have_count(1)
    expect(desk.page.locator(".json-leaf", has_text="100:")).to_have_count(0)

    desk.page.get_by_role("button", name="Show 100 more").click()
    desk.page.get_by_role("button", name="Show 50 more").click()

    expect(desk.page.locator(".json-leaf", has_text="249:")).to_have_count(1)
    expect(desk.page.locator(".json-more")).to_have_count(0)


def test_search_looks_into_the_whole_event_and_marks_what_it_found(desk: Desk) -> None:
    desk.tell(*RUN)
    field = desk.page.get_by_role("searchbox", name="Search events")

    field.fill("TITANIC")
    desk.settle()
    see_types(desk, "run", "Step 1", "tool")
    expect(desk.page.locator("mark")).to_have_text(["Titanic", "titanic"])
    expect(desk.page.get_by_text("2 of 10")).to_be_visible()

    field.fill("as pd")  # lies across two pieces
    desk.settle()
    see_types(desk, "run", "Step 1", "delta", "code")

    field.fill("giraffe")
    desk.settle()
    expect(desk.page.get_by_text("Nothing matches “giraffe”")).to_be_visible()

    field.press("Escape")
    desk.settle()
    see(desk.page, lambda: len(rows(desk)), 10)


def test_what_arrives_during_a_search_is_searched_too(desk: Desk) -> None:
    desk.tell(*RUN[:4])
    desk.page.get_by_role("searchbox").fill("done")
    desk.tell(*RUN[4:])

    see_types(desk, "run", "Step 2", "text")


def test_clear_empties_the_list_and_new_events_begin_it_again(desk: Desk) -> None:
    desk.tell(*RUN[:6])
    desk.page.locator(".debug-row", has_text="Load the").click()
    desk.page.get_by_role("button", name="Clear").click()
    desk.settle()
    desk.see(rows="0")
    expect(desk.page.get_by_text("Every event of a run appears here")).to_be_visible()
    expect(desk.page.locator(".debug-detail")).to_be_hidden()

    desk.tell(RUN[6], RUN[7])
    see_rows(desk, "run | 50 ms", "Step 1 | 50 ms", "tool | load_dataset returned · 891 rows", "delta | df")


def test_ten_thousand_events_are_a_few_nodes_and_every_one_is_reached(desk: Desk) -> None:
    desk.page.evaluate(
        "() => window.desk.tell(Array.from({ length: 10_000 }, (_, seq) =>"
        " ({ type: 'text', content: `event ${seq}`, seq: seq + 1, runId: 'r1', timestamp: '2025-11-21T09:30:00Z' })))"
    )
    desk.settle()

    desk.see(rows="10001")
    assert desk.page.locator(".debug-row").count() < 60
    until(
        desk.page, lambda: rows(desk), lambda received: received[-1:] == ["text | event 9999"]
    )  # it follows the end

    listbox = desk.page.get_by_role("tree")
    listbox.press("Home")
    desk.settle()
    until(desk.page, lambda: rows(desk), lambda received: received[1:2] == ["text | event 0"])
    listbox.evaluate("(node) => { node.scrollTop = 5000 * 24; }")
    desk.settle()
    until(desk.page, lambda: rows(desk), lambda received: "text | event 5000" in received)
    desk.page.get_by_role("searchbox", name="Search events").fill("event 7777")
    desk.settle()
    see_types(desk, "run", "text")


def test_a_burst_of_messages_is_drawn_once(desk: Desk) -> None:
    desk.settle()
    drawn = desk.page.evaluate(
        """async () => {
            const { list } = window.desk.pane;
            const draw = list.draw.bind(list);
            let count = 0;
            list.draw = () => { count += 1; draw(); };
            for (let n = 0; n < 500; n += 1) window.desk.tell([{ type: "text", content: `${n}` }]);
            await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
            return count;
        }"""
    )

    assert drawn == 1


def test_following_stops_when_the_person_scrolls_up_and_begins_again_at_the_end(desk: Desk) -> None:
    desk.tell(*[at({"type": "text", "content": f"event {number}"}, number) for number in range(200)])
    follow = desk.page.get_by_role("button", name="Follow")
    expect(follow).to_have_attribute("aria-pressed", "true")

    listbox = desk.page.get_by_role("tree")
    listbox.hover()
    desk.page.mouse.wheel(0, -1200)
    desk.page.wait_for_selector("[aria-label=Follow][aria-pressed=false]")
    top = rested(desk, listbox)
    desk.tell({"type": "text", "content": "late"})
    assert rested(desk, listbox) == top

    follow.click()
    desk.settle()
    until(desk.page, lambda: rows(desk), lambda received: received[-1:][:1] == ["text | late"])
    follow.click()  # pause, at the end
    desk.tell(*[{"type": "text", "content": f"later {number}"} for number in range(40)])
    assert "text | later 39" not in rows(desk)
    listbox.hover()
    desk.page.mouse.wheel(0, 9000)
    desk.page.wait_for_selector("[aria-label=Follow][aria-pressed=true]")


def test_the_chosen_row_is_told_to_screen_readers_while_it_is_there(desk: Desk) -> None:
    desk.tell(*RUN)
    tree = desk.page.get_by_role("tree", name="Events")
    tree.press("Home")
    tree.press("ArrowDown")
    desk.settle()

    active = tree.get_attribute("aria-activedescendant")
    expect(desk.page.locator(f"#{active}")).to_contain_text("Load the Titanic")
    expect(desk.page.locator(f"#{active}")).to_have_attribute("aria-selected", "true")
    assert desk.heard("select")[-1]["seqs"] == [1, 13, 2, 8, 3, 5, 6, 9, 10, 11, 12]


def test_what_is_selected_elsewhere_is_lit_here_and_scrolled_to(desk: Desk) -> None:
    desk.tell(*RUN, *[{"type": "text", "content": f"event {number}"} for number in range(100)])
    lit = desk.page.locator(".debug-row[data-lit] .debug-type")
    selections: list[tuple[Message, list[str]]] = [
        ({"source": "chat", "seq": 9, "runId": "r1"}, ["delta", "code"]),  # code and who wrote it
        ({"source": "chat", "seq": 7}, ["delta"]),  # a folded piece
        ({"source": "images", "seq": 10}, ["tool", "arrow"]),  # a drawing and its call
        ({"source": "map", "room": "Kitchen"}, ["arrow"]),
        ({"source": "chat", "runId": "r1"}, ["run"]),
    ]
    for selection, row in selections:
        desk.page.get_by_role("tree").evaluate("(node) => { node.scrollTop = node.scrollHeight; }")
        desk.settle()
        desk.page.evaluate("() => { window.desk.heard.select.length = 0; }")
        desk.emit("select", selection)
        expect(lit).to_have_text(row)
        desk.hears("select", [selection])  # it does not answer


def test_what_is_under_the_pointer_is_told_and_heard_and_nothing_moves(desk: Desk) -> None:
    desk.tell(*RUN, *[{"type": "text", "content": f"event {number}"} for number in range(100)])
    tree = desk.page.get_by_role("tree")
    top = tree.evaluate("(node) => node.scrollTop")
    desk.emit("hover", {"source": "chat", "seqs": [104]})
    desk.emit("hover", {"source": "chat", "seqs": [9]})
    assert tree.evaluate("(node) => node.scrollTop") == top
    tree.press("Home")
    desk.settle()
    expect(desk.page.locator(".debug-row[data-near] .debug-type")).to_have_text(["delta", "code"])
    desk.emit("hover", None)
    expect(desk.page.locator(".debug-row[data-near]")).to_have_count(0)

    desk.page.locator(".debug-row", has_text="load_dataset").hover()
    desk.page.get_by_role("searchbox", name="Search events").hover()
    assert desk.heard("hover")[-2:] == [{"source": "debug", "seqs": [5, 6, 10]}, None]


def test_another_chat_begins_with_an_empty_list(desk: Desk) -> None:
    desk.tell(*RUN)

    desk.reset()
    desk.tell(at(delta("new"), 1))

    see_rows(desk, "run", "Step 1", "delta | new")


def test_on_a_phone_the_detail_lies_below_the_list(open_pane: OpenPane) -> None:
    desk = open_pane("debug", size=(390, 600))
    desk.tell(*RUN)
    desk.page.locator(".debug-row", has_text="arrow").click()
    expect(
        desk.page.locator(".debug-detail")
    ).to_be_visible()  # what shows it is loaded when it is first wanted

    timeline = desk.page.locator(".debug-timeline").bounding_box()
    detail = desk.page.locator(".debug-detail").bounding_box()
    assert timeline is not None and detail is not None
    assert detail["y"] >= timeline["y"] + timeline["height"] - 1
    expect(desk.page.locator(".debug-row[aria-selected=true]")).to_be_visible()


def test_it_speaks_japanese(open_pane: OpenPane) -> None:
    desk = open_pane("debug", language="ja")
    desk.settle()

    expect(desk.page.get_by_text("実行のイベントがここに表示されます")).to_be_visible()
    expect(desk.page.get_by_role("searchbox", name="イベントを検索")).to_have_count(1)


def test_a_step_that_is_going_on_has_its_code_and_its_run_says_how_it_stands(desk: Desk) -> None:
    desk.tell(*RUN[:4], call(400, 5), at(delta("\ndf"), 6, 450), at(tool("called"), 7, 500))
    see(desk.page, lambda: rows(desk)[1].split(" | ")[1], "Load the Titanic · running")
    desk.page.locator(".debug-row[data-kind=step]").click()
    expect(desk.page.locator(".debug-body .debug-code").first).to_have_text("import pandas")
    desk.tell(at(run("waiting"), 8, 600))
    see(desk.page, lambda: rows(desk)[1].split(" | ")[1], "Load the Titanic · waiting")
    desk.tell(at(run("finished", text="Done"), 9, 700))
    see(desk.page, lambda: rows(desk)[1].split(" | ")[1], "Load the Titanic")
