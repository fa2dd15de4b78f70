"""Client of remote agents (A2A protocol): the tool `ask_agent`, and the peers that agents.toml lists.

- `entries`: one peer, and the settings that all of them share; `tool`: ask_agent, as agents call it.
- `assignment`: one call, from the message to the answer and its files; `client`: requests and streams of one turn.
- `bounded`: size limits, allowed addresses, and the check of an agent card.
- `remote_task`: state of a task, built from its updates; `parts`: data and files in messages.

The A2A library is imported when the first call is made: it takes a second.
"""

from smoldesk.agents.a2a_client.entries import Peer, Peers

__all__ = ["Peer", "Peers"]
