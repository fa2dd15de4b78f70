"""Unread reports of watches as messages."""

from smoldesk import messages as m
from smoldesk.watches import NoticeList, Report, StoredTurn


def notices_message(now: NoticeList) -> m.Notices:
    """Return the message of the unread reports."""
    notices = [notice_of(notice.turn, notice.chat_id, notice.title, notice.report) for notice in now.notices]
    return m.Notices(content=m.NoticesContent(notices=notices, count=now.count))


def notice_of(turn: StoredTurn, chat_id: str, title: str, report: Report) -> m.WatchNotice:
    """Return one report."""
    return m.WatchNotice(
        watch_id=turn.watch_id,
        turn=turn.turn,
        chat_id=chat_id,
        title=title,
        state="failed" if turn.state == "failed" else "fired",
        at=turn.at,
        **report.model_dump(),
    )
