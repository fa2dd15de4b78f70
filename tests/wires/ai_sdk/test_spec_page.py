"""spec/reference/ui_stream.md keeps its word: events, refusals, limits, and the page a reader may paste."""

import re
import typing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from smoldesk import events
from smoldesk.messages import FileContent, Shape, TableContent
from smoldesk.wires import bodies, history, inline_images
from smoldesk.wires.ai_sdk import (
    chat_history,
    dialects,
    encoder,
    request_handling,
    requests,
)
from tests.support import promise
from tests.support.desk_server import ROOT, LiveDesk, live_desk
from tests.support.promise import first_cells, section
from tests.support.scripted_model import Calls, Reply, ScriptedModel
from tests.support.servers import http_served
from tests.wires.ai_sdk.conftest import answer, payment

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TEXT = (ROOT / "spec" / "reference" / "ui_stream.md").read_text()


def test_every_event_has_its_row() -> None:
    rows = first_cells(section(TEXT, "## What each event becomes"))
    union: Any = events.AnyEvent
    kinds = {kind.__name__ for kind in typing.get_args(typing.get_args(union)[0])}
    assert set(rows) == kinds


def codes_made() -> Iterator[str]:
    backend = ROOT / "backend" / "smoldesk"
    shared = [
        backend / "chats" / "uploads.py",
        backend / "agents" / "entries.py",
        backend / "wires" / "bodies.py",
        backend / "wires" / "attachments.py",
    ]
    for file in [*(backend / "wires" / "ai_sdk").glob("*.py"), *shared]:
        yield from promise.codes_made(file)


def test_every_refusal_is_documented_and_no_other() -> None:
    assert set(codes_made()) == set(first_cells(section(TEXT, "## Errors")))


def test_the_limits_are_those_of_the_code() -> None:
    assert f"{requests.BODY_LIMIT // 2**20} MiB" in TEXT
    assert f"{bodies.MAX_FILES} files" in TEXT
    assert f"{request_handling.MAX_CALLS:,} calls" in TEXT
    assert f"more than {dialects.MAX_REQUESTS} responses" in TEXT
    assert f"at most {requests.MAX_ID} characters" in TEXT
    assert f"the last {history.MAX_TURNS} turns" in TEXT
    assert f"the last {chat_history.MAX_RUNS:,} turns" in TEXT
    assert f"`data:` URL up to {inline_images.INLINE_BYTES // 1_000_000} MB" in TEXT
    assert (bodies.MAX_MARKS, request_handling.MAX_REPEATS) == (
        500_000,
        3,
    )  # "half a million", "three times more"
    assert f"`{encoder.WAITING}`" in TEXT


@pytest.mark.parametrize(
    ("part", "model"),
    [("data-table", TableContent), ("data-file", FileContent)],
)
def test_the_shapes_of_parts_are_those_of_the_messages(part: str, model: type[Shape]) -> None:
    report = re.findall(rf"`{part}` `{{([^`]*)}}`", TEXT)
    keys = [field.alias or name for name, field in model.model_fields.items()]
    assert report == [", ".join([*keys, "url"])]


# --- the page that works when pasted -----------------------------------------------------------------------------------


@contextmanager
def served(html: Callable[[], str]) -> Iterator[str]:
    """A page on a port of its own; its origin."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(html().encode())

    with http_served(Handler) as address:
        yield address.replace("127.0.0.1", "localhost")


@pytest.fixture
def pasted(tmp_path: Path, browser: "Browser") -> "Iterator[tuple[Page, list[Reply]]]":
    """The page of the guide in a browser, beside a desk whose model says what the test tells it to."""
    [html] = re.findall(r"^```html\n(.*?)^```", TEXT, re.M | re.S)
    replies: list[Reply] = []
    desks: list[LiveDesk] = []

    def page_for_the_desk() -> str:
        return html.replace("http://127.0.0.1:8000", desks[0].url)

    def model() -> ScriptedModel:
        return ScriptedModel(replies)

    with (
        served(page_for_the_desk) as origin,
        live_desk(tmp_path, model, demo_tools=True, allowed_origins=[origin]) as desk,
    ):
        desks.append(desk)
        here = {"latitude": 35.5, "longitude": 139.5}
        context = browser.new_context(geolocation=here, permissions=["geolocation"])  # pyright: ignore[reportArgumentType]
        page = context.new_page()
        page.goto(origin)
        yield page, replies
        context.close()


def say(page: "Page", text: str) -> None:
    page.fill("#text", text)
    page.click("button")


def test_the_pasted_page_talks_approves_and_locates(pasted: "tuple[Page, list[Reply]]") -> None:
    page, replies = pasted
    replies[:] = [Calls(payment(30), payment(50, "Bob")), answer("Paid to one of them.")]
    say(page, "Pay both")
    page.wait_for_selector(".approval-requested >> nth=1")
    page.click("text=Allow >> nth=0")
    page.click("text=Deny")
    page.wait_for_selector(".assistant.text:has-text('Paid to one of them.')")
    assert '"wallet_balance":970' in page.inner_text(".tool-process_payment.output-available")
    assert "User denied the tool call" in page.inner_text(".tool-process_payment.output-error")

    replies[:] = [Calls(("get_location", {})), answer("There you are.")]
    say(page, "Where am I?")
    page.click("text=Allow")
    page.wait_for_selector(".assistant.text:has-text('There you are.')")
    assert '"latitude":35.5' in page.inner_text(".tool-get_location.output-available")

    replies[:] = [RuntimeError("gone")]
    say(page, "And now?")
    page.wait_for_selector(".assistant.error")

    replies[:] = [Calls(payment(30)), answer("As you like.")]
    say(page, "Pay again")
    page.wait_for_selector("text=Allow")
    replies[:] = [answer("As you like.")]
    say(page, "Never mind")
    page.wait_for_selector(".assistant.text:has-text('As you like.')")
    assert page.locator("text=Allow").count() == 0, "what nobody waits for any more has no buttons"

    other = page.url.replace("localhost", "127.0.0.1").rstrip("/")
    page.goto(other)
    say(page, "Do you hear me?")
    page.wait_for_selector(f".assistant.error:has-text('SMOLDESK_ALLOWED_ORIGINS have {other}?')")
