"""An SVG that a child drew, as the desk gives it out: shapes and text, nothing that runs, loads or leads elsewhere. Pure.

A file that was downloaded opens without the desk's headers, so what is in it has to be safe by itself, whatever the child
that drew it was made to say.
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
_TAG = re.compile(r'<(/?)([A-Za-z]+)((?:\s+[A-Za-z:-]+[0-9]?="[^"<]*")*)\s*/?>')
_ATTRIBUTE = re.compile(r'([A-Za-z:-]+[0-9]?)="([^"]*)"')
# In a value as a reader of XML has it; a backslash is how CSS writes letters in other words.
_ELSEWHERE = re.compile(r"url\((?!#)|javascript:|data:|@import|image\(|image-set|src\(|\\", re.IGNORECASE)
_NAMESPACES = {"xmlns": "http://www.w3.org/2000/svg", "xmlns:xlink": "http://www.w3.org/1999/xlink"}
# Characters that XML has no way to write.
_UNWRITTEN = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF, *range(0xD800, 0xE000)])


def checked_svg(text: str) -> str:
    """The drawing, without characters that XML does not know. Raises BadInput for anything but shapes and text."""
    text = text.translate(_UNWRITTEN)
    checked = _TAG.sub(_checked_tag, text)
    if not text.startswith("<svg ") or "<" in checked:
        raise _refused("it has more than shapes and text")
    return text


def _checked_tag(tag: re.Match[str]) -> str:
    if tag[2] not in SHAPES:
        raise _refused(f"it has an element <{tag[2]}>")
    for name, written in _ATTRIBUTE.findall(tag[3]):
        value = html.unescape(written)
        is_link = (
            name.lower().startswith("on")
            or name.endswith(("href", "src"))
            or ":" in name.removeprefix("xmlns:")
        )
        if is_link or (name.startswith("xmlns") and _NAMESPACES.get(name) != value):
            raise _refused(f"it has an attribute {name}")
        if name != "aria-label" and _ELSEWHERE.search(value):
            raise _refused("a colour of it is an address")
    return ""


def _refused(why: str) -> BadInput:
    return BadInput(f"The chart cannot be kept as SVG: {why}.", code="bad_chart")
