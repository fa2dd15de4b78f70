"""Kinds of entries in the composer's lists. A module of its own, because the modules of the lists import the analyst."""

from typing import Literal

MentionKind = Literal["table", "column", "room", "file", "agent"]
StarterKind = Literal["table", "plot", "map", "way"]
