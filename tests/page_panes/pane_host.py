"""One pane on a page of its own: what serves it, and what a test does with it.

The panes are the ones of frontend/, under the page's own content security policy; around them is only
host.html, which makes a bus and hands it to the test as `window.desk`. Floor image and bitmaps are drawn
here, in colours no pane uses, so that a test can find them by their pixels.
"""

import json
import struct
import zlib
from functools import cache
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from tests.support.page_bundle import page_folder
from tests.support.waiting import PATIENCE, see, until
from tests.support.wire_messages import whole

expect.set_options(timeout=PATIENCE)

HERE = Path(__file__).parent
FRONTEND = HERE.parents[1] / "frontend"
BUILDING: dict[str, Any] = json.loads((HERE / "building.json").read_text("utf-8"))
DEFINITION = {"type": "map_definition", "content": BUILDING}
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' blob: data:; require-trusted-types-for 'script'"
)
Colour = tuple[int, int, int]
ARROW: Colour = (200, 0, 200)
PLOT: Colour = (0, 160, 90)
PAPER: Colour = (253, 252, 249)
"""The map's ground, where nothing is drawn."""


def near(a: Colour, b: Colour, slack: int = 6) -> bool:
    """Whether two colours are the same to the eye."""
    return all(abs(one - other) <= slack for one, other in zip(a, b, strict=True))


def rgb(colour: str) -> Colour:
    """The parts of a colour such as "#ff8800"."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue


SEEN = """(places) => {
    const layers = [...document.querySelectorAll(".map-stage canvas")].filter((canvas) => !canvas.hidden);
    const ctx = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const { width, height } = layers[0].getBoundingClientRect();
    return places.map(([x, y]) => {
        const at = [Math.floor(x * layers[0].width / width), Math.floor(y * layers[0].height / height)];
        for (const layer of layers) ctx.drawImage(layer, -at[0], -at[1]);
        return [...ctx.getImageData(0, 0, 1, 1).data].slice(0, 3);
    });
}"""
"""What one sees at places of the map: its layers, one above the other."""


def png(width: int, height: int, colour: Colour) -> bytes:
    """A PNG of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + bytes(colour) * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = [chunk(b"IHDR", header), chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


@cache
def bundled_host() -> Path:
    """The folder with host.html, host.js and what they need, in few files; without esbuild, frontend/ itself."""
    host = {"index.html": HERE / "host.html", "host.js": HERE / "host.js"}
    texts = {name: file.read_text("utf-8") for name, file in host.items()}
    return page_folder(
        (*texts.items(), ("js/app.js", ""))
    )  # late modules are tied to the app, which is not started


class Handler(SimpleHTTPRequestHandler):
    """Serves host.html, /static/ from the bundle or frontend/, and drawn images."""

    protocol_version = "HTTP/1.1"  # connections are kept: a pane is several files

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        name = path.rpartition("/")[2]
        bundled = bundled_host() / ("index.html" if path == "/" else path.removeprefix("/static/"))
        if path == "/":
            file = bundled if bundled_host() != FRONTEND else HERE / "host.html"
            self.answer(file.read_bytes(), "text/html")
        elif path.endswith(".js") and (bundled.is_file() or name == "host.js"):
            self.answer((bundled if bundled.is_file() else HERE / name).read_bytes(), "text/javascript")
        elif path.endswith(".css") and bundled.is_file():
            self.answer(bundled.read_bytes(), "text/css")
        elif path.startswith("/static/"):
            self.path = path.removeprefix("/static")
            super().do_GET()
        elif path.startswith("/backend/data/floors/plan"):
            self.answer(png(1040, 440, (255, 255, 255)), "image/png")
        elif path.startswith("/backend/bitmaps/arrow_"):
            self.answer(png(64, 64, ARROW), "image/png")
        elif path.startswith("/backend/bitmaps/person"):
            self.answer(png(64, 64, (90, 90, 250)), "image/png")
        elif path.startswith("/files/") and name != "gone.png":
            self.answer(png(480, 320, PLOT), "image/png")
        else:
            self.send_error(404)

    def answer(self, body: bytes, media_type: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", CSP)
        stored = self.path.endswith((".js", ".css"))
        self.send_header("Cache-Control", "max-age=3600" if stored else "no-store")
        super().end_headers()


class Desk:
    """One pane on a page of its own, and what a test does with it."""

    def __init__(self, page: Page, faults: list[str]) -> None:
        self.page = page
        self.faults = faults
        """What the page complained of; a test ends with none."""

    def tell(self, *messages: dict[str, Any]) -> None:
        """Messages arrive, as the server would send them."""
        self.page.evaluate(
            "(messages) => window.desk.tell(messages)", [whole(message) for message in messages]
        )
        self.settle()

    def emit(self, name: str, value: Any) -> None:
        self.page.evaluate("([name, value]) => window.desk.bus.emit(name, value)", [name, value])
        self.settle()

    def reset(self) -> None:
        """Another chat comes."""
        self.page.evaluate("() => window.desk.store.reset()")
        self.settle()

    def see(self, **facts: str) -> None:
        """Wait until the pane says so of itself, by its data- attributes."""
        pane = self.page.locator(".map-viewer, .images-viewer, .debug-viewer")
        for name, value in facts.items():
            expect(pane).to_have_attribute(f"data-{name}", value)

    def hears(self, name: str, message: list[Any]) -> None:
        """Wait until this, and nothing else, was said on the bus."""
        see(self.page, lambda: self.heard(name), message)

    def see_place(self, at: tuple[float, float], expected: tuple[float, float]) -> None:
        """Wait until a point of floor 1F is there on the page, give or take a pixel."""

        def existing(place: tuple[float, float]) -> bool:
            return all(abs(one - other) <= 1 for one, other in zip(place, expected, strict=True))

        until(self.page, lambda: self.place(*at), existing)

    def heard(self, name: str) -> list[Any]:
        """What was said on the bus under this name."""
        return self.page.evaluate("(name) => window.desk.heard[name]", name)

    def settle(self) -> None:
        """Two frames: what a message changes is on the screen then."""
        self.page.evaluate(
            "() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"
        )

    def still(self) -> None:
        """The map has painted all it has to: nothing waits for a frame, no image is on its way."""
        self.settle()
        self.page.wait_for_function(
            "() => window.desk.pane.frame === 0 && window.desk.pane.stage.surface.frame === 0"
            " && [...window.desk.pane.stage.images.entries.values()].every(({ arrival }) => arrival !== 'loading')"
        )

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of floor 1F (virtual coordinates) is on the page, in CSS pixels."""
        scale, left, top = (float(part) for part in self.facts()["view"].split())
        return (20 + 2 * x) * scale + left, (20 + 2 * y) * scale + top

    def pixel(self, x: float, y: float) -> Colour:
        """Colour of the map at a point of floor 1F (virtual coordinates): all layers as one sees them."""
        return self.pixels([(x, y)])[0]

    def pixels(self, points: list[tuple[float, float]]) -> list[Colour]:
        """Colours of the map at points of floor 1F."""
        places = [self.place(x, y) for x, y in points]
        return [(red, green, blue) for red, green, blue in self.page.evaluate(SEEN, places)]

    def facts(self) -> dict[str, str]:
        """The data- attributes of the pane."""
        return self.page.evaluate("() => ({ ...window.desk.pane.dom.dataset })")


def plan(open_pane: "OpenPane", moving: bool | None = None, **options: Any) -> Desk:
    """The map pane, once its plan has faded in; `moving` says what the person wants of motion."""
    desk = open_pane("map", **options)
    if moving is not None:
        desk.page.emulate_media(reduced_motion="no-preference" if moving else "reduce")
    desk.tell(DEFINITION)
    ready(desk)
    return desk


def ready(desk: Desk) -> None:
    """The plan is there and has faded in."""
    desk.page.wait_for_selector(".map-viewer[data-image=ready]")
    desk.still()


class OpenPane(Protocol):
    def __call__(
        self,
        pane: str,
        *,
        size: tuple[int, int] = (780, 560),
        theme: str = "light",
        language: str = "en",
        dpr: float = 1,
        touch: bool = False,
    ) -> Desk: ...
