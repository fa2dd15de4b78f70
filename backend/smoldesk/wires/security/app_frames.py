"""Headers of a view's page (MCP Apps): untrusted HTML with scripts in a frame of the desk's page.

`sandbox` without `allow-same-origin` gives the page an opaque origin, also when its address is opened in a tab: it cannot
read cookies, storage or the desk's page. `default-src 'none'` without allowed domains blocks every fetch.
`Connection-Allowlist` (Chromium 152 and later) blocks what a content security policy does not cover: WebRTC, preconnects,
DNS prefetches and redirects. The desk's page allows only itself in frames (`frame-src 'self'`), so a view cannot navigate
its frame to another site.
"""

from collections.abc import Mapping, Sequence

NONE = "'none'"
# Browser features that no view may use, as directives of Permissions-Policy.
DENIED = (
    "camera microphone geolocation clipboard-read clipboard-write display-capture usb serial hid midi payment"
)
# The same value as the frame's attribute in frontend/js/apps/frame.js. `allow-forms` makes submit events fire for scripts;
# `form-action 'none'` below still blocks every submission.
SANDBOX = "allow-scripts allow-forms"


def app_frame_headers(domains: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return the headers of a view's page.

    `domains` are the origins that a person allowed, by the keys of MCP Apps; they are validated before.
    """
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
        # A looked-up host name can carry data out of the frame even when every fetch is blocked.
        "x-dns-prefetch-control": "off",
        "permissions-policy": ", ".join(f"{feature}=()" for feature in DENIED.split()),
        # The address holds a ticket for one frame; a cached copy would outlive it.
        "cache-control": "no-store",
    }


def _patterns(domains: Mapping[str, Sequence[str]]) -> str:
    """Return origins as patterns of Connection-Allowlist, which writes ws as http."""
    origins = {name.lower() for names in domains.values() for name in names}
    return " ".join(
        f'"{origin.replace("ws", "http", 1) if origin.startswith("ws") else origin}"'
        for origin in sorted(origins)
    )
