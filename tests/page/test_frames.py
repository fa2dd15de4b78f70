"""However fast messages come, each pane writes to the document at most once a frame, and never outside of one."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.support.fed_page import COUNT_WRITES, open_fed

pytestmark = pytest.mark.browser


@pytest.fixture
def fed(context: BrowserContext, address: str) -> Iterator[Page]:
    page = open_fed(context, address, COUNT_WRITES)
    page.locator("section[data-pane=debug] .pane-body").hover()
    for pane in ("map", "debug"):  # loaded when they are first shown, or pointed at
        page.wait_for_selector(f".{pane}-viewer")
    yield page
    page.close()


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
    assert {pane: most for pane, most in writes["most"].items() if most > 1} == {}
    assert {"chat", "debug"} <= set(writes["most"])
    assert fed.locator(".debug-viewer").get_attribute("data-rows") is not None


def test_what_is_out_of_sight_costs_no_nodes_in_the_debug_pane(fed: Page) -> None:
    fed.evaluate("async () => { await feed(numbered(turns(100))); }")

    assert fed.locator(".debug-row").count() < 60
    assert fed.locator(".turn").count() == 100


def test_what_a_program_writes_is_taken_from_where_it_was_left(fed: Page) -> None:
    """Each piece is drawn once: what a program writes costs what it adds, not what is there."""
    drawn, told = fed.evaluate("""async () => {
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

    assert told > 250_000
    assert told // 2 < drawn <= told  # the first frame's text came with its block
