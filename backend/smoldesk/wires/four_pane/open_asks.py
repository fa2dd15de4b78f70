"""The open asks of all chats as one message, written once for all sockets that send it."""

from functools import lru_cache

from smoldesk import messages as m
from smoldesk.runs import AskRecord
from smoldesk.runs.asks import OpenAsks
from smoldesk.wires.four_pane.encoder import iso

PROMPT_CHARACTERS = 300
"""What of a question goes into the list."""


@lru_cache(maxsize=4)
def open_asks_text(now: OpenAsks) -> str:
    """The frame of a snapshot. Snapshots are told apart by identity, so each is written once."""
    content = m.OpenAsksContent(asks=[_line(record) for record in now.asks], count=now.count)
    return m.OpenAsks(content=content).model_dump_json(exclude_none=True)


def _line(record: AskRecord) -> m.OpenAsk:
    ask = record.ask
    assert ask.kind != "client_tool", "nobody can be asked about it"
    prompt = ask.prompt
    if len(prompt) > PROMPT_CHARACTERS:
        prompt = prompt[: PROMPT_CHARACTERS - 1] + "…"
    return m.OpenAsk(
        ask_id=ask.id,
        chat_id=record.chat_id,
        chat_title=record.chat_title,
        kind=ask.kind,
        tool=ask.tool,
        prompt=prompt,
        expires_at=iso(ask.expires_at),
    )
