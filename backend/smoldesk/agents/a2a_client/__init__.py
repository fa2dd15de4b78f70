"""Other agents that this desk gives work to, by the A2A protocol: `ask_agent`, and those that agents.toml lists.

- `entries`: one of the list, and what all of them share; `tool`: ask_agent, as agents call it.
- `assignment`: one call from the message to the answer and its files; `client`: what is sent and followed.
- `bounded`: what it may send at most, and what of its card is believed.
- `remote_task`: from its updates to words, questions and an answer; `parts`: what it sends besides text.

The A2A library is imported when the first call is made: it takes a second.
"""

from smoldesk.agents.a2a_client.entries import Peer, Peers

__all__ = ["Peer", "Peers"]
