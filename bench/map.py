"""The map pane in a real Chromium: how long a frame takes while a large floor is moved and zoomed, against Leaflet.

Both draw the same rectangles and the same names on a canvas and follow the same script (map_pages/drive.js), one step a
frame, in turns. The browser is told not to wait for a screen: a frame takes as long as script, painting and compositing do.
"""

from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Error

from bench.browsing import chromium
from bench.large_plan import measure_large_plan
from bench.report import CannotMeasure, Section, median, ms, of_times, percentile
from scripts.node import CannotHave, find_node
from tests import node_support
from tests.support.servers import http_served

# Serves the two maps that `bench/map.py` measures: this page's map pane, and Leaflet from the npm package.
PAGES = Path(__file__).parent / "map_pages"
FRONTEND = Path(__file__).parents[1] / "frontend"
LEAFLET = PAGES / "node_modules" / "leaflet" / "dist"
FOLDERS = {"/pages/": PAGES, "/static/": FRONTEND, "/leaflet/": LEAFLET}


def bring_leaflet() -> str:
    """Install Leaflet where it is missing; its version. Raises CannotMeasure when npm cannot bring it."""
    if not node_support.is_installed(PAGES):
        try:
            node = find_node()
        except CannotHave as missing:
            raise CannotMeasure(str(missing)) from missing
        if failure := node_support.install(node, PAGES):
            raise CannotMeasure(f"Leaflet: {failure}")
    return node_support.versions(PAGES)["leaflet"]


class Handler(SimpleHTTPRequestHandler):
    """/pages/, /static/ and /leaflet/, each from its folder."""

    protocol_version = "HTTP/1.1"
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".js": "text/javascript"}

    def translate_path(self, path: str) -> str:
        for prefix, folder in FOLDERS.items():
            if path.startswith(prefix):
                self.directory = str(folder)
                return super().translate_path("/" + path.removeprefix(prefix))
        return str(PAGES / "none")


GOAL = 1.0
# Of panning, at p95, from 10,000 rooms on.
PAN_GOAL = 0.3
LARGE = 10_000
UNLIMITED = ("--disable-frame-rate-limit", "--disable-gpu-vsync")
PANE = {"width": 1280, "height": 800}
Frames = dict[str, list[float]]


def measure(sizes: tuple[int, ...] = (2_000, 10_000, 100_000), rounds: int = 3) -> Section:
    """Floors of so many rooms; each map has `rounds` fresh pages, taken in turns, and one at the largest size."""
    version = bring_leaflet()
    section = Section(
        "map: frames of a large floor in a real Chromium",
        [
            f"Pane of {PANE['width']} x {PANE['height']}, {rounds} fresh pages each, in turns; 82 frames zoom, 120 move.",
            f"Peer: Leaflet {version}, CRS.Simple, canvas renderer, names written by the renderer where they fit, set to",
            "each view whole. 'Leaflet dragged' moves what it has painted and leaves blank what comes into sight.",
        ],
    )
    with http_served(Handler, directory=str(PAGES)) as served, chromium(*UNLIMITED) as browser:
        address = f"{served}/pages"
        for rooms in sizes:
            compare(section, browser, address, rooms, rounds if rooms <= LARGE else 1)
        colour(section, browser, address, sizes[0], rounds)
        tower(section, browser, address, rounds)
    measure_large_plan(section)
    return section


def colour(section: Section, browser: Browser, address: str, rooms: int, rounds: int) -> None:
    """One message that colours every room of a floor, as color_rooms sends it: frames until they are painted."""
    results: list[dict[str, Any]] = []
    for _ in range(rounds):
        results.append(driven(browser, f"{address}/ours.html?rooms={rooms}", "colour"))
    frames, seconds = (median([item[key] for item in results]) for key in ("frames", "ms"))
    figure = f"{frames:g} frames, {ms(seconds / 1000)} (medians of {rounds})"
    section.figures.append((f"{rooms:,} rooms coloured by one message", figure))


def tower(section: Section, browser: Browser, address: str, rounds: int) -> None:
    """Measure 20 floors of 5,000 polygonal rooms and doors: time until a change is painted, and frames of one floor."""
    page = f"{address}/ours.html?rooms=5000&floors=20"
    results: list[dict[str, float]] = [driven(browser, page, "tower") for _ in range(rounds)]
    for change in results[0]:
        figure = f"{ms(median([result[change] for result in results]) / 1000)} (median of {rounds})"
        section.figures.append((f"100,000 polygons on 20 floors, {change}", figure))


def compare(section: Section, browser: Browser, address: str, rooms: int, rounds: int) -> None:
    """Both maps with so many rooms."""
    maps = {
        "ours": f"ours.html?rooms={rooms}",
        "Leaflet": f"leaflet.html?rooms={rooms}",
        "Leaflet dragged": f"leaflet.html?rooms={rooms}&dragged",
    }
    frames: dict[str, Frames] = {name: {"zoom": [], "pan": []} for name in maps}
    for _ in range(rounds):
        for name, page in maps.items():
            for one in driven(browser, f"{address}/{page}"):
                frames[name][one["phase"]].append(one["ms"] / 1000)
    for name, frame in frames.items():
        for phase in ("zoom", "pan") if name != "Leaflet dragged" else ("pan",):
            figure = f"median {ms(median(frame[phase]))}, p95 {ms(percentile(frame[phase], 0.95))}"
            section.figures.append((f"{rooms:,} rooms, {name}, {phase}", figure))
    ours, peer = (frames[name]["zoom"] + frames[name]["pan"] for name in ("ours", "Leaflet"))
    for label, share in (("median", 0.5), ("p95", 0.95)):
        one, other = percentile(ours, share), percentile(peer, share)
        section.ratios.append(
            of_times(f"map of {rooms:,} rooms, {label} frame, to Leaflet", one, other, GOAL)
        )
    if rooms >= LARGE:
        one, other = (percentile(frames[name]["pan"], 0.95) for name in ("ours", "Leaflet"))
        label = f"map of {rooms:,} rooms, panning, p95 frame, to Leaflet"
        section.ratios.append(of_times(label, one, other, PAN_GOAL))


def driven(browser: Browser, url: str, task: str = "measure") -> Any:
    """Return what one fresh page measured: the phase and milliseconds of each frame, or the frames until it was coloured.

    Raises CannotMeasure when the map does not show its rooms.
    """
    page = browser.new_page(viewport={"width": PANE["width"], "height": PANE["height"]})
    try:
        page.goto(url)
        page.wait_for_function("() => window.ready === true")
        return page.evaluate(f"() => window.{task}()")
    except Error as fault:
        raise CannotMeasure(f"{url}: {fault.message.splitlines()[0]}") from fault
    finally:
        page.close()
