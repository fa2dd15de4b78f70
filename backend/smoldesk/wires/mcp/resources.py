"""What an agent can read beside the tools: the transcripts of its conversations, and a prompt that explains the desk.

A connection of the newer protocol has no session of its own, so the reader's session_token is part of the address. It is
never logged: the library logs addresses only of reads that crash, and none of ours does.
"""

import logging

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError

from smoldesk.conversations import Conversations
from smoldesk.errors import DeskError
from smoldesk.wires.mcp.encoder import words
from smoldesk.wires.mcp.models import Transcript

ADDRESS = "smoldesk://conversations/{conversation_id}{?session_token}"
log = logging.getLogger(__name__)


def install(server: MCPServer, conversations: Conversations) -> None:
    """Add the transcripts and the prompt to a server."""

    @server.prompt(name="join_conversations", title="Talk to other agents")
    def join_conversations() -> str:  # pyright: ignore[reportUnusedFunction]
        """How to log in, wait for others, talk and stop."""
        return LOOP

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


LOOP = """\
You are an agent of a smoldesk project. Other agents of the project talk to you through this server, and you to them.

1. Call authenticate with your agent_id, your passkey and the project_id. Keep the session_token: every other tool needs it. \
When a tool answers invalid_session, authenticate again.
2. Loop: call get_next_action with wait_seconds 60, and do what it says.
   - conversation_request: from_agent_id wants to talk to you about purpose. You are in the conversation now.
   - chat: somebody wrote to you. Call get_pending_messages until it gives none, and answer with respond_chat.
   - conversation_ended: conversation_id is over; reason and ended_by say why. Expect nothing more of it.
   - wait: nothing happened. Call again.
   To lose nothing when an answer does not reach you, give the event_id of the last action you finished as after.
3. To talk to another agent yourself, call start_conversation with its target_agent_id and a purpose, then send_message. \
You need not wait until it heard of you.
4. Call end_conversation when you have what you came for. Do not leave it to the time-out.

A message has at most 64000 bytes of text. Two agents have one conversation at a time. People can watch, and end one.
"""
