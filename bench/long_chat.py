"""A long chat in a real Chromium: the page's work from the request until the newest turn stands, and its nodes then.

The chat repeats five turns: two with a table of 24 rows, two with a list of 20 lines, one with a sentence. The page is
bundled, as `make run` serves it.
"""

import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser

from bench.browsing import chromium
from bench.report import Ratio, Section, median, ms
from tests.support.desk_server import ROOT, live_desk
from tests.support.long_chat import QUESTION, import_long_chat
from tests.support.scripted_model import ScriptedModel, code

GOAL = 0.5
"""Seconds of work until the newest turn stands, the start of the page included."""
MOST_NODES = 8000
TABLE = """import pandas as pd
print(24)
final_answer(pd.DataFrame({"room": [f"Room {n}" for n in range(24)], "value": range(24)}))"""
LINES = "print(20)\nfinal_answer('Twenty rows.\\n\\n' + '\\n'.join(f'- row {n}' for n in range(20)))"
SENTENCE = "print(29.7)\nfinal_answer('The mean age is **29.7** years.')"
STANDS = """
    const look = () => {
        const turns = document.querySelectorAll(".turns > .turn");
        const stands = LAST
            ? turns[turns.length - 1]?.querySelector(".answer, table") && turns.length >= LAST
            : document.querySelector(".connection[data-connection=open]");
        if (stands) requestAnimationFrame(() => setTimeout(() => console.log("stands")));
        else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
"""


@dataclass(frozen=True)
class Opening:
    """One opening: seconds of processor time of the main thread, and nodes of the document."""

    work: float
    nodes: int


def measure(turns: int = 500, repeats: int = 5) -> Section:
    """Open the chat and an empty one in turns, each in a fresh browser profile."""
    subprocess.run([sys.executable, str(ROOT / "scripts" / "bundle_page.py")], check=True)
    model = ScriptedModel([code(text) for text in (TABLE, LINES, TABLE, SENTENCE, LINES)])
    folder = tempfile.TemporaryDirectory(prefix="smoldesk-bench-")
    with folder, live_desk(Path(folder.name), lambda: model) as live, chromium() as browser:
        chat_id, events = import_long_chat(live.url, short_chat(browser, live.url), turns)
        long: list[Opening] = []
        empty: list[Opening] = []
        for _ in range(repeats):
            long.append(opening(browser, f"{live.url}/#chat={chat_id}", turns))
            empty.append(opening(browser, live.url, 0))
    return report(turns, events, long, empty)


def report(turns: int, events: int, long: list[Opening], empty: list[Opening]) -> Section:
    section = Section(
        f"page: a chat of {turns:,} turns in a real Chromium",
        [
            f"{events:,} events, 1440 x 900, bundled page, a fresh profile each; {len(long)} openings in turns.",
            "Work: processor time of the main thread from the request until the newest turn stands.",
        ],
    )
    for name, openings in (("the chat", long), ("an empty chat", empty)):
        work = sorted(item.work for item in openings)
        section.figures.append((f"{name}, work", ", ".join(ms(item) for item in work)))
    work, nodes = median([item.work for item in long]), max(item.nodes for item in long)
    section.figures.append(("the chat, nodes of the document", f"{nodes:,}"))
    section.ratios += [
        Ratio(f"work until the newest of {turns:,} turns", ms(work), f"{ms(GOAL)} at most", work / GOAL, 1),
        Ratio(f"nodes of {turns:,} turns", f"{nodes:,}", f"{MOST_NODES:,} at most", nodes / MOST_NODES, 1),
    ]
    return section


def short_chat(browser: Browser, url: str) -> str:
    """Ask the model's five questions, and return the chat."""
    page = browser.new_page()
    page.goto(url)
    for number in range(5):
        page.locator("textarea").first.fill(QUESTION)
        page.keyboard.press("Enter")
        page.locator(".turn[data-state=finished]").nth(number).wait_for()
    found = re.search(r"chat=([\w-]+)", page.url)
    assert found, page.url
    page.close()
    return found[1]


def opening(browser: Browser, address: str, last: int) -> Opening:
    """Open a chat whose newest turn is number `last`; 0 for an empty one."""
    with browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB") as context:
        page = context.new_page()
        page.add_init_script(STANDS.replace("LAST", str(last)))
        client = context.new_cdp_session(page)
        client.send("Performance.enable", {"timeDomain": "threadTicks"})

        def work() -> float:
            metrics = client.send("Performance.getMetrics")["metrics"]
            return next(float(metric["value"]) for metric in metrics if metric["name"] == "TaskDuration")

        before = work()
        with page.expect_console_message(lambda message: message.text == "stands", timeout=60_000):
            page.goto(address, wait_until="commit")
        spent = work() - before
        return Opening(spent, page.evaluate("document.querySelectorAll('*').length"))
