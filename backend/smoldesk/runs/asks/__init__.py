"""Asks: what a run waits for from outside.

The rows are the truth (store/asks.py): an answer is a compare-and-set there, then a wake-up here. Only the run's own
thread waits, and only it writes AskOpened and AskClosed to the log.

- `answers`: whether an answer is one that its ask can take. Pure.
- `waiting`: the open asks of this process: answered from any wire, waited for by a run's thread.
- `rules`: which tools ask, and for how long.
- `gate`: what a run's tool calls pass.
- `records`: open and closed asks, read by wires.
- `open_asks`: what is open in all chats, told to the clients that look.
"""

from smoldesk.runs.asks.answers import check_answer
from smoldesk.runs.asks.gate import ApprovalGate
from smoldesk.runs.asks.open_asks import OpenAsks, OpenAskWatch
from smoldesk.runs.asks.records import AskRecords
from smoldesk.runs.asks.rules import AskRules
from smoldesk.runs.asks.waiting import TIMED_OUT, Asks

__all__ = [
    "TIMED_OUT",
    "ApprovalGate",
    "AskRecords",
    "AskRules",
    "Asks",
    "OpenAskWatch",
    "OpenAsks",
    "check_answer",
]
