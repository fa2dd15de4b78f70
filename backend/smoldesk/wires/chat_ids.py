"""A client's name for its chat, and our chat behind it.

Clients make their ids up: any text. One that is the id of a chat of this desk means that chat, so a front end can go on
with what the page began. Any other is hashed into an id of ours, the same on every server and after every restart.
"""

import hashlib

from sqlalchemy import Connection

from smoldesk.errors import NotFound
from smoldesk.store import chats


def derived(client_id: str, wire: str) -> str:
    """The chat that stands behind a client's own id on a wire; 128 bits, so no two of them meet."""
    return f"c_{hashlib.sha256(f'{wire}:{client_id}'.encode('utf-8', 'replace')).hexdigest()[:32]}"


def find_chat(connection: Connection, client_id: str, wire: str) -> str | None:
    """The chat a client means; None when it has none yet."""
    for chat_id in (client_id, derived(client_id, wire)):
        try:
            return chats.get_chat(connection, chat_id).id
        except NotFound:
            continue
    return None
