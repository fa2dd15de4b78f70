"""A real Chromium, and a small server that gives it one pane at a time (pane_host.py)."""

from collections.abc import Callable, Iterator
from functools import cache

import pytest
from pane_host import FRONTEND, Desk, Handler, OpenPane, plan
from playwright.sync_api import Browser, BrowserContext

from tests.support.servers import http_served

ContextOf = Callable[[float, bool], BrowserContext]


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    with http_served(Handler, directory=str(FRONTEND)) as address:
        yield f"{address}/"


@pytest.fixture(scope="session")
def context_of(browser: Browser) -> ContextOf:
    """A browser context by pixel ratio and touch; kept, so that the page's files are read once."""

    @cache
    def context(dpr: float, touch: bool) -> BrowserContext:
        context = browser.new_context(device_scale_factor=dpr, has_touch=touch)
        context.new_page()  # stays open: a test's page is a tab beside it, else the browser makes a window for each
        return context

    return context


@pytest.fixture
def open_pane(address: str, context_of: ContextOf) -> Iterator[OpenPane]:
    """`open_pane("map")` opens a page with that pane; options: size, theme, language, dpr, touch."""
    desks: list[Desk] = []

    def opened(
        pane: str,
        *,
        size: tuple[int, int] = (780, 560),
        theme: str = "light",
        language: str = "en",
        dpr: float = 1,
        touch: bool = False,
    ) -> Desk:
        page = context_of(dpr, touch).new_page()
        page.set_viewport_size({"width": size[0], "height": size[1]})
        desk = Desk(page, [])
        desks.append(desk)
        page.on("pageerror", lambda fault: desk.faults.append(str(fault)))
        page.on(
            "console",
            lambda message: desk.faults.append(message.text) if "Security Policy" in message.text else None,
        )
        page.goto(f"{address}?pane={pane}&theme={theme}&language={language}")
        page.wait_for_function("() => window.desk !== undefined")
        return desk

    yield opened
    for desk in desks:
        desk.page.close()
    assert [fault for desk in desks for fault in desk.faults] == []


@pytest.fixture
def desk(open_pane: OpenPane) -> Desk:
    """The map with its plan; a file about another pane has a fixture of this name."""
    return plan(open_pane)
