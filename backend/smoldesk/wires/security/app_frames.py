"""Headers of the page of a view (MCP Apps): a stranger's HTML, with scripts, in a frame of the desk's page.

`sandbox` without `allow-same-origin` makes its origin one of its own, also where somebody opens the address by itself: no
cookie, no storage, and no script of the desk's page is in its reach. `default-src 'none'` and no allowed domain mean that
nothing is fetched from anywhere; `Connection-Allowlist`, which Chromium has since 152, says the same of what a content
security policy knows nothing of: WebRTC, connections made ahead, names looked up, redirects. The desk's page lets its
frames show nothing but the desk itself (`frame-src 'self'`), so a view that leads its own frame elsewhere gets nowhere.
"""

from collections.abc import Mapping, Sequence

NONE = "'none'"
DENIED = (
    "camera microphone geolocation clipboard-read clipboard-write display-capture usb serial hid midi payment"
)
# Also the frame's attribute in frontend/js/apps/frame.js. Forms, so that scripts are told of them: none is sent anywhere.
SANDBOX = "allow-scripts allow-forms"


def app_frame_headers(domains: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """`domains` are those that a person let the view reach, by the keys of MCP Apps; each is an origin, checked before."""
    connect, resources, frames, bases = (
        " ".join(domains.get(key, ()))
        for key in ("connectDomains", "resourceDomains", "frameDomains", "baseUriDomains")
    )
    policy = (
        "default-src 'none'",
        f"script-src 'unsafe-inline' {resources}",
        f"style-src 'unsafe-inline' {resources}",
        f"img-src data: blob: {resources}",
        f"media-src data: blob: {resources}",
        f"font-src data: {resources}",
        f"connect-src {connect or NONE}",
        f"frame-src {frames or NONE}",
        f"base-uri {bases or NONE}",
        "object-src 'none'",
        "worker-src 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
        f"sandbox {SANDBOX}",
    )
    return {
        "content-security-policy": "; ".join(directive.strip() for directive in policy),
        "content-type": "text/html; charset=utf-8",
        "x-content-type-options": "nosniff",
        "connection-allowlist": f"({_patterns(domains)});webrtc=block;redirects=block",
        "x-dns-prefetch-control": "off",
        "permissions-policy": ", ".join(f"{feature}=()" for feature in DENIED.split()),
        "cache-control": "no-store",
    }


def _patterns(domains: Mapping[str, Sequence[str]]) -> str:
    """Origins as the list of allowed connections has them: ws is http there."""
    origins = {name.lower() for names in domains.values() for name in names}
    return " ".join(
        f'"{origin.replace("ws", "http", 1) if origin.startswith("ws") else origin}"'
        for origin in sorted(origins)
    )
