"""Kinds of what a composer lists. Apart from what makes the lists, which imports the analyst: a start has no need of it."""

from typing import Literal

MentionKind = Literal["table", "column", "room", "file", "agent"]
StarterKind = Literal["table", "plot", "map", "way"]
