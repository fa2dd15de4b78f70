"""What a client of protocol 1.2 is not sent, because it knows nothing of it. Pure."""

import json
from typing import Any

OVERLAYS = frozenset(("bitmap", "text"))
"""The overlay types of protocol 1.2. Its clients draw whatever they are sent, so a type they do not know breaks them."""
WITHHELD = frozenset(("map_frames", "open_asks"))
"""Message types that go to clients of 2.0 only; other new types are ignored by a client of 1.2, and may be useful."""


def for_1_2(data: dict[str, Any]) -> dict[str, Any] | None:
    """A message as a client of 1.2 gets it; None when it gets nothing."""
    if data["type"] in WITHHELD:
        return None
    if data["type"] == "json":
        shown = json.dumps(data["content"], ensure_ascii=False, indent=2)
        return data | {"type": "code", "content": shown, "language": "json"}
    overlays = data["content"].get("overlays") if data["type"] == "map" else None
    if overlays is None:
        return data
    known = [overlay for overlay in overlays if overlay["type"] in OVERLAYS]
    return data | {"content": data["content"] | {"overlays": known}}
