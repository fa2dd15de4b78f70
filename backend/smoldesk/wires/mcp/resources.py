"""A conversation's transcript as a resource, for its two sides.

A connection of the newer protocol has no session of its own, so the reader's session_token is part of the address. It is
never logged: the library logs addresses only of reads that crash, and none of ours does.
"""

import logging

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError

from smoldesk.conversations import Conversations
from smoldesk.errors import DeskError
from smoldesk.wires.mcp.models import Transcript
from smoldesk.wires.mcp.tools import words

ADDRESS = "smoldesk://conversations/{conversation_id}{?session_token}"
log = logging.getLogger(__name__)


def install(server: MCPServer, conversations: Conversations) -> None:
    """Add the transcripts to a server."""

    @server.resource(ADDRESS, name="transcript", title="A conversation", mime_type="application/json")
    async def transcript(conversation_id: str, session_token: str = "") -> str:  # pyright: ignore[reportUnusedFunction]
        """A conversation that you are in, with the newest hundred messages of it."""
        try:
            session = await conversations.session(session_token)
            found = await conversations.transcript_for(session, conversation_id)
            return Transcript.of(found.conversation, found.messages).model_dump_json()
        except DeskError as fault:
            raise ResourceError(words(fault)) from None
        except Exception as fault:  # the library would log the address, and the token in it
            log.exception("a transcript could not be read")
            raise ResourceError("internal_error") from fault
