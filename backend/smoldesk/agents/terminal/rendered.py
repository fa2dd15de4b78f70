"""pyte's screen, which draws what follows a character that takes no cell.

Its own `draw` leaves out the rest of a text behind such a one: a sign of an emoji's form, a joiner, a stray control. A prompt
may stand behind it.
"""

import unicodedata

import pyte
from wcwidth import wcwidth


class Rendered(pyte.Screen):
    """pyte.Screen, told only what can be drawn."""

    def draw(self, data: str) -> None:
        if not (data.isascii() and data.isprintable()):
            data = data.translate({ord(one): None for one in set(data) if not _drawn(one)})
        super().draw(data)


def _drawn(character: str) -> bool:
    width = wcwidth(character)
    return width > 0 or (width == 0 and unicodedata.combining(character) > 0)
