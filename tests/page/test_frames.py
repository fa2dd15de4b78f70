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


def fed_with(fed: Page, messages: str) -> None:
    """Feed them, while each pane may write to the document once a frame."""
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


def test_of_a_thousand_messages_each_pane_writes_once_a_frame_what_is_in_sight(fed: Page) -> None:
    """Of a long chat that is read in most turns only pass by: one has its tools once it stays near the window."""
    fed_with(fed, "turns(100)")

    assert fed.locator(".debug-row").count() < 60
    assert fed.locator(".turn").count() == 100
    expect(fed.locator(".turn").last.locator(".turn-action")).to_have_count(5)
    bare = fed.locator(".turn:not(:has(.turn-action))")
    assert bare.count() > 20
    run_id = bare.first.get_attribute("data-run")
    bare.first.scroll_into_view_if_needed()
    expect(fed.locator(f".turn[data-run={run_id}] .turn-action")).to_have_count(5)


def test_of_thousands_of_deltas_each_pane_writes_once_a_frame(fed: Page) -> None:
    fed_with(fed, "deltas(3_000)")


def test_what_a_program_writes_is_written_once_a_frame_and_taken_from_where_it_was_left(fed: Page) -> None:
    """Each piece is drawn once: what a program writes costs what it adds, not what is there."""
    fed.evaluate("""() => {
        window.drawn = 0;
        new MutationObserver((changes) => {
            for (const { addedNodes } of changes) for (const node of addedNodes) {
                if (node instanceof Text && node.parentElement?.closest(".program-text")) window.drawn += node.data.length;
            }
        }).observe(document.querySelector(".log"), { childList: true, subtree: true });
    }""")
    fed_with(fed, "outputs(3_000)")

    drawn = fed.evaluate("window.drawn")
    report = fed.evaluate("document.querySelector('.program-text').textContent.length")
    assert report > 75_000
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


def layouts(fed: Page) -> int:
    """Return how often the page was laid out so far."""
    metrics = fed.context.new_cdp_session(fed)
    metrics.send("Performance.enable")
    measured = metrics.send("Performance.getMetrics")["metrics"]
    metrics.detach()
    return next(int(metric["value"]) for metric in measured if metric["name"] == "LayoutCount")


WATCH_UNCHANGED = """() => {
    window.rewritten = [];
    const unchanged = ".chat-title, .approvals-place, .debug-search, .composer textarea";
    new MutationObserver((changes) => {
        for (const { target, attributeName } of changes)
            if ((target instanceof Element ? target : target.parentElement)?.closest(unchanged))
                window.rewritten.push(`${target.className} ${attributeName}`);
    }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
}"""


def test_a_turn_costs_what_it_adds_and_the_rows_in_sight_however_long_the_chat(fed: Page) -> None:
    """Some 87 elements a turn of ten messages are restyled; 258 when rules with `:has` were matched against every block of
    code. Where the chat ends and what the debug pane has room for is read from a layout each; two frames and the fold of
    a turn make it five."""
    fed.evaluate(PACED, [0, 10])
    short = restyled_elements(fed, 10, 20)
    fed.evaluate(WATCH_UNCHANGED)
    before = layouts(fed)
    fed.evaluate(PACED, [30, 50])
    laid_out = layouts(fed) - before
    long = restyled_elements(fed, 80, 20)

    assert 0 < short < 110 * 20
    # on a busy machine several turns share a frame, so that the short chat alone may count fewer than its 87 a turn
    assert long < 1.1 * max(short, 87 * 20)
    assert laid_out <= 5 * 50 + 5
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
