"""Charts as data: the rules of their specs, their pictures (made in a jailed child), and the program that the page draws with.

`inside` is the code that runs in the child. vl-convert, which is native code, is imported there and nowhere else.
"""

from smoldesk.charts.pictures import NoPicture, Picture, picture_of, prepare_picture, svg_of
from smoldesk.charts.specs import checked_spec

__all__ = ["NoPicture", "Picture", "checked_spec", "picture_of", "prepare_picture", "svg_of"]
