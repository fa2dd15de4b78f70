"""Real desks and a real Chromium. What the browser complains of fails the test, unless the test is about it."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from smoldesk.wires import page as page_wire
from tests import axe_support
from tests.browser.accessibility import Axe
from tests.browser.desk_page import DeskPage, OpenPage
from tests.support.desk_server import ANALYSIS, LiveDesk, live_desk
from tests.support.page_bundle import page_folder
from tests.support.scripted_model import Reply, ScriptedModel, code
from tests.support.waiting import PATIENCE

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module", autouse=True)
def bundled_page() -> Iterator[None]:
    """Desks of these files serve the page's bundle; test_loading.py and the wires' tests load the modules."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page_wire, "PAGE", page_folder())
        yield


@pytest.fixture(scope="module")
def analyst(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    """A desk with the built-in model, one for a file of tests: each opens a chat of its own."""
    with live_desk(tmp_path_factory.mktemp("analyst"), sandbox_preload=ANALYSIS) as live:
        yield live


@pytest.fixture(scope="module")
def axe() -> Axe:
    script = axe_support.find()
    if script is None:
        pytest.skip(axe_support.reason())
    return Axe(script)


class Scripted:
    """A desk whose model says what a test tells it to; `gate` holds a reply back until the test opens it."""

    def __init__(self, live: LiveDesk) -> None:
        self.url = live.url
        self.model = ScriptedModel([code("final_answer('ok')")])
        self.gate = threading.Event()

    def script(self, *replies: Reply) -> None:
        self.gate.clear()
        self.model = ScriptedModel(replies)

    def held(self, reply: str) -> Reply:
        """A reply that comes when the gate is opened."""

        def wait(_: object) -> str:
            assert self.gate.wait(60), "the test never opened the gate"
            return reply

        return wait


@pytest.fixture(scope="module")
def scripted_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    holder: list[Scripted] = []
    folder: Path = tmp_path_factory.mktemp("scripted")
    options = {"max_steps": 4, "stop_grace_seconds": 1, "upload_limit_mb": 1}
    with live_desk(folder, lambda: holder[0].model, **options) as live:  # pyright: ignore[reportArgumentType]
        holder.append(Scripted(live))
        yield holder[0]
        holder[0].gate.set()


@pytest.fixture
def scripted(scripted_desk: Scripted) -> Iterator[Scripted]:
    scripted_desk.script(code("final_answer('ok')"))
    yield scripted_desk
    scripted_desk.gate.set()


class People:
    """A browser context for each kind of person, kept for a file of tests: the page's scripts are in its cache by then."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._kept: dict[tuple[object, ...], BrowserContext] = {}

    def one(self, size: tuple[int, int], locale: str, theme: str, number: int) -> BrowserContext:
        """Of the persons of this kind in one test, the `number`th; one who never was here before."""
        kind = (size, locale, theme, number)
        if kind not in self._kept:
            scheme = "dark" if theme == "dark" else "light"
            context = self._browser.new_context(
                viewport={"width": size[0], "height": size[1]},
                locale=locale,
                color_scheme=scheme,
                reduced_motion="reduce",
            )
            context.set_default_timeout(PATIENCE)
            context.new_page()  # stays open: a test's page is a tab beside it, else the browser makes a window for each
            self._kept[kind] = context
        return self._kept[kind]

    def forget(self, context: BrowserContext, origin: str) -> None:
        """Close a person's pages, and leave nothing of what the browser remembers of a desk."""
        blank, *pages = context.pages
        for page in pages:
            page.close()
        context.clear_cookies()
        protocol = context.new_cdp_session(blank)
        protocol.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "local_storage"})
        protocol.detach()

    def close(self) -> None:
        for context in self._kept.values():
            context.close()


@pytest.fixture(scope="module")
def people(browser: Browser) -> Iterator[People]:
    people = People(browser)
    yield people
    people.close()


@pytest.fixture
def open_page(people: People) -> Iterator[OpenPage]:
    """Opens pages of people who never were here before; with `opener` it opens a second tab of that person."""
    contexts: list[tuple[BrowserContext, str]] = []
    pages: list[DeskPage] = []

    def opened(
        url: str,
        *,
        size: tuple[int, int] = (1440, 900),
        locale: str = "en-GB",
        theme: str = "light",
        opener: DeskPage | None = None,
    ) -> DeskPage:
        if opener is None:
            context = people.one(size, locale, theme, len(contexts))
            contexts.append((context, url))
        else:
            context = opener.page.context
        desk_page = DeskPage(context.new_page(), url)
        pages.append(desk_page)
        desk_page.open()
        return desk_page

    yield opened
    faults = [fault for page in pages for fault in page.unforgiven()]
    for context, url in contexts:
        people.forget(context, url.rstrip("/"))
    assert faults == []
