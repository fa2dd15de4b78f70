"""However fast messages come, each pane writes to the document at most once a frame, and never outside of one."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.support.fed_page import COUNT_WRITES, FRONTEND, open_fed

pytestmark = pytest.mark.browser


@pytest.fixture
def fed(context: BrowserContext, address: str) -> Iterator[Page]:
    page = open_fed(context, address, COUNT_WRITES)
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.locator("section[data-pane=debug] .pane-body").hover()
    for pane in ("map", "debug"):  # loaded when they are first shown, or pointed at
        page.wait_for_selector(f".{pane}-viewer")
    yield page
    page.close()
    assert faults == []  # a pane that fails costs less


@pytest.mark.parametrize(
    "messages",
    ["turns(100)", "deltas(10_000)", "outputs(10_000)"],
    ids=["1,000 messages", "10,000 deltas", "10,000 pieces of output"],
)
def test_each_pane_writes_at_most_once_a_frame(fed: Page, messages: str) -> None:
    writes = fed.evaluate(f"""async () => {{
        const messages = numbered({messages});
        await feed([]);
        const end = countWrites();
        await feed(messages);
        return end();
    }}""")

    assert writes["outside"][:5] == []
    # turns near the window are filled by a frame of the chat's own, which may be the same one
    most = {"chat": 2, "debug": 1, "map": 1}
    assert {pane: n for pane, n in writes["most"].items() if n > most.get(pane, 1)} == {}
    assert {"chat", "debug"} <= set(writes["most"])
    assert fed.locator(".debug-viewer").get_attribute("data-rows") is not None


def test_what_is_out_of_sight_costs_no_nodes_in_the_debug_pane(fed: Page) -> None:
    fed.evaluate("async () => { await feed(numbered(turns(100))); }")

    assert fed.locator(".debug-row").count() < 60
    assert fed.locator(".turn").count() == 100


def test_a_turn_has_its_tools_once_it_stays_near_the_window(fed: Page) -> None:
    """Of a long chat that is read in most turns only pass by."""
    fed.evaluate("async () => { await feed(numbered(turns(100))); }")

    expect(fed.locator(".turn").last.locator(".turn-action")).to_have_count(5)
    bare = fed.locator(".turn:not(:has(.turn-action))")
    assert bare.count() > 20
    run_id = bare.first.get_attribute("data-run")
    bare.first.scroll_into_view_if_needed()
    expect(fed.locator(f".turn[data-run={run_id}] .turn-action")).to_have_count(5)


def test_what_a_program_writes_is_taken_from_where_it_was_left(fed: Page) -> None:
    """Each piece is drawn once: what a program writes costs what it adds, not what is there."""
    drawn, report = fed.evaluate("""async () => {
        const messages = numbered(outputs(10_000));
        let drawn = 0;
        const seen = new MutationObserver((changes) => {
            for (const { addedNodes } of changes) for (const node of addedNodes) {
                if (node instanceof Text && node.parentElement?.closest(".program-text")) drawn += node.data.length;
            }
        });
        seen.observe(document.querySelector(".log"), { childList: true, subtree: true });
        await feed(messages);
        seen.disconnect();
        return [drawn, document.querySelector(".program-text").textContent.length];
    }""")

    assert report > 250_000
    assert report // 2 < drawn <= report  # the first frame's text came with its block


PACED = """async ([first, count]) => {
    const messages = numbered(turns(first + count)).slice(10 * first);
    for (let at = 0; at < messages.length; at += 10) {
        for (const message of messages.slice(at, at + 10)) window.say(message);
        await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(drawn))));
    }
}"""
"""Feeds turns, each of ten messages in one task, two frames apart: the same work in every run."""


def restyled_elements(fed: Page, first: int, count: int) -> int:
    """Feed turns and return how many elements the browser gave a style meanwhile, by its own trace."""
    tracing = fed.context.new_cdp_session(fed)
    events: list[dict[str, Any]] = []
    complete: list[object] = []
    tracing.on("Tracing.dataCollected", lambda batch: events.extend(batch["value"]))
    tracing.on("Tracing.tracingComplete", lambda end: complete.append(end))
    tracing.send("Tracing.start", {"categories": "devtools.timeline", "transferMode": "ReportEvents"})
    fed.evaluate(PACED, [first, count])
    tracing.send("Tracing.end")
    while not complete:
        fed.wait_for_timeout(20)
    tracing.detach()
    return sum(
        event["args"].get("elementCount", 0) for event in events if event["name"] == "UpdateLayoutTree"
    )


def test_a_turn_restyles_what_it_adds_and_the_rows_in_sight_however_long_the_chat(fed: Page) -> None:
    """Some 87 elements a turn of ten messages; 258 when rules with `:has` were matched against every block of code."""
    fed.evaluate(PACED, [0, 10])
    short = restyled_elements(fed, 10, 20)
    fed.evaluate(PACED, [30, 70])
    long = restyled_elements(fed, 100, 20)

    assert 0 < short < 110 * 20
    # on a busy machine several turns share a frame, so that the short chat alone may count fewer than its 87 a turn
    assert long < 1.1 * max(short, 87 * 20)


def test_what_is_read_from_the_page_lays_it_out_twice_a_turn(fed: Page) -> None:
    """Where the chat ends and what the debug pane has room for; two frames and the fold of a turn make it five."""
    metrics = fed.context.new_cdp_session(fed)
    metrics.send("Performance.enable")

    def layouts() -> int:
        measured = metrics.send("Performance.getMetrics")["metrics"]
        return next(int(metric["value"]) for metric in measured if metric["name"] == "LayoutCount")

    fed.evaluate(PACED, [0, 10])
    before = layouts()
    fed.evaluate(PACED, [10, 50])

    assert layouts() - before <= 5 * 50 + 5


def test_a_turn_leaves_alone_what_it_does_not_change(fed: Page) -> None:
    fed.evaluate(PACED, [0, 10])
    fed.evaluate("""() => {
        window.rewritten = [];
        const unchanged = ".chat-title, .approvals-place, .debug-search, .composer textarea";
        new MutationObserver((changes) => {
            for (const { target, attributeName } of changes)
                if ((target instanceof Element ? target : target.parentElement)?.closest(unchanged))
                    window.rewritten.push(`${target.className} ${attributeName}`);
        }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    }""")
    fed.evaluate(PACED, [10, 10])

    assert fed.evaluate("() => window.rewritten") == []


LARGE = re.compile(
    r"(?:^|[\s>+~(])(?:body|\.(?:desk|column|pane|pane-head|pane-body|log|turns?|blocks|step|code-block|debug-split))"
    r"(?:\[[^]]*\]|:(?!has)[\w-]+)*(?::not\()?:has\("
)
"""A rule for a container that grows, or for what lies around one, by what is in it."""
EXCEPTIONS = {
    "body:has(.app-card:popover-open)",  # what a full view covers: nowhere else is it known when the view is removed
    ".pane[data-current] .pane-head:not(:has(.pane-tools > :not([hidden])))",  # narrow screens only
}


def test_no_rule_looks_for_something_in_a_container_that_grows() -> None:
    """Chromium matches such a rule anew whenever anything in the container changes: 0.2 s of a thousand messages each."""
    results = {
        line.strip().removesuffix("{").strip()
        for sheet in (FRONTEND / "css").glob("*.css")
        for line in sheet.read_text().splitlines()
        if LARGE.search(line)
    }

    assert {line for line in results if not line.startswith(tuple(EXCEPTIONS))} == set()
