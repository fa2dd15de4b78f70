"""The debug pane in a browser: rows, folding, search, detail, and ten thousand events."""

import json
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
        .sort((a, b) => a.ariaPosInSet - b.ariaPosInSet)
        .map((row) => [".debug-type", ".debug-words", ".debug-count", ".debug-length"]
            .map((part) => row.querySelector(part).textContent).filter(Boolean).join(" | "))"""
    return desk.page.evaluate(script)


def see_rows(desk: Desk, *wanted: str) -> None:
    """Wait until these rows, and no others, are on the screen."""
    see(desk.page, lambda: rows(desk), list(wanted))


def see_types(desk: Desk, *wanted: str) -> None:
    see(desk.page, lambda: [row.split(" | ")[0] for row in rows(desk)], list(wanted))


def rested(desk: Desk, box: Locator) -> float:
    """Where a list stands once it has stopped scrolling: a wheel moves it over several frames."""
    seen: list[float] = []

    def top() -> float:
        desk.settle()
        seen.append(box.evaluate("(node) => node.scrollTop"))
        return seen[-1]

    return until(desk.page, top, lambda now: len(seen) > 3 and seen[-3:] == [now] * 3)


def test_every_message_is_a_row_and_the_pieces_of_a_step_are_one(desk: Desk) -> None:
    desk.tell(*RUN)

    see_rows(
        desk,
        "map_definition | 0 floors · 0 bitmaps",
        "user_message | Load the Titanic",
        "run | running · step 1",
        "delta | import pandas | × 3 | 750 ms",
        'tool | load_dataset(name="titanic")',
        "tool | load_dataset returned · 891 rows | 500 ms",
        "debug | 1 output | 1.0 s",
        "code | import pandas as pd df",
        "arrow | Kitchen · left",
        "delta | more",
        "text | Done",
        "run | finished · Done | 1.9 s",
    )
    desk.see(rows="12")


def test_rows_are_indented_by_run_step_and_item(desk: Desk) -> None:
    desk.tell(*RUN)

    depths = desk.page.evaluate(
        "() => [...document.querySelectorAll('.debug-row')].map((row) => +row.dataset.depth)"
    )
    assert depths == [0, 0, 1, 2, 2, 2, 1, 2, 2, 2, 2, 0]


def test_a_bar_lies_where_its_event_lay_in_the_run(desk: Desk) -> None:
    desk.tell(*RUN)

    bars = desk.page.evaluate(
        "() => [...document.querySelectorAll('.debug-row')].map((row) => {"
        " const { style } = row.querySelector('i');"
        " return [parseFloat(style.left), parseFloat(style.width)]; })"
    )
    assert bars[5] == [20, 25]  # the tool's answer: from 0.4 s for 0.5 s of 2 s
    assert bars[11] == [5, 95]  # the closing event: from 0.1 s to the end


@pytest.mark.parametrize(
    "message",
    [
        {"type": "hologram", "content": {"x": 1}},
        {"type": "table"},
        {"type": "map", "content": 5},
        {"type": "tool", "content": None},
        {"type": "text", "content": "<img src=x onerror=alert(1)>"},
    ],
    ids=lambda message: json.dumps(message)[:40],
)
def test_a_message_of_any_shape_is_a_row_of_plain_text(desk: Desk, message: Message) -> None:
    desk.tell(message)

    see(desk.page, lambda: len(rows(desk)), 1)
    assert rows(desk)[0].startswith(message["type"])
    assert desk.page.locator(".debug-viewer img").count() == 0


def test_a_click_shows_the_event_as_a_tree_and_points_at_it_everywhere(desk: Desk) -> None:
    desk.tell(*RUN)
    desk.page.get_by_text("load_dataset returned").click()

    detail = desk.page.get_by_role("region", name="Event detail")
    expect(detail).to_contain_text("result: ")
    expect(detail).to_contain_text('"891 rows"')
    desk.hears("select", [{"source": "debug", "seq": 6, "runId": "r1"}])


def test_raw_shows_each_folded_message_as_it_came(desk: Desk) -> None:
    desk.tell(*RUN)
    desk.page.locator(".debug-row", has_text="× 3").click()
    expect(desk.page.locator(".json-tree pre")).to_have_text("import pandas as pd\ndf")

    desk.page.get_by_role("button", name="Raw").click()

    expect(desk.page.locator(".debug-raw")).to_be_visible()
    raw = desk.page.locator(".debug-raw").inner_text().splitlines()
    assert [json.loads(line) for line in raw] == [RUN[3], RUN[4], RUN[7]]
    expect(desk.page.get_by_role("button", name="Raw")).to_have_attribute("aria-pressed", "true")

    desk.page.get_by_role("button", name="Tree").click()
    expect(desk.page.locator(".json-tree")).to_be_visible()


def test_the_detail_grows_while_the_step_it_shows_is_written(desk: Desk) -> None:
    desk.tell(*RUN[:4])
    desk.page.locator(".debug-row", has_text="delta").click()
    desk.tell(RUN[4])

    expect(desk.page.locator(".json-tree")).to_contain_text("import pandas as pd")


def test_escape_closes_the_detail_and_the_list_has_the_focus(desk: Desk) -> None:
    desk.tell(*RUN)
    desk.page.locator(".debug-row", has_text="arrow").click()
    desk.page.get_by_role("button", name="Raw").press("Escape")

    expect(desk.page.locator(".debug-detail")).to_be_hidden()
    expect(desk.page.get_by_role("listbox")).to_be_focused()


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
    see_types(desk, "user_message", "tool")
    expect(desk.page.locator("mark")).to_have_text(["Titanic", "titanic"])
    expect(desk.page.get_by_text("2 of 12")).to_be_visible()

    field.fill("as pd")  # lies across two pieces
    desk.settle()
    see_types(desk, "delta", "code")

    field.fill("giraffe")
    desk.settle()
    expect(desk.page.get_by_text("Nothing matches “giraffe”")).to_be_visible()

    field.press("Escape")
    desk.settle()
    see(desk.page, lambda: len(rows(desk)), 12)


def test_what_arrives_during_a_search_is_searched_too(desk: Desk) -> None:
    desk.tell(*RUN[:4])
    desk.page.get_by_role("searchbox").fill("done")
    desk.tell(*RUN[4:])

    see_types(desk, "text", "run")


def test_clear_empties_the_list_and_new_events_begin_it_again(desk: Desk) -> None:
    desk.tell(*RUN[:6])
    desk.page.locator(".debug-row", has_text="user_message").click()
    desk.page.get_by_role("button", name="Clear").click()
    desk.settle()
    desk.see(rows="0")
    expect(desk.page.get_by_text("Every event of a run appears here")).to_be_visible()
    expect(desk.page.locator(".debug-detail")).to_be_hidden()

    desk.tell(RUN[6], RUN[7])
    see_rows(desk, "tool | load_dataset returned · 891 rows | 500 ms", "delta | df")


def test_ten_thousand_events_are_a_few_nodes_and_every_one_is_reached(desk: Desk) -> None:
    desk.page.evaluate(
        "() => window.desk.tell(Array.from({ length: 10_000 }, (_, seq) =>"
        " ({ type: 'text', content: `event ${seq}`, seq: seq + 1, runId: 'r1', timestamp: '2025-11-21T09:30:00Z' })))"
    )
    desk.settle()

    desk.see(rows="10000")
    assert desk.page.locator(".debug-row").count() < 60
    until(
        desk.page, lambda: rows(desk), lambda seen: seen[-1:][:1] == ["text | event 9999"]
    )  # it follows the end

    listbox = desk.page.get_by_role("listbox")
    listbox.press("Home")
    desk.settle()
    until(desk.page, lambda: rows(desk), lambda seen: seen[0:][:1] == ["text | event 0"])
    listbox.evaluate("(node) => { node.scrollTop = 5000 * 24; }")
    desk.settle()
    until(desk.page, lambda: rows(desk), lambda seen: "text | event 5000" in seen)
    desk.page.get_by_role("searchbox").fill("event 7777")
    desk.settle()
    see_rows(desk, "text | event 7777")


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

    listbox = desk.page.get_by_role("listbox")
    listbox.hover()
    desk.page.mouse.wheel(0, -1200)
    desk.page.wait_for_selector("[aria-label=Follow][aria-pressed=false]")
    top = rested(desk, listbox)
    desk.tell({"type": "text", "content": "late"})
    assert rested(desk, listbox) == top

    follow.click()
    desk.settle()
    until(desk.page, lambda: rows(desk), lambda seen: seen[-1:][:1] == ["text | late"])
    follow.click()  # pause, at the end
    desk.tell(*[{"type": "text", "content": f"later {number}"} for number in range(40)])
    assert "text | later 39" not in rows(desk)
    listbox.hover()
    desk.page.mouse.wheel(0, 9000)
    desk.page.wait_for_selector("[aria-label=Follow][aria-pressed=true]")


def test_keys_walk_through_the_events(desk: Desk) -> None:
    desk.tell(*RUN)
    listbox = desk.page.get_by_role("listbox", name="Events")
    listbox.press("Home")
    listbox.press("ArrowDown")
    desk.settle()

    active = listbox.get_attribute("aria-activedescendant")
    expect(desk.page.locator(f"#{active}")).to_contain_text("Load the Titanic")
    expect(desk.page.locator(f"#{active}")).to_have_attribute("aria-selected", "true")
    assert desk.heard("select")[-1] == {"source": "debug", "seq": 1, "runId": "r1"}


@pytest.mark.parametrize(
    ("selection", "row"),
    [
        ({"source": "chat", "seq": 9, "runId": "r1"}, "code"),
        ({"source": "chat", "seq": 7}, "delta"),
        ({"source": "map", "room": "Kitchen"}, "arrow"),
        ({"source": "chat", "runId": "r1"}, "user_message"),
    ],
    ids=["by seq", "by the seq of a folded piece", "by room", "by run"],
)
def test_what_is_selected_elsewhere_is_lit_here_and_scrolled_to(
    desk: Desk, selection: Message, row: str
) -> None:
    desk.tell(*RUN, *[{"type": "text", "content": f"event {number}"} for number in range(100)])

    desk.emit("select", selection)
    desk.settle()

    lit = desk.page.locator(".debug-row[data-lit] .debug-type")
    expect(lit).to_have_text([row])
    desk.hears("select", [selection])  # it does not answer


def test_another_chat_begins_with_an_empty_list(desk: Desk) -> None:
    desk.tell(*RUN)

    desk.reset()
    desk.tell(at(delta("new"), 1))

    see_rows(desk, "delta | new")


def test_on_a_phone_the_detail_lies_below_the_list(open_pane: OpenPane) -> None:
    desk = open_pane("debug", size=(390, 600))
    desk.tell(*RUN)
    desk.page.locator(".debug-row", has_text="arrow").click()
    desk.settle()

    timeline = desk.page.locator(".debug-timeline").bounding_box()
    detail = desk.page.locator(".debug-detail").bounding_box()
    assert timeline is not None and detail is not None
    assert detail["y"] >= timeline["y"] + timeline["height"] - 1
    expect(desk.page.locator(".debug-row[aria-selected=true]")).to_be_visible()


def test_it_speaks_japanese(open_pane: OpenPane) -> None:
    desk = open_pane("debug", language="ja")
    desk.settle()

    expect(desk.page.get_by_text("実行中のイベントはすべてここに表示されます")).to_be_visible()
    expect(desk.page.get_by_role("searchbox", name="イベントを検索")).to_have_count(1)
