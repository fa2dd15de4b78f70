"""Tools of agents, transcripts of their conversations as resources, and a prompt that explains the desk.

Each tool finds the caller's session, checks its permission and calls `Conversations`. Connections of the newer protocol
have no session, so the session_token of a transcript's reader is part of the address. It is never logged: the library logs
addresses only of reads that crash, and ours catch every exception.
"""

import logging
from typing import Annotated

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError
from pydantic import Field

from smoldesk.conversations import AgentSession, Conversations
from smoldesk.conversations.service import LONGEST_WAIT
from smoldesk.errors import DeskError
from smoldesk.wires.mcp.encoder import format_error, pending, translate_errors
from smoldesk.wires.mcp.models import (
    Ended,
    LoggedIn,
    NextAction,
    PendingMessages,
    Sent,
    Started,
    Transcript,
    utc_time,
)
from smoldesk.wires.mcp.requests import Content, Target, Token, authorize


class Tools:
    """Tools of one service; each method is the tool of the same name."""

    def __init__(self, conversations: Conversations) -> None:
        self._conversations = conversations

    async def _authorized_session(self, tool: str, session_token: str) -> AgentSession:
        session = await self._conversations.session(session_token)
        authorize(tool, session)
        return session

    async def authenticate(
        self,
        agent_id: Annotated[str, Field(description="Your id, as the desk gave it.")],
        passkey: Annotated[str, Field(description="Your passkey, as the desk gave it.")],
        project_id: Annotated[str, Field(description="The project to work in.")],
    ) -> LoggedIn:
        """Log in to a project. Every other tool needs the session_token that this answers."""
        with translate_errors():
            authorize("authenticate", None)
            login = await self._conversations.authenticate(agent_id, passkey, project_id)
        return LoggedIn(session_token=login.token, expires_at=utc_time(login.expires_at))

    async def start_conversation(
        self,
        session_token: Token,
        target_agent_id: Target,
        purpose: Annotated[str | None, Field(description="What it is about, for the other agent.")] = None,
    ) -> Started:
        """Ask another agent of your project to talk. You may send messages at once; it is active when the other heard."""
        with translate_errors():
            session = await self._authorized_session("start_conversation", session_token)
            conversation = await self._conversations.start(session, target_agent_id, purpose)
        return Started(conversation_id=conversation.id, status=conversation.state)

    async def end_conversation(
        self,
        session_token: Token,
        conversation_id: Annotated[
            str | None, Field(description="Needed when you are in several; else the only one is meant.")
        ] = None,
    ) -> Ended:
        """End a conversation that you are in. The other agent is told by get_next_action."""
        with translate_errors():
            session = await self._authorized_session("end_conversation", session_token)
            conversation = await self._conversations.end(session, conversation_id)
        return Ended(conversation_id=conversation.id, status=conversation.state)

    async def send_message(self, session_token: Token, target_agent_id: Target, content: Content) -> Sent:
        """Say something to another agent: in your conversation with it, if there is one."""
        with translate_errors():
            session = await self._authorized_session("send_message", session_token)
            message = await self._conversations.send(session, target_agent_id, content)
        return Sent(message_id=message.id, conversation_id=message.conversation_id)

    async def respond_chat(self, session_token: Token, target_agent_id: Target, content: Content) -> Sent:
        """Answer a message that get_pending_messages gave you."""
        with translate_errors():
            session = await self._authorized_session("respond_chat", session_token)
            message = await self._conversations.send(session, target_agent_id, content)
        return Sent(message_id=message.id, conversation_id=message.conversation_id)

    async def get_pending_messages(self, session_token: Token) -> PendingMessages:
        """Get messages for you that you did not get yet, each once, at most a hundred; call again until the list is empty."""
        with translate_errors():
            session = await self._authorized_session("get_pending_messages", session_token)
            return pending(await self._conversations.pending(session))

    async def get_next_action(
        self,
        session_token: Token,
        wait_seconds: Annotated[
            float,
            Field(description=f"How long to wait for something to do, {LONGEST_WAIT:g} at most."),
        ] = 0,
        after: Annotated[
            int | None,
            Field(description="event_id of the last action you finished; later ones are given, also again."),
        ] = None,
    ) -> NextAction:
        """Get the next thing to do: answer a request, fetch messages (chat), take note of an end, or wait.

        Without `after`, what is given counts as received and is not given again.
        """
        with translate_errors():
            session = await self._authorized_session("get_next_action", session_token)
            return NextAction.of(await self._conversations.next_action(session, wait_seconds, after))


NAMES = (
    "authenticate",
    "start_conversation",
    "end_conversation",
    "send_message",
    "respond_chat",
    "get_pending_messages",
    "get_next_action",
)
ADDRESS = "smoldesk://conversations/{conversation_id}{?session_token}"
log = logging.getLogger(__name__)


def install(server: MCPServer, conversations: Conversations) -> None:
    """Add the tools, the transcripts and the prompt to a server."""
    tools = Tools(conversations)
    for name in NAMES:
        # The library makes the schema from the annotations, and the description from the docstring.
        server.add_tool(getattr(tools, name), name=name)

    @server.prompt(name="join_conversations", title="Talk to other agents")
    def join_conversations() -> str:  # pyright: ignore[reportUnusedFunction]
        """Explain how to log in, wait for others, talk and stop."""
        return LOOP

    @server.resource(ADDRESS, name="transcript", title="A conversation", mime_type="application/json")
    async def transcript(conversation_id: str, session_token: str = "") -> str:  # pyright: ignore[reportUnusedFunction]
        """Read a conversation that you are in, with its newest hundred messages."""
        try:
            session = await conversations.session(session_token)
            page = await conversations.transcript_for(session, conversation_id)
            return Transcript.of(page.conversation, page.messages).model_dump_json()
        except DeskError as fault:
            raise ResourceError(format_error(fault)) from None
        except Exception as fault:  # the library would log the address with its token
            log.exception("a transcript could not be read")
            raise ResourceError("internal_error") from fault


LOOP = """\
You are an agent of a smoldesk project. Other agents of the project talk to you through this server, and you to them.

1. Call authenticate with your agent_id, your passkey and the project_id. Keep the session_token: every other tool needs it. \
When a tool answers invalid_session, authenticate again.
2. Loop: call get_next_action with wait_seconds 60, and do what it says.
   - conversation_request: from_agent_id wants to talk to you about purpose. You are in the conversation now.
   - chat: another agent wrote to you. Call get_pending_messages until it gives none, and answer with respond_chat.
   - conversation_ended: conversation_id is over; reason and ended_by say why. Expect nothing more of it.
   - wait: nothing happened. Call again.
   To lose nothing when an answer does not reach you, give the event_id of the last action you finished as after.
3. To talk to another agent yourself, call start_conversation with its target_agent_id and a purpose, then send_message. \
You need not wait until it heard of you.
4. Call end_conversation when you have what you came for. Do not leave it to the time-out.

A message has at most 64000 bytes of text. Two agents have one conversation at a time. People can watch, and end one.
"""
