"""A Chromium to measure in."""

from collections.abc import Generator
from contextlib import contextmanager

from playwright.sync_api import Browser, Error, sync_playwright

from bench.report import CannotMeasure
from tests import browser_support


@contextmanager
def chromium(*flags: str) -> Generator[Browser]:
    """The browser that tests drive, with more flags. Raises CannotMeasure when there is none."""
    path = browser_support.find()
    if path is None:
        raise CannotMeasure(browser_support.reason())
    with sync_playwright() as playwright:
        try:
            arguments = [*browser_support.FLAGS, *flags]
            browser = playwright.chromium.launch(executable_path=str(path), args=arguments)
        except Error as fault:
            raise CannotMeasure(f"Chromium did not start: {fault.message.splitlines()[0]}") from fault
        with browser:
            yield browser
