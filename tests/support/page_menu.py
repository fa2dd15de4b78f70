"""The menu at the end of the page's top bar, as a person uses it."""

import re

from playwright.sync_api import Page


def from_menu(page: Page, name: "str | re.Pattern[str]") -> None:
    """Open the menu and choose one of its lines."""
    page.locator(".menu-button").click()
    page.locator(".page-menu").get_by_role("button", name=name).click()


def choose_layout(page: Page, name: "str | re.Pattern[str]") -> None:
    """Choose a layout by its name."""
    page.locator(".menu-button").click()
    page.get_by_role("radio", name=name).check()
    page.keyboard.press("Escape")
