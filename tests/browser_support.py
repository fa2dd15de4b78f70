"""Which Chromium the browser tests drive, and the reason when there is none.

The machine's own comes first (its headless shell before the whole browser: the same engine without windows, so a page
costs a third), then the one playwright keeps. `python -m tests.browser_support` (what `make test` runs before the
suite) tries to bring playwright's when there is none; it never fails, the suite's last lines say why.
"""

import functools
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REASON = ROOT / ".cache" / "no-browser.txt"
"""Why playwright's browser could not be brought, from the last try."""

SYSTEM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
INSTALL_SECONDS = 300

FLAGS = (
    "--no-sandbox",  # a container's root has no other choice
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--autoplay-policy=document-user-activation-required",  # as a browser with a window has it
)


def system_chromium() -> Path | None:
    """A Chromium of this machine: /usr/bin first, whatever the PATH says, then the PATH."""
    for name in SYSTEM:
        found = shutil.which(name, path="/usr/bin") or shutil.which(name)
        if found is not None:
            return Path(found)
    return None


@functools.cache
def playwright_chromium() -> Path | None:
    """The Chromium that playwright has installed for this user."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = Path(playwright.chromium.executable_path)
    return path if path.exists() else None


@functools.cache
def find() -> Path | None:
    """The Chromium to drive, or None."""
    return system_chromium() or playwright_chromium()


def reason() -> str:
    """Why there is no browser, for the suite's last lines."""
    tried = REASON.read_text() if REASON.exists() else "playwright's was not tried: make test does"
    return f"no Chromium: none of {', '.join(SYSTEM)} is installed; {tried}"


def bring() -> None:
    """Install playwright's Chromium; on failure leave the reason where `reason` finds it."""
    REASON.parent.mkdir(exist_ok=True)
    REASON.unlink(missing_ok=True)
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    print("Installing a Chromium for the browser tests", flush=True)  # noqa: T201
    try:
        done = subprocess.run(
            command,
            check=False,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=INSTALL_SECONDS,
        )
    except subprocess.TimeoutExpired:
        REASON.write_text(f"playwright did not bring one within {INSTALL_SECONDS} s")
        return
    if done.returncode:
        errors = [line.strip() for line in done.stderr.splitlines() if "error" in line.lower()]
        last = errors[0] if errors else done.stderr.strip()[-200:]
        REASON.write_text(f"playwright could not bring one: {last or 'no reason given'}")


if __name__ == "__main__":
    if find() is None:
        bring()
