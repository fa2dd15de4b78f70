"""Loading the page in a real Chromium beside smolagents' GradioUI: first paint, composer ready, bytes, and a reload.

Each load is of a browser that has nothing yet, once from this machine and once over a line of 40 ms and 10 Mbit/s, which
Chromium itself plays. The page of the wheel is measured, as installed, and the bundle that `make run` makes beside it.
"""

import importlib.util
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from bench.browsing import chromium
from bench.processes import clean_environment, settled, started
from bench.report import CannotMeasure, Ratio, Section, median, ms
from tests.support.desk_server import ROOT
from tests.support.installed_wheel import build_wheel, install
from tests.support.servers import free_port

GOAL = 0.7
MOST_BYTES = 150_000
LINES: dict[str, dict[str, float] | None] = {
    "localhost": None,
    "40 ms, 10 Mbit/s": {"latency": 40, "downloadThroughput": 10e6 / 8, "uploadThroughput": 10e6 / 8},
}
QUIET_MS = 1500
"""Milliseconds without a request after which a page is taken to be loaded."""
OFF_LINE = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"
"""Fonts and counters elsewhere are asked for in vain, of whichever page."""
WATCH = """
    const look = () => {
        const field = document.querySelector("textarea");
        if (field && field.checkVisibility() && !field.disabled) window.ready = performance.now();
        else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
"""
FOUND = """() => ({
    paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime, ready: window.ready })"""


@dataclass(frozen=True)
class Load:
    """One load: seconds until something was painted and until one could type; requests; bytes until one could type and of
    all; scripts of a reload.
    """

    paint: float
    ready: float
    requests: int
    until_ready: int
    size: int
    scripts_again: int


Loads = dict[tuple[str, str], list[Load]]
"""By side and line."""


def measure(repeats: int = 7, wheel: bool = True, peer: bool = True) -> Section:
    """Loads of each side in turns, after one of each that is not counted. Without `wheel` that of `make run` alone is ours."""
    if peer and importlib.util.find_spec("gradio") is None:
        raise CannotMeasure("gradio is not installed: `make bench` installs it")
    loads: Loads = {}
    with ExitStack() as opened:
        browser = opened.enter_context(chromium(OFF_LINE))
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="smoldesk-bench-")))
        sides = {
            name: opened.enter_context(served(command))
            for name, command in commands(folder, wheel, peer).items()
        }
        for number in range(1 + repeats):
            for line in LINES:
                for side, address in sides.items():
                    load = loading(browser, address, line)
                    if number:
                        loads.setdefault((side, line), []).append(load)
    return report(loads, repeats)


def commands(folder: Path, wheel: bool, peer: bool) -> dict[str, list[str]]:
    """What starts each side, but for its port. Raises CannotMeasure when the wheel cannot be bundled."""

    def desk(*command: str, name: str) -> list[str]:
        return [*command, "serve", "--data-dir", str(folder / name), "--port"]

    subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "bundle_page.py")], check=True
    )  # as `make run` does
    sides = {"make run": desk(sys.executable, "-m", "smoldesk.cli.main", name="checkout")}
    if wheel:
        try:
            file, _ = build_wheel(folder, SMOLDESK_BUNDLE="require")
        except subprocess.CalledProcessError as fault:
            raise CannotMeasure(f"no wheel: {fault.stderr.strip().splitlines()[-1]}") from fault
        environment = install(file, folder)
        sides = {"wheel": desk(str(environment.python), str(environment.command), name="wheel")} | sides
    return sides | ({"GradioUI": [sys.executable, "-m", "bench.gradio_peer"]} if peer else {})


@contextmanager
def served(command: Sequence[str]) -> Iterator[str]:
    """A side's server, at rest; its address."""
    port = free_port()
    with started([*command, str(port)], port, clean_environment()) as item:
        settled(item.process)
        yield f"http://127.0.0.1:{port}/"


def loading(browser: Browser, address: str, line: str) -> Load:
    """One load in a fresh browser profile, and a reload."""
    with browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB") as context:
        page = context.new_page()
        page.add_init_script(WATCH)
        network = Network(page, LINES[line])
        page.goto(address, wait_until="commit")
        page.wait_for_function("() => window.ready !== undefined", timeout=60_000)
        network.quiet()
        result = page.evaluate(FOUND)
        requests, size = network.requests, network.size
        until_ready = network.size_until(result["ready"] / 1000)
        network.scripts = 0
        page.reload(wait_until="commit")
        page.wait_for_function("() => window.ready !== undefined", timeout=60_000)
        network.quiet()
        return Load(
            result["paint"] / 1000, result["ready"] / 1000, requests, until_ready, size, network.scripts
        )


class Network:
    """What a page asked the network for: requests, scripts, and bytes as they came over the line, heads included."""

    def __init__(self, page: Page, line: dict[str, float] | None) -> None:
        self.page = page
        self.requests = self.size = self.scripts = 0
        protocol = page.context.new_cdp_session(page)
        protocol.send("Network.enable")
        if line:
            protocol.send("Network.emulateNetworkConditions", {"offline": False, **line})
        self.kept: set[str] = set()
        self.begun: float | None = None
        self.finished: list[tuple[float, int]] = []
        protocol.on("Network.requestWillBeSent", self._sent)
        protocol.on("Network.requestServedFromCache", lambda event: self.kept.add(event["requestId"]))
        protocol.on("Network.responseReceived", self._came)
        protocol.on("Network.loadingFinished", self._finished)

    def _came(self, event: dict[str, Any]) -> None:
        if not event["response"]["fromDiskCache"] and event["requestId"] not in self.kept:
            self.requests += 1
            self.scripts += event["type"] == "Script"

    def _sent(self, event: dict[str, Any]) -> None:
        self.begun = self.begun or event["timestamp"]

    def _finished(self, event: dict[str, Any]) -> None:
        self.size += int(event["encodedDataLength"])
        self.finished.append((event["timestamp"] - (self.begun or 0), int(event["encodedDataLength"])))

    def size_until(self, seconds: float) -> int:
        """Bytes that had come so long after the first request, by the browser's own clock."""
        return sum(size for moment, size in self.finished if moment <= seconds)

    def quiet(self) -> None:
        """Wait until nothing new came for a while; a stream that stays open counts once."""
        before = -1
        while before != self.requests + self.size:
            before = self.requests + self.size
            self.page.wait_for_timeout(QUIET_MS)


def report(loads: Loads, repeats: int) -> Section:
    """The figures of each side, and ours to GradioUI's."""
    section = Section(
        "page: loading it in a real Chromium, beside GradioUI",
        [
            f"1440 x 900, an empty cache, servers at rest; median of {repeats} loads of each side in turns.",
            "Composer: the first text field is there and takes text. Bytes: of all requests, heads included, also until",
            f"nothing came for {QUIET_MS / 1000:g} s, so with the map and its floor. Reload: of the page that was just loaded.",
        ],
    )
    for (side, line), several in loads.items():
        paint, ready = (median([getattr(item, name) for item in several]) for name in ("paint", "ready"))
        first = several[0]
        sizes = [max(getattr(item, name) for item in several) / 1000 for name in ("until_ready", "size")]
        facts = f"{first.requests} requests, {sizes[0]:.0f} kB until the composer, {sizes[1]:.0f} kB"
        again = f"{max(item.scripts_again for item in several)} scripts asked for by a reload"
        text = f"first paint {ms(paint)}, composer {ms(ready)}, {facts}, {again}"
        section.figures.append((f"{side}, {line}", text))
    for (side, line), ours in loads.items():
        theirs = loads.get(("GradioUI", line))
        if side == "GradioUI" or theirs is None:
            continue
        for name, text in (("paint", "first paint"), ("ready", "composer ready")):
            a, b = (median([getattr(item, name) for item in several]) for several in (ours, theirs))
            section.ratios.append(Ratio(f"{text}, {side}, {line}", ms(a), ms(b), a / b, GOAL))
    for side in sorted({side for side, _ in loads} - {"GradioUI"}, reverse=True):
        all_of = [item for (name, _), several in loads.items() if name == side for item in several]
        size, again = max(item.until_ready for item in all_of), max(item.scripts_again for item in all_of)
        most = f"{MOST_BYTES / 1000:g} kB at most"
        section.ratios.append(
            Ratio(f"bytes until the composer, {side}", f"{size / 1000:.0f} kB", most, size / MOST_BYTES, 1)
        )
        section.ratios.append(
            Ratio(f"scripts asked for by a reload, {side}", str(again), "0 at most", again, 0)
        )
    return section
