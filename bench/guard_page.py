"""Guard figures of the page and of the map: processor time of the browser's main thread, to a peer's in the same browser.

Frames are driven, not awaited: ten messages, then two frames; one step of the map, then one frame. So both sides do the same
work in every run, and the main thread's own count of its processor time leaves out its neighbours and the waiting.
"""

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page

from bench.browsing import chromium
from bench.map import PAGES, PANE, UNLIMITED, Handler, bring_leaflet
from tests.support.fed_page import open_fed, served_page
from tests.support.servers import http_served

TURNS = 40
ROOMS = 2_000
FEED = """async (turn) => {
    const messages = numbered(turns(TURNS));
    for (let at = 0; at < messages.length; at += 10) {
        turn(messages.slice(at, at + 10));
        await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(drawn))));
    }
}""".replace("TURNS", str(TURNS))
FEED_PAGE = f"() => ({FEED})((messages) => messages.forEach((message) => window.say(message)))"
PLAIN = """<!doctype html><style>
    body { margin: 0; font: 14px/1.5 sans-serif; display: flex }
    div { flex: 1; block-size: 100vh; overflow: auto }
    section { padding: 8px; border: 1px solid #ccc; border-radius: 8px } p, pre { margin: 4px }
</style><div id=chat></div><div id=log></div>"""
FEED_PLAIN = f"""() => ({FEED})((messages) => {{
    const add = (list, tag, text) => list.appendChild(document.createElement(tag)).append(text);
    requestAnimationFrame(() => {{
        for (const list of [chat, log]) {{
            const section = list.appendChild(document.createElement("section"));
            for (const message of messages) {{
                for (const [name, value] of Object.entries(message)) add(section, "p", `${{name}}: ${{JSON.stringify(value)}}`);
                add(section, "pre", JSON.stringify(message, null, 2));
            }}
            list.scrollTop = list.scrollHeight;
        }}
    }});
}})"""
"""What a page without features does: the messages twice, as plain text, each list scrolled to its end."""

Work = Callable[[], float]


def work_of(page: Page, script: str) -> float:
    """Run a script in a page, close it and return the seconds of processor time of its main thread."""
    try:
        client = page.context.new_cdp_session(page)
        client.send("Performance.enable", {"timeDomain": "threadTicks"})
        before = _task_seconds(client)
        page.evaluate(script)
        return _task_seconds(client) - before
    finally:
        page.close()


def _task_seconds(client: CDPSession) -> float:
    metrics: list[dict[str, Any]] = client.send("Performance.getMetrics")["metrics"]
    return next(float(metric["value"]) for metric in metrics if metric["name"] == "TaskDuration")


def page_messages(stack: ExitStack) -> tuple[Work, Work]:
    """400 messages on the page, all panes shown, to the same messages as plain text."""
    address, browser = stack.enter_context(served_page()), stack.enter_context(chromium())

    def ours() -> float:
        page = open_fed(browser, address)
        page.locator("section[data-pane=debug] .pane-body").hover()
        for pane in ("map", "debug"):  # loaded when they are first shown, or pointed at
            page.wait_for_selector(f".{pane}-viewer")
        return work_of(page, FEED_PAGE)

    def plain() -> float:
        page = open_fed(browser, address)  # for the messages; the page gives way to the plain one
        page.evaluate("(html) => { document.open(); document.write(html); document.close(); }", PLAIN)
        return work_of(page, FEED_PLAIN)

    return ours, plain


def map_frames(stack: ExitStack) -> tuple[Work, Work]:
    """202 frames of 2,000 rooms moved and zoomed, to Leaflet's. Raises CannotMeasure without Leaflet."""
    bring_leaflet()
    served = stack.enter_context(http_served(Handler, directory=str(PAGES)))
    browser = stack.enter_context(chromium(*UNLIMITED))

    def drawn(browser: Browser, name: str) -> float:
        page = browser.new_page(viewport={"width": PANE["width"], "height": PANE["height"]})
        page.goto(f"{served}/pages/{name}.html?rooms={ROOMS}")
        page.wait_for_function("() => window.ready === true")
        return work_of(page, "() => window.measure()")

    return lambda: drawn(browser, "ours"), lambda: drawn(browser, "leaflet")
