"""The pages of docs/ai-sdk, with React and without, built as their reader builds them, in a browser beside a real desk."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scripts.bundle_page import ESBUILD
from scripts.node import CannotHave
from tests.node_support import PACKAGES
from tests.support.desk_server import ROOT, live_desk
from tests.support.scripted_model import Calls, Reply, ScriptedModel
from tests.support.servers import http_served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
EXAMPLES = ROOT / "docs" / "ai-sdk"
OPTIONS = ["--bundle", "--jsx=automatic", "--format=esm", "--log-level=error"]


@dataclass
class Desk:
    """The address of the example, and what the model says next."""

    origin: str = ""
    replies: list[Reply] = field(default_factory=list[Reply])

    def model(self) -> ScriptedModel:
        return ScriptedModel(self.replies)


@pytest.fixture(params=["react.jsx", "plain.js"])
def desk(request: pytest.FixtureRequest, tmp_path: Path, node_path: Path) -> Iterator[Desk]:
    try:
        esbuild = ESBUILD.program("esbuild/bin/esbuild")
    except CannotHave as reason:
        pytest.skip(str(reason))
    site = tmp_path / "site"
    site.mkdir()
    subprocess.run(
        [*esbuild, str(EXAMPLES / request.param), *OPTIONS, f"--outfile={site / 'page.js'}"],
        check=True,
        env=os.environ | {"NODE_PATH": str(PACKAGES / "node_modules")},
    )
    example_desk = Desk()
    with ExitStack() as closing:
        address = closing.enter_context(http_served(SimpleHTTPRequestHandler, directory=str(site)))
        example_desk.origin = address.replace("127.0.0.1", "localhost")
        live = closing.enter_context(
            live_desk(
                tmp_path / "desk",
                example_desk.model,
                demo_tools=True,
                allowed_origins=[example_desk.origin],
            )
        )
        html = (EXAMPLES / "index.html").read_text()
        assert "http://127.0.0.1:8000" in html
        (site / "index.html").write_text(html.replace("http://127.0.0.1:8000", live.url))
        yield example_desk


@pytest.fixture
def page(desk: Desk, browser: "Browser") -> "Iterator[Page]":
    here: Any = {"latitude": 35.5, "longitude": 139.5}
    context = browser.new_context(geolocation=here, permissions=["geolocation"])
    page = context.new_page()
    page.goto(desk.origin)
    yield page
    context.close()


def payment(recipient: str) -> tuple[str, dict[str, Any]]:
    return ("process_payment", {"recipient": recipient, "amount": 30, "currency": "USD"})


def answer(text: str) -> Calls:
    return Calls(("final_answer", {"answer": text}))


def ask(page: "Page", text: str) -> None:
    page.fill("input", text)
    page.click("text=Send")


def test_a_page_streams_asks_locates_and_finds_its_chat_again(desk: Desk, page: "Page") -> None:
    desk.replies[:] = [Calls(payment("Alice"), payment("Bob")), answer("Paid to one of them.")]
    ask(page, "Pay both")
    page.click("text=Allow >> nth=0")
    page.click("text=Deny >> nth=-1")
    page.wait_for_selector(".assistant p:has-text('Paid to one of them.')")
    assert '"wallet_balance":970' in page.inner_text(".tool-process_payment.output-available")
    assert "User denied" in page.inner_text(".tool-process_payment.output-error")

    desk.replies[:] = [Calls(("get_location", {})), answer("There you are.")]
    ask(page, "Where am I?")
    page.click("text=Allow")
    page.wait_for_selector(".assistant p:has-text('There you are.')")
    assert '"latitude":35.5' in page.inner_text(".tool-get_location.output-available")

    desk.replies[:] = [Calls(payment("Carol")), answer("Paid to Carol.")]
    ask(page, "Pay Carol")
    page.wait_for_selector("text=Allow")
    lived = page.inner_text("#root")
    page.reload()
    page.wait_for_selector("text=Allow")
    assert page.inner_text("#root") == lived
    assert page.locator("article").count() == 6
    page.click("text=Allow")
    page.wait_for_selector(".assistant p:has-text('Paid to Carol.')")
    assert page.locator("text=Allow").count() == 0

    desk.replies[:] = [RuntimeError("gone")]
    ask(page, "And now?")
    page.wait_for_selector("[role=alert]")

    refusal = {"error": {"code": "busy", "message": "Not now, please."}}
    open_to_all = {"Access-Control-Allow-Origin": "*"}
    page.route("**/messages", lambda route: route.fulfill(status=503, json=refusal, headers=open_to_all))
    page.reload()
    page.wait_for_selector("[role=alert]:has-text('Not now, please.')")

    here = page.url.replace("localhost", "127.0.0.1")
    page.unroute("**/messages")
    page.goto(here)
    page.wait_for_selector(
        f"[role=alert]:has-text('SMOLDESK_ALLOWED_ORIGINS have {here.partition('/#')[0]}?')"
    )
