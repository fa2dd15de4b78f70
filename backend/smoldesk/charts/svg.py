"""Check of an SVG from a child: shapes and text only, no scripts, external resources or links. Pure.

A map also has raster images, as data: URLs, which no browser runs.

A downloaded file opens without the desk's headers, so its content must be safe by itself, even if the child that drew
it was compromised.
"""

import html
import re

from smoldesk.errors import BadInput

SHAPES = frozenset(
    [
        "svg",
        "g",
        "defs",
        "clipPath",
        "linearGradient",
        "radialGradient",
        "stop",
        "path",
        "rect",
        "line",
        "text",
    ]
)
_MAP_SHAPES = SHAPES | {"title", "use", "image"}
# References of a map: to a shape of the drawing itself, or a raster image in it.
_OWN = {
    "use": re.compile("#[a-z]+[0-9]+"),
    "image": re.compile("data:image/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/=]*"),
}
_TAG = re.compile(r'<(/?)([A-Za-z]+)((?:\s+[A-Za-z:-]+[0-9]?="[^"<]*")*)\s*/?>')
_ATTRIBUTE = re.compile(r'([A-Za-z:-]+[0-9]?)="([^"]*)"')
# Searched in unescaped values. A backslash counts, too: CSS escapes could spell these words.
_ELSEWHERE = re.compile(r"url\((?!#)|javascript:|data:|@import|image\(|image-set|src\(|\\", re.IGNORECASE)
_NAMESPACES = {"xmlns": "http://www.w3.org/2000/svg", "xmlns:xlink": "http://www.w3.org/1999/xlink"}
# Characters that XML 1.0 does not allow.
_UNWRITTEN = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF, *range(0xD800, 0xE000)])


def checked_svg(text: str, is_map: bool = False) -> str:
    """Return the drawing without characters that XML does not allow. Raises BadInput for anything but shapes and
    text, and images in a map.
    """
    text = text.translate(_UNWRITTEN)
    shapes = _MAP_SHAPES if is_map else SHAPES
    checked = _TAG.sub(lambda tag: _checked_tag(tag, shapes), text)
    if not text.startswith("<svg ") or "<" in checked:
        raise _refused("it has more than shapes and text")
    return text


def _checked_tag(tag: re.Match[str], shapes: frozenset[str]) -> str:
    if tag[2] not in shapes:
        raise _refused(f"it has an element <{tag[2]}>")
    for name, escaped in _ATTRIBUTE.findall(tag[3]):
        value = html.unescape(escaped)
        if name == "href" and tag[2] in _OWN and _OWN[tag[2]].fullmatch(value):
            continue
        is_link = (
            name.lower().startswith("on")
            or name.endswith(("href", "src"))
            or ":" in name.removeprefix("xmlns:")
        )
        if is_link or (name.startswith("xmlns") and _NAMESPACES.get(name) != value):
            raise _refused(f"it has an attribute {name}")
        if name != "aria-label" and _ELSEWHERE.search(value):
            raise _refused(f"its attribute {name} has an address")
    return ""


def _refused(why: str) -> BadInput:
    return BadInput(f"The drawing cannot be kept as SVG: {why}.", code="bad_chart")
