"""Conversation from elsewhere as the first runs of a new chat.

The agent remembers it like its own runs, and a page shows it like any other chat.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue
from sqlalchemy import insert

from smoldesk.events import (
    RunEvent,
    RunFinished,
    RunQueued,
    RunStarted,
    Shown,
    StepFinished,
)
from smoldesk.messages import Text
from smoldesk.store.tables import RunRow
from smoldesk.store.transaction import Tx, plain


@dataclass(frozen=True)
class PastTurn:
    """Question and answer of an earlier turn."""

    question: str
    answer: str


def append_turns(tx: Tx, chat_id: str, turns: Sequence[PastTurn]) -> None:
    """Write turns, oldest first, as finished runs of a chat that has none."""
    for position, turn in enumerate(turns, 1):
        run_id = f"r_{secrets.token_hex(12)}"
        question, answer = plain(turn.question), plain(turn.answer)
        row = {
            "id": run_id,
            "chat_id": chat_id,
            "position": position,
            "state": "finished",
            "message": question,
            "created_at": tx.now,
            "changed_at": tx.now,
        }
        tx.execute(insert(RunRow), row)
        events: list[RunEvent] = [
            RunQueued(message=question),
            RunStarted(message=question),
        ]
        if answer:
            events += [
                StepFinished(step=1, memory=_memory(answer), duration=0.0),
                Shown(message=Text(content=answer)),
            ]
        tx.append(chat_id, [*events, RunFinished(text=answer)], run_id)


def _memory(answer: str) -> dict[str, JsonValue]:
    """Return a step that only answered, as agents/wrapper/memory.py reads it."""
    return {
        "step_number": 1,
        "model_output": answer,
        "code_action": None,
        "tool_calls": [],
        "observations": None,
        "error": None,
        "is_final_answer": True,
    }
