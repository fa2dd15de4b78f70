"""Shared views: one table, chart, image or the map of a chat at an address of its own, for who has its key."""

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass

from smoldesk.chats import Buildings
from smoldesk.errors import BadInput, NotFound
from smoldesk.events import (
    AnyEvent,
    ArrowsCleared,
    BuildingChosen,
    ChartChanged,
    ClosuresChanged,
    Shown,
    unnested,
)
from smoldesk.export.chat_source import ChatSource
from smoldesk.export.exports import Exports
from smoldesk.export.html_page import part_html
from smoldesk.export.pins import Part, Pin, map_at_the_end, parts_of
from smoldesk.export.turns import Drawn
from smoldesk.store import shared_views
from smoldesk.store.shared_views import StoredView
from smoldesk.store.store import Store

# Lifetimes in seconds.
MIN_SECONDS, MAX_SECONDS = 60, 30 * 24 * 3600


@dataclass(frozen=True)
class SharedView:
    """One view of a chat: what it shows, and until when, in seconds since the epoch."""

    id: str
    chat_id: str
    pin: Pin
    created_at: float
    expires_at: float

    @classmethod
    def of(cls, row: StoredView) -> "SharedView":
        """Return the view of a row."""
        pin = Pin.model_validate_json(row.pin)
        return cls(row.id, row.chat_id, pin, row.created_at, row.expires_at)

    def is_changed_by(self, event: AnyEvent) -> bool:
        """Check whether an event of its chat may change what it shows; tables and images stay as they were shown."""
        event = unnested(event)
        match self.pin.kind:
            case "chart":
                return isinstance(event, ChartChanged)
            case "map":
                is_drawn = isinstance(event, Shown) and isinstance(event.message, Drawn)
                return is_drawn or isinstance(event, BuildingChosen | ArrowsCleared | ClosuresChanged)
            case _:
                return False


@dataclass(frozen=True)
class ViewContent:
    """What a view shows now: safe HTML, a hash of it, and the seq of the chat's last event in it."""

    html: str
    version: str
    seq: int


@dataclass(frozen=True)
class SharedViews:
    """Shared views of a desk's chats. Its methods block on the database: do not call them on the event loop."""

    store: Store
    buildings: Buildings
    exports: Exports

    def create(self, chat_id: str, pin: Pin, seconds: float) -> tuple[SharedView, str]:
        """Create a view and return it with its key, which nothing can tell again.

        Raises NotFound, BadInput for an answer, a pin without content in this chat or a lifetime out of bounds,
        Conflict for too many views.
        """
        if not MIN_SECONDS <= seconds <= MAX_SECONDS:
            raise BadInput(
                f"A view cannot last {seconds:g} seconds.",
                f"Expected {MIN_SECONDS} to {MAX_SECONDS} seconds.",
                code="bad_view",
            )
        if pin.kind in ("answer", "text"):
            raise BadInput(
                f"A view shows no {pin.kind}.",
                "Expected a table, a chart, an image or the map.",
                code="bad_view",
            )
        self._part(ChatSource(self.store, self.buildings, chat_id), pin)
        body = pin.model_dump_json()
        stored, key = self.store.submit(lambda tx: shared_views.add_view(tx, chat_id, body, seconds)).result()
        return SharedView.of(stored), key

    def of_chat(self, chat_id: str) -> Sequence[SharedView]:
        """Return the views of a chat that have not expired, newest first. Raises NotFound."""
        rows = self.store.read(lambda connection: shared_views.views_of(connection, chat_id))
        return [SharedView.of(row) for row in rows if row.expires_at > time.time()]

    def revoke(self, chat_id: str, view_id: str) -> None:
        """End a view. Raises NotFound."""
        self.store.submit(lambda tx: shared_views.delete_view(tx, chat_id, view_id)).result()

    def find(self, key: str) -> SharedView:
        """Return the view of a key. Raises NotFound for one that is unknown, revoked or expired."""
        row = self.store.read(lambda connection: shared_views.find_view(connection, key))
        if row is None:
            raise NotFound(
                "There is no such view.",
                "Ask for a new link: this one is wrong or was revoked.",
                code="no_view",
            )
        if row.expires_at <= time.time():
            raise NotFound("This view has expired.", "Ask for a new link.", code="view_expired")
        return SharedView.of(row)

    def content(self, view: SharedView) -> ViewContent:
        """Return what a view shows now. Raises NotFound if its chat was deleted, BadInput if its object is gone."""
        source = ChatSource(self.store, self.buildings, view.chat_id)
        html = part_html(source, self.exports.rendering, self._part(source, view.pin))
        version = hashlib.sha256(html.encode("utf-8", "replace")).hexdigest()[:16]
        return ViewContent(html, version, source.chat.last_seq)

    def _part(self, source: ChatSource, pin: Pin) -> Part:
        """Return what a pin shows now: the map as it is, anything else as it was shown."""
        if pin.kind == "map":
            return Part(pin, map_at_the_end(source).on_floor(pin.floor_id, pin.view))
        return parts_of(source, [pin])[0]
