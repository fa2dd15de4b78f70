"""The agent that answers in a chat, by its name: kept in its row, told by an event; what it says unasked goes into the log."""

from sqlalchemy import Connection, bindparam, select, update

from smoldesk.events import AgentChosen, LateOutput
from smoldesk.store.chats import ChatInfo, get_chat
from smoldesk.store.statements import CompiledStatement
from smoldesk.store.tables import ChatRow
from smoldesk.store.transaction import Tx

_AGENT = CompiledStatement(select(ChatRow.agent).where(ChatRow.id == bindparam("chat")))


def agent_of_chat(connection: Connection, chat_id: str) -> str | None:
    """The agent a chat chose; None for one that chose none, and for a chat that is not there."""
    return _AGENT.value(connection, {"chat": chat_id})


def choose_agent(tx: Tx, chat_id: str, agent: str | None) -> ChatInfo:
    """Have another agent answer from the next run on (None: the one the desk is served with), and followers told.

    The same again says nothing. Raises NotFound for the chat; whether there is such an agent is the caller's to know.
    """
    tx.hold(chat_id)
    chat = get_chat(tx.connection, chat_id)
    if chat.agent == agent:
        return chat
    tx.execute(update(ChatRow).where(ChatRow.id == chat_id).values(agent=agent))
    tx.append(chat_id, [AgentChosen(agent=agent)])
    return get_chat(tx.connection, chat_id)


def say_late(tx: Tx, chat_id: str, agent: str, text: str) -> None:
    """Keep what a program wrote when no run listened. Raises NotFound for a chat that is gone."""
    tx.append(chat_id, [LateOutput(agent=agent, text=text)])
