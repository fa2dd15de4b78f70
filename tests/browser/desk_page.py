"""A desk's page as a person uses it: type, wait, look. Tests say what is seen; the selectors are here."""

import base64
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol

from playwright.sync_api import ConsoleMessage, Locator, Page, expect

from tests.support.waiting import see, until

CLOSED = re.compile("finished|failed|cancelled")
BUILDING = Path(__file__).resolve().parents[2] / "backend" / "data" / "building.json"
Colour = tuple[int, int, int]


class DeskPage:
    """One open page. `faults` is what the browser complained of: scripts, the content policy, missing files."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.faults: list[str] = []
        self.forgiven: list[str] = []
        page.on("pageerror", lambda fault: self.faults.append(f"page error: {fault}"))
        page.on("console", self._heard)
        self.turns = page.locator(".turn[data-run]")
        self.map = page.locator(".map-viewer")
        self.images = page.locator(".images-card img")
        self.chips = page.locator(".chip")
        self.composer = page.get_by_role("textbox", name=re.compile("Message|メッセージ"))
        self.stop = page.locator(".stop-button")

    def open(self) -> None:
        self.page.goto(self.url)
        self.connected()

    def reload(self) -> None:
        self.page.reload()
        self.connected()

    def connected(self) -> None:
        expect(self.page.locator(".connection")).to_have_attribute("data-connection", "open")

    def forgive(self, text: str) -> None:
        """A complaint of the browser with these words belongs to the test."""
        self.forgiven.append(text)

    def unforgiven(self) -> list[str]:
        return [fault for fault in self.faults if not any(text in fault for text in self.forgiven)]

    def say(self, message: str) -> Locator:
        """Type a message and send it with Enter; its turn."""
        count = self.turns.count()
        self.composer.fill(message)
        self.composer.press("Enter")
        return self.turns.nth(count)

    def ask(self, message: str, state: str = "finished") -> Locator:
        """Say it and wait until its run is closed; its turn."""
        turn = self.say(message)
        self.closed(turn, state)
        return turn

    def closed(self, turn: Locator, state: str = "finished") -> None:
        expect(turn).to_have_attribute("data-state", CLOSED)
        assert turn.get_attribute("data-state") == state, turn.inner_text()

    def chat_id(self) -> str:
        """The chat this page is on, from its address."""
        return str(self.page.evaluate("new URLSearchParams(location.hash.slice(1)).get('chat')"))

    def said(self) -> list[str]:
        """What the chat shows, turn by turn, without the clock of the step under way."""
        return self.turns.evaluate_all("""turns => turns.map((turn) => {
            const clock = turn.querySelector(".elapsed")?.innerText ?? "";
            return turn.innerText.trim().replace(clock && new RegExp(`${clock}$`), "").trim();
        })""")

    def see_said(self, text: list[str]) -> None:
        """The chat shows these turns, word for word; after a reload they come one by one."""
        see(self.page, self.said, text)

    def reconnect(self) -> None:
        """Do not wait for the page's own next attempt: tell it that the network is back, until it is connected."""
        connection = self.page.locator(".connection")

        def state() -> str | None:
            self.page.evaluate("dispatchEvent(new Event('online'))")
            return connection.get_attribute("data-connection")

        until(self.page, state, lambda message: message == "open")

    def watch(self, turn: Locator) -> None:
        """Remember every state the turn goes through from now on, however short: see `went_through`."""
        turn.evaluate("""(turn) => {
            const words = turn.querySelector(".status-words");
            const stop = document.querySelector(".stop-button");
            window.states = [];
            const note = () => window.states.push([turn.dataset.state, words.textContent, stop.disabled].join(" | "));
            new MutationObserver(note).observe(turn, { attributes: true, subtree: true, childList: true, characterData: true });
        }""")

    def went_through(self) -> list[str]:
        """State, words and whether Stop was disabled, for each change of the watched turn."""
        return self.page.evaluate("window.states")

    def see_image(self, count: int = 1) -> None:
        """The image pane has so many images, and each one really shows pixels."""
        expect(self.images).to_have_count(count)
        self.page.wait_for_function(
            "() => [...document.querySelectorAll('.images-card img')]"
            ".every((image) => image.complete && image.naturalWidth > 0)"
        )

    def see_map(self, **facts: object) -> None:
        """The map pane says so of itself: floor, arrows, highlights, overlays; and its plan has come."""
        for name, value in (facts | {"image": "ready"}).items():
            expect(self.map).to_have_attribute(f"data-{name}", str(value))

    def event_types(self) -> set[str]:
        """Types of the rows of the debug pane, scrolled through from its start to its end."""
        script = """async () => {
            const list = document.querySelector(".debug-list");
            const found = new Set();
            const frame = () => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
            for (let top = 0; top <= list.scrollHeight; top += list.clientHeight) {
                list.scrollTop = top;
                await frame();
                for (const row of list.querySelectorAll(".debug-row .debug-type")) found.add(row.textContent);
            }
            return [...found];
        }"""
        return set(self.page.evaluate(script))

    def colours(self, room: str) -> set[Colour]:
        """Every colour the map shows inside a room of floor 1F, its outline left out."""
        script = """([left, top, right, bottom]) => {
            const layers = [...document.querySelectorAll(".map-canvas:not([hidden])")];
            const [canvas] = layers;
            const [scale, x, y] = document.querySelector(".map-viewer").dataset.view.split(" ").map(Number);
            const dpr = canvas.width / canvas.getBoundingClientRect().width;
            const at = (plan, shift) => Math.round((plan * scale + shift) * dpr);
            const size = [at(right, x) - at(left, x), at(bottom, y) - at(top, y)];
            const copy = new OffscreenCanvas(...size).getContext("2d", { willReadFrequently: true });
            for (const layer of layers) copy.drawImage(layer, at(left, x), at(top, y), ...size, 0, 0, ...size);
            const { data } = copy.getImageData(0, 0, ...size);
            const found = new Set();
            for (let i = 0; i < data.length; i += 4) found.add(data.slice(i, i + 3).join());
            return [...found];
        }"""
        result = self.page.evaluate(script, [*_inside(room)])
        return {_colour(text) for text in result}

    def see_colour(self, room: str, colour: Colour, received: bool = True) -> None:
        """Wait until the map has painted a room with a colour (or has no longer)."""
        until(self.page, lambda: self.colours(room), lambda results: (colour in results) is received)

    def see_painted(self, room: str, least: int) -> None:
        """Wait until the plan is painted and has faded in: so many colours in a room."""
        until(self.page, lambda: len(self.colours(room)), lambda count: count >= least)

    def tab(self, pane: str) -> Locator:
        return self.page.locator(f".tabs [data-pane={pane}]")

    def drop(self, name: str, content: str | bytes) -> None:
        """Drop a file on the chat, as a hand would."""
        data = content.encode() if isinstance(content, str) else content
        script = """([name, content]) => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([Uint8Array.from(atob(content), (char) => char.charCodeAt(0))], name));
            const chat = document.querySelector(".chat");
            for (const type of ["dragenter", "dragover", "drop"]) {
                chat.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
            }
        }"""
        self.page.evaluate(script, [name, base64.b64encode(data).decode()])

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(f"console {message.type}: {message.text} ({message.location.get('url', '')})")


class OpenPage(Protocol):
    def __call__(
        self,
        url: str,
        *,
        size: tuple[int, int] = (1440, 900),
        locale: str = "en-GB",
        theme: str = "light",
        opener: DeskPage | None = None,
    ) -> DeskPage: ...


def _inside(room: str) -> Iterable[float]:
    """Left, top, right and bottom of a room of floor 1F, in pixels of the plan, three off the outline."""
    floor: dict[str, Any] = json.loads(BUILDING.read_text("utf-8"))["floors"][0]
    box = next(item for item in floor["rectangles"] if item["name"] == room)
    start, end = floor["coordinateSystem"]["topLeft"], floor["coordinateSystem"]["bottomRight"]
    for corner, shift in (("topLeft", 12), ("bottomRight", -12)):
        for axis, pixel in (("x", "px"), ("y", "py")):
            scale = (end[pixel] - start[pixel]) / (end[axis] - start[axis])
            yield start[pixel] + (box[corner][axis] - start[axis]) * scale + shift


def _colour(text: str) -> Colour:
    red, green, blue = (int(part) for part in text.split(","))
    return red, green, blue
