"""The four-pane wire (spec/interfacespec.md): connection.py serves a socket, incoming.py reads, frames.py translates."""

from backend.wires.four_pane.connection import router
from backend.wires.four_pane.frames import message_of

__all__ = ["message_of", "router"]
