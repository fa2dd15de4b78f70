"""Security headers of responses and of served files.

The policy allows the page its own scripts and styles only. Text becomes markup only through the page's Trusted Types
policy `smoldesk`, for HTML that the server has sanitised. Files of a chat come from models and third parties: only
raster images open in the browser, every other file is a download.
"""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from urllib.parse import quote

from smoldesk.errors import BadInput
from smoldesk.wires.security.hosts import is_web_origin

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


def frame_policy(origins: Sequence[str]) -> str:
    """Return the policy of a page that pages of these origins may show in a frame. Raises BadInput for an invalid one."""
    if not origins:
        return CONTENT_SECURITY_POLICY
    for origin in origins:
        if not is_web_origin(origin):
            raise BadInput(
                f"{origin[:80]!r} is not an origin of a web page.",
                'Expected one such as "http://localhost:8888".',
            )
    return CONTENT_SECURITY_POLICY.replace("frame-ancestors 'none'", f"frame-ancestors {' '.join(origins)}")


def default_headers(path: str, status: int) -> dict[str, str]:
    """Return the headers that a response gets unless it has them. API responses and errors are never cached."""
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
    """Return the headers of a chat's file; `fetch_dest` is the request's Sec-Fetch-Dest.

    An SVG document can run scripts, so it is served inline only to an <img>, where scripts are off.
    """
    kind = media_type.strip().lower()
    if not _MEDIA_TYPE.fullmatch(kind):
        kind = "application/octet-stream"
    headers = {"content-type": kind, "x-content-type-options": "nosniff"}
    inline = kind in RASTER_TYPES
    if kind == "image/svg+xml":
        inline = fetch_dest == "image"
        # Vary: a shared cache must not give the inline variant to a navigation.
        headers |= {"content-security-policy": SVG_POLICY, "vary": "Sec-Fetch-Dest"}
    elif not inline:
        headers["content-security-policy"] = FILE_POLICY
    return headers | {"content-disposition": _disposition("inline" if inline else "attachment", name)}


def _disposition(kind: str, name: str) -> str:
    """Return a Content-Disposition (RFC 6266): an ASCII name, and the real one in `filename*` if they differ."""
    # Names can be Windows paths, or hold a NUL byte.
    last = PurePosixPath(name.replace("\\", "/").replace("\0", "")).name or "file"
    plain = _PLAIN.sub("_", last)
    if plain == last:
        return f'{kind}; filename="{plain}"'
    return f"{kind}; filename=\"{plain}\"; filename*=UTF-8''{quote(last.encode('utf-8', 'replace'), safe='')}"
