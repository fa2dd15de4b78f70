"""Waiting for what comes true: anywhere, or of a page, where Playwright's own `expect` has no word for it."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from playwright.sync_api import Page

T = TypeVar("T")
PATIENCE = 60_000
"""Milliseconds a condition may take on a busy machine."""
LOOK = 50
SHORTEST, LONGEST = 0.01, 0.2
"""Seconds between two looks."""


def come_true(inspect: Callable[[], T | None], seconds: float = 120, why: str = "it did not come true") -> T:
    """What `look` says once that is true; it is asked again and again."""
    deadline = time.monotonic() + seconds
    pause = SHORTEST
    while not (results := inspect()):
        assert time.monotonic() < deadline, why
        time.sleep(pause)
        pause = min(pause * 1.2, LONGEST)  # many ask a server: a long wait asks it less and less often
    return results


def until(page: "Page", read: Callable[[], T], right: Callable[[T], bool]) -> T:
    """Read again and again until the value is right; that value. Fails with the last one."""
    for _ in range(PATIENCE // LOOK):
        value = read()
        if right(value):
            return value
        page.wait_for_timeout(LOOK)
    raise AssertionError(f"after {PATIENCE // 1000} s it is still {read()!r}")


def see(page: "Page", read: Callable[[], T], expected: T) -> None:
    """Read again and again until the value is the wanted one."""
    for _ in range(PATIENCE // LOOK):
        if read() == expected:
            return
        page.wait_for_timeout(LOOK)
    assert read() == expected


def keep_words(page: "Page") -> None:
    """What the page would take back by itself after a moment ("Copied") stays, so that a slow test can read it."""
    page.evaluate("() => { window.setTimeout = () => 0; }")
