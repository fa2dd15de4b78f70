"""axe-core in a page: what it says against the page as it stands, in lines a person can read."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

SETTLED = """async () => {
    const ends = (one) => one.effect.getComputedTiming().endTime !== Infinity;
    await Promise.allSettled(document.getAnimations().filter(ends).map(({ finished }) => finished));
}"""
"""What fades in has its colours when it has come."""

COLOURS = ("color-contrast", "color-contrast-enhanced", "link-in-text-block")
"""The rules that read colours: all that another theme can break."""

RUN = """async (only) => {
    const rules = { "color-contrast-enhanced": { enabled: true } };
    const options = only.length ? { runOnly: { type: "rule", values: only } } : { rules };
    const { violations } = await axe.run(document, { resultTypes: ["violations"], iframes: false, ...options });
    const channels = (colour) => colour.match(/[0-9a-f]{2}/g).map((part) => parseInt(part, 16));
    const neutral = (colour) => Math.max(...channels(colour)) - Math.min(...channels(colour)) < 48;
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target, any, all, none }) => {
        const [first] = [...any, ...all, ...none];
        const label = id === "color-contrast-enhanced" && !(neutral(first.data.fgColor) && neutral(first.data.bgColor));
        return label ? "" : `${id}: ${target.join(" ")}: ${first?.message ?? ""}`;
    })).filter(Boolean);
}"""
"""Words have a contrast of 7:1; labels in a colour, of the accent or a state, have 4.5:1."""


class Axe:
    """All rules of axe-core, those of best practice too."""

    def __init__(self, script: Path) -> None:
        self._script = script.read_text("utf-8")

    def violations(self, page: Page, only: tuple[str, ...] = ()) -> list[str]:
        """A line for each fault, of all rules or only of these: the rule, the element, what is wrong."""
        page.evaluate(SETTLED)
        if not page.evaluate("'axe' in window"):
            page.evaluate(
                self._script
            )  # by the debugger's own way, which the page's content policy does not stop
        results: Any = page.evaluate(RUN, only)
        return [str(line) for line in results]
