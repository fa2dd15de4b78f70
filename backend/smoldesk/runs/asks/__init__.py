"""Asks: what a run waits for from outside.

The rows are the truth (store/asks.py): an answer is a compare-and-set there, then a wake-up here. Only the run's own
thread waits, and only it writes AskOpened and AskClosed to the log.

- `answers`: whether an answer is one that its ask can take. Pure.
- `waiting`: the open asks of this process: answered from any wire, waited for by a run's thread.
- `gate`: what a run's tool calls pass, and its rules: which tools ask, and for how long.
- `open_asks`: what is open in all chats, told to the clients that look; and asks as records, open and closed.
"""

from smoldesk.runs.asks.answers import check_answer
from smoldesk.runs.asks.gate import ApprovalGate, AskRules
from smoldesk.runs.asks.open_asks import AskRecords, OpenAsks, OpenAskWatch
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
