"""Headers that keep a page a page and a file a file.

The policy lets the page load its own scripts and styles and nothing else, and no text becomes markup except
through the page's one Trusted Types policy, `smoldesk`, for HTML the server has sanitised. Files of a chat
come from models and strangers: only raster images open in the browser, all else is a download.
"""

import re
from pathlib import PurePosixPath
from urllib.parse import quote

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "frame-src 'self'",
        "img-src 'self' blob: data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types smoldesk",
    )
)
SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
FILE_POLICY = "default-src 'none'; sandbox"
RASTER_TYPES = frozenset(f"image/{kind}" for kind in ("png", "jpeg", "jpg", "gif", "bmp", "webp"))

_MEDIA_TYPE = re.compile(r"[a-z0-9!#$&^_.+-]+/[a-z0-9!#$&^_.+-]+(; ?charset=[a-z0-9_-]+)?")
_PLAIN = re.compile(r"[^A-Za-z0-9 ._()+=,@~-]")


def default_headers(path: str, status: int) -> dict[str, str]:
    """Headers a response gets unless it has them; answers of the API and refusals are stored nowhere."""
    private = path == "/api" or path.startswith("/api/") or status >= 400
    return {
        "content-security-policy": CONTENT_SECURITY_POLICY,
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "cache-control": "no-store" if private else "no-cache",
    }


def served_file_headers(name: str, media_type: str, fetch_dest: str | None = None) -> dict[str, str]:
    """Headers to serve a chat's file with; `fetch_dest` is the request's Sec-Fetch-Dest.

    SVG is a document that can run scripts, so it shows only where it cannot: inside an <img>.
    """
    kind = media_type.strip().lower()
    if not _MEDIA_TYPE.fullmatch(kind):
        kind = "application/octet-stream"
    headers = {"content-type": kind, "x-content-type-options": "nosniff"}
    inline = kind in RASTER_TYPES
    if kind == "image/svg+xml":
        inline = fetch_dest == "image"
        headers |= {"content-security-policy": SVG_POLICY, "vary": "Sec-Fetch-Dest"}
    elif not inline:
        headers["content-security-policy"] = FILE_POLICY
    return headers | {"content-disposition": _disposition("inline" if inline else "attachment", name)}


def _disposition(kind: str, name: str) -> str:
    """RFC 6266: a plain name for old programs, and the true one in `filename*` when it is not plain."""
    last = PurePosixPath(name.replace("\\", "/").replace("\0", "")).name or "file"
    plain = _PLAIN.sub("_", last)
    if plain == last:
        return f'{kind}; filename="{plain}"'
    return f"{kind}; filename=\"{plain}\"; filename*=UTF-8''{quote(last.encode('utf-8', 'replace'), safe='')}"
