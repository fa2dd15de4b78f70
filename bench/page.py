"""The page in a real Chromium: what messages cost that come as fast as a browser takes them, one task each.

The socket is a stand-in inside the page (tests/support/fed_page.py), so the server and the network are not in it. Time is
from the first message until the frame that shows the last one; growth is by the main thread's own count of its work.
"""

from dataclasses import dataclass

from playwright.sync_api import Browser

from bench import page_load
from bench.browsing import chromium
from bench.report import Section, median, ms, of_times
from tests.support.fed_page import open_fed, served_page

GOAL = 2.5
"""Work for twice as much, to work for once; linear is 2."""
LONG_TASKS = """
    window.longest = 0;
    new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
    }).observe({ type: "longtask" });
    window.waited = new Map();
    new PerformanceObserver((list) => {
        for (const { interactionId, duration } of list.getEntries())
            if (interactionId) window.waited.set(interactionId, Math.max(window.waited.get(interactionId) ?? 0, duration));
    }).observe({ type: "event", durationThreshold: 16 });
    window.slowest = 0;
    let last = 0;
    requestAnimationFrame(function frame(now) {
        if (last) window.slowest = Math.max(window.slowest, now - last);
        last = now;
        requestAnimationFrame(frame);
    });
"""
TYPED = "What is the average fare by class for women over 30?"
MEASURE = """async (make) => {
    const messages = numbered(eval(make));
    await feed([]);
    window.longest = window.slowest = 0;
    const begun = performance.now();
    await feed(messages);
    return { seconds: (performance.now() - begun) / 1000, longest: window.longest / 1000,
        slowest: window.slowest / 1000,
        nodes: document.querySelectorAll("*").length };
}"""


@dataclass(frozen=True)
class Fed:
    """One feeding: seconds until all was drawn, the main thread's work, its longest task and frame; nodes of the document."""

    seconds: float
    work: float
    longest: float
    slowest: float
    nodes: int


def measure(turns: int = 100, deltas: int = 10_000, repeats: int = 3, loads: int = 7) -> Section:
    """Loads of the page, then turns of ten messages, deltas of one step, and half and twice as many of each."""
    section = Section(
        "page: messages in a real Chromium",
        [
            f"{turns:,} turns of ten messages (question, run, tool, tool, printed, debug, code, table, answer, run);",
            f"{deltas:,} deltas of one step's code. 1440 x 900, all four panes; median of {repeats} fresh pages.",
            "Longest task: 0 when none took 50 ms, which is where browsers begin to count.",
        ],
    )
    with served_page() as address, chromium() as browser:
        for name, make, count in (("messages", "turns", turns), ("deltas", "deltas", deltas)):
            half, once, twice = (
                [feeding(browser, address, f"{make}({many})") for _ in range(repeats)]
                for many in (count // 2, count, 2 * count)
            )
            sent = 10 * count if make == "turns" else count
            add(section, f"{sent:,} {name}", half, once, twice)
        add_interactions(
            section, f"{10 * turns:,} messages", interacting(browser, address, f"turns({turns})")
        )
    if not loads:
        return section
    loaded = page_load.measure(loads)
    loaded.method += [f"== {section.title}", *section.method]
    loaded.figures += section.figures
    loaded.ratios += section.ratios
    return loaded


def add(section: Section, name: str, half: list[Fed], once: list[Fed], twice: list[Fed]) -> None:
    """The figures of a kind of message, and how they grow."""
    section.figures += [
        (f"{name}, until drawn", ms(median([item.seconds for item in once]))),
        (f"{name}, work of the main thread", ms(median([item.work for item in once]))),
        (f"{name}, longest task", ms(max(item.longest for item in once))),
        (f"{name}, longest between two frames", ms(max(item.slowest for item in once))),
        (f"{name}, nodes of the document", f"{max(item.nodes for item in once):,}"),
    ]
    first, second, third = (median([item.work for item in several]) for several in (half, once, twice))
    section.ratios.append(of_times(f"{name}, to half as many", second, first, GOAL))
    section.ratios.append(of_times(f"{name}, twice as many", third, second, GOAL))


def add_interactions(section: Section, after: str, waited: list[float]) -> None:
    """Interaction to next paint, as web.dev defines it: the 98th percentile of all interactions, and the worst."""
    waited = sorted(waited)
    section.figures += [
        (
            f"keys and clicks after {after}, INP of {len(waited)}",
            ms(waited[min(len(waited) - 1, int(0.98 * len(waited)))]),
        ),
        (f"keys and clicks after {after}, slowest", ms(waited[-1])),
    ]


def interacting(browser: Browser, address: str, make: str) -> list[float]:
    """Seconds from each key or click to the frame that shows what came of it, with a long chat open."""
    page = open_fed(browser, address, LONG_TASKS)
    try:
        page.evaluate(MEASURE, make)
        page.wait_for_timeout(500)
        page.evaluate("() => window.waited.clear()")
        composer = page.get_by_role("textbox").first
        composer.click()
        composer.press_sequentially(TYPED, delay=40)
        for step in page.locator("summary:visible").all()[-10:]:
            step.click()
        for key in ("Escape", "PageUp", "PageUp", "PageDown", "End"):
            page.keyboard.press(key)
            page.wait_for_timeout(100)
        page.wait_for_timeout(300)
        locked: dict[str, float] = page.evaluate("() => Object.fromEntries(window.waited)")
        unseen = len(TYPED) - len(locked)  # those of less than 16 ms are not reported
        return [*(item / 1000 for item in locked.values()), *([0.016] * max(0, unseen))]
    finally:
        page.close()


def feeding(browser: Browser, address: str, make: str) -> Fed:
    """Feed a fresh page."""
    page = open_fed(browser, address, LONG_TASKS)
    try:
        client = page.context.new_cdp_session(page)
        client.send("Performance.enable")

        def work() -> float:
            metrics = client.send("Performance.getMetrics")["metrics"]
            return next(float(metric["value"]) for metric in metrics if metric["name"] == "TaskDuration")

        before = work()
        result = page.evaluate(MEASURE, make)
        return Fed(
            result["seconds"], work() - before, result["longest"], result["slowest"], int(result["nodes"])
        )
    finally:
        page.close()
