"""Where a chat's talk with another agent goes on: the thread that the other side named last, from the log."""

from sqlalchemy import Connection, select

from smoldesk.events import ToolProgress
from smoldesk.store.event_log import parsed
from smoldesk.store.tables import EventRow


def last_context(connection: Connection, chat_id: str, agent: str) -> str | None:
    """The context id that this agent told last in this chat; None when it never told one."""
    query = select(EventRow.body).where(EventRow.chat_id == chat_id, EventRow.type == "tool_progress")
    # a quote in a text is escaped in the log, so no text can look like these
    query = query.where(EventRow.body.contains('"context_id":"', autoescape=True))
    query = query.where(EventRow.body.contains(f'"agent":"{agent}"', autoescape=True))
    body = connection.execute(query.order_by(EventRow.seq.desc()).limit(1)).scalar_one_or_none()
    if body is None:
        return None
    event = parsed(body)
    return event.context_id if isinstance(event, ToolProgress) else None
