"""MCP Apps (`io.modelcontextprotocol/ui`, 2026-01-26): the view that a server's tool names, and who may call a tool.

A server's view is untrusted: its HTML is limited in size and stored unchanged, and its domains are accepted only if
they are plain origins, so that none can end the policy they are put into.
"""

import base64
import binascii
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from smoldesk.tools.mcp_servers.failures import McpFailed

EXTENSION = "io.modelcontextprotocol/ui"
MEDIA_TYPE = "text/html;profile=mcp-app"
# Maximum bytes of a view's HTML.
MAX_PAGE = 8 * 1024 * 1024
LONGEST_URI = 2_000
MAX_DOMAINS = 50
DOMAINS = ("connectDomains", "resourceDomains", "frameDomains", "baseUriDomains")
PERMISSIONS = ("camera", "microphone", "geolocation", "clipboardWrite")
_ORIGIN = re.compile(
    r"(https?|wss?)://(\*\.[a-z0-9-]+\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?/?", re.ASCII | re.IGNORECASE
)


@dataclass(frozen=True)
class AppPage:
    """View: its HTML (UTF-8), the domains and permissions that the server declares, and whether it prefers a frame."""

    html: bytes
    domains: dict[str, list[str]]
    permissions: list[str]
    border: bool | None


def resource_of(tool: Any) -> str | None:
    """Return the address of the view that a tool names, or None."""
    uri: Any = _ui(tool.meta).get("resourceUri") or _dict(tool.meta).get("ui/resourceUri")
    return uri if isinstance(uri, str) and uri.startswith("ui://") and len(uri) <= LONGEST_URI else None


def visibility_of(tool: Any) -> frozenset[str]:
    """Return who may call a tool: "model", "app" or both, which is the default."""
    visibility = _ui(tool.meta).get("visibility")
    if not isinstance(visibility, list):
        return frozenset(("model", "app"))
    return frozenset(audience for audience in cast("list[Any]", visibility) if audience in ("model", "app"))


async def read_page(client: Any, uri: str) -> AppPage:
    """Read a view from its server. Raises McpFailed for an invalid or too large one."""
    contents = (await client.read_resource(uri)).contents
    if len(contents) != 1:
        raise McpFailed(f"its view has {len(contents)} parts, and one is expected")
    content = contents[0]
    kind = str(content.mime_type or "").replace(" ", "").lower()
    if kind != MEDIA_TYPE:
        raise McpFailed(f"its view is of the type {kind[:60] or 'none'!r}, and not {MEDIA_TYPE}")
    try:
        text = getattr(content, "text", None)
        html = base64.b64decode(content.blob, validate=True) if text is None else cast("str", text).encode()
    except (binascii.Error, ValueError) as fault:
        raise McpFailed("its view is not text") from fault
    if len(html) > MAX_PAGE:
        raise McpFailed(f"its view has more than {MAX_PAGE // 1024**2} MB")
    ui = _ui(content.meta)
    border = ui.get("prefersBorder")
    return AppPage(
        html,
        domains_of(ui.get("csp")),
        [name for name in PERMISSIONS if isinstance(_dict(ui.get("permissions")).get(name), dict)],
        border if isinstance(border, bool) else None,
    )


def domains_of(csp: Any) -> dict[str, list[str]]:
    """Return the domains that a view may reach: origins only; `*`, `https://*.com`, schemes, keywords and paths are
    ignored.
    """
    domains: dict[str, list[str]] = {}
    remaining = MAX_DOMAINS
    for key in DOMAINS:
        value = _dict(csp).get(key)
        origins = (
            [origin for origin in cast("list[Any]", value) if isinstance(origin, str)]
            if isinstance(value, list)
            else []
        )
        domains[key] = [
            origin.rstrip("/") for origin in origins if len(origin) <= 260 and _ORIGIN.fullmatch(origin)
        ][:remaining]
        remaining -= len(domains[key])
    return domains


def as_result(result: Any) -> dict[str, Any]:
    """Return a result of the SDK as JSON of the protocol, for the view."""
    return json.loads(result.model_dump_json(by_alias=True, exclude_none=True))


def _ui(meta: Any) -> Mapping[str, Any]:
    return _dict(_dict(meta).get("ui"))


def _dict(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
