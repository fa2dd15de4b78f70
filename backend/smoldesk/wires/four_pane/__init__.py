"""The four-pane wire (spec/reference/interfacespec.md): connection.py serves a socket, incoming.py reads,
outgoing.py sends, frames.py translates; protocol_1_2.py and questions.py are for older clients."""

from smoldesk.wires.four_pane.encoder import message_of
from smoldesk.wires.four_pane.routes import router

__all__ = ["message_of", "router"]
