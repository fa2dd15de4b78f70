"""A four-pane client as somebody would write it who has the interface specification 1.2 and nothing else.

It knows the twelve message types of that document, draws each into a pane that is plain data, and ignores every type it
has not heard of. What a message must have is read the strict way (`message["content"]`), what is optional with the
document's default; so a message that breaks the document breaks this client. It imports nothing of the desk.
"""

import base64
import binascii
import contextlib
import json
import time
from typing import Any, Self

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

Message = dict[str, Any]

KNOWN = frozenset(
    (
        *("user_message", "text", "code", "image", "map_definition", "map"),
        *("highlight_room", "arrow", "clear_arrows", "clear_map", "debug", "error"),
    )
)
IMAGE_HEADS = {
    "png": b"\x89PNG\r\n\x1a\n",
    "jpg": b"\xff\xd8\xff",
    "jpeg": b"\xff\xd8\xff",
    "gif": b"GIF8",
    "bmp": b"BM",
    "svg": b"<",
}


class SeedClient:
    """One page of the old desk. `reconnect_after` in seconds: the document says 3."""

    def __init__(self, url: str, reconnect_after: float = 3.0) -> None:
        self.url = url
        self.reconnect_after = reconnect_after
        self.messages: list[Message] = []
        """Every message of a known type, in order of arrival."""
        self.ignored: list[Message] = []
        self.status = "disconnected"
        self.connections = 0
        # the four panes
        self.chat: list[tuple[str, Any]] = []
        self.images: list[tuple[str, bytes]] = []
        self.debug: list[Message] = []
        self.floors: dict[str, Message] = {}
        self.bitmaps: dict[str, str] = {}
        self.shown_floor: str | None = None
        self.rectangles: list[Message] = []
        self.overlays: list[Message] = []
        self.points: list[Message] = []
        self.highlighted: list[str] = []
        self.arrows: list[tuple[str, str]] = []
        self._socket: ClientConnection | None = None
        self._closing = contextlib.ExitStack()

    def __enter__(self) -> Self:
        self.connect()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()

    # --- the connection ------------------------------------------------------------------------------------------

    def connect(self) -> None:
        self._closing.close()
        self._socket = self._closing.enter_context(connect(self.url, max_size=None, open_timeout=120))
        self.status = "connected"
        self.connections += 1

    def ask(self, message: str) -> None:
        self.send(json.dumps({"message": message}))

    def send(self, frame: str) -> None:
        assert self._socket is not None
        self._socket.send(frame)

    def receive(self, timeout: float = 120) -> Message | None:
        """Handle the next message; it is returned when its type is known. A lost connection is made again."""
        assert self._socket is not None
        try:
            raw = self._socket.recv(timeout)
        except ConnectionClosed:
            self._reconnect(timeout)
            return None
        data = json.loads(raw)
        if data["type"] not in KNOWN:
            self.ignored.append(data)
            return None
        self.messages.append(data)
        self._handle(data)
        return data

    def until(self, kind: str, timeout: float = 120) -> Message:
        """Handle messages up to the next one of a type."""
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            message = self.receive(max(0.1, deadline - time.monotonic()))
            if message is not None and message["type"] == kind:
                return message
        raise AssertionError(f"no {kind} within {timeout} s; there were {[m['type'] for m in self.messages]}")

    def _reconnect(self, timeout: float) -> None:
        self.status = "disconnected"
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            time.sleep(self.reconnect_after)
            try:
                self.connect()
            except OSError:
                continue
            return
        raise AssertionError("the server did not come back")

    # --- the panes -----------------------------------------------------------------------------------------------

    def _handle(self, data: Message) -> None:
        content = data["content"]
        match data["type"]:
            case "user_message" | "text" | "error":
                assert isinstance(content, str)
                self.chat.append((data["type"], content))
            case "code":
                assert isinstance(content, str)
                block = {"language": data.get("language", "python"), "step": data.get("step", "")}
                self.chat.append(("code", block | {"code": content}))
            case "image":
                self._show_image(content, data["format"])
            case "map_definition":
                self.floors = {floor["floorId"]: floor for floor in content["floors"]}
                self.bitmaps = {bitmap["bitmapId"]: bitmap["bitmapFile"] for bitmap in content["bitmaps"]}
                self.shown_floor = content["floors"][0]["floorId"]
            case "map":
                self._draw_map(content)
            case "highlight_room":
                self.highlighted = [self._known_room(room) for room in content["rooms"]]
            case "arrow":
                assert content["direction"] in ("up", "down", "left", "right")
                self.arrows.append((self._known_room(content["room"]), content["direction"]))
            case "clear_arrows":
                self.arrows = []
            case "clear_map":
                self.rectangles, self.overlays = [], []
            case _:
                self.debug.append(content)

    def clear_arrows_button(self) -> None:
        """The button of the old page clears what the page drew; it sends nothing."""
        self.arrows = []

    def _show_image(self, content: str, kind: str) -> None:
        try:
            pixels = base64.b64decode(content, validate=True)
        except binascii.Error as fault:
            raise AssertionError("an image is no Base64") from fault
        assert pixels.startswith(IMAGE_HEADS[kind]), f"this is no {kind}"
        self.images.append((kind, pixels))

    def _draw_map(self, content: Message) -> None:
        if "points" in content:  # the format before 1.2
            self.points = content["points"]
            return
        floor = self.floors[content["floorId"]]
        rooms = {rectangle["name"] for rectangle in floor["rectangles"]}
        assert all(rectangle["name"] in rooms for rectangle in content["rectangles"])
        for overlay in content["overlays"]:
            self._check_overlay(overlay, rooms)
        self.shown_floor = content["floorId"]
        self.rectangles, self.overlays = content["rectangles"], content["overlays"]

    def _check_overlay(self, overlay: Message, rooms: set[str]) -> None:
        match overlay["type"]:
            case "bitmap":
                assert overlay["bitmapId"] in self.bitmaps
            case "text":
                assert isinstance(overlay["text"], str)
            case other:
                raise AssertionError(f"this client cannot draw a {other}")
        position = overlay["position"]
        if position["type"] == "rectangle":
            assert position["name"] in rooms
        else:
            assert position["type"] == "coordinate"
            assert isinstance(position["x"], int | float)
            assert isinstance(position["y"], int | float)

    def _known_room(self, name: str) -> str:
        assert any(name == room["name"] for floor in self.floors.values() for room in floor["rectangles"])
        return name
