"""Runs of agents: see runs.py for what wires call, and records.py for what they read."""

from smoldesk.runs.records import CLOSING, OPEN_STATES, Change, RunInfo, RunRecord, Wanted
from smoldesk.runs.runs import Runs
from smoldesk.runs.worker import Agents
from smoldesk.store.ask_queries import Asked
from smoldesk.store.asks import Answer, AskRecord
from smoldesk.store.followers import Stopping
from smoldesk.store.run_options import NO_CHOICE, ClientToolSpec, IdempotencyKey, RunOptions

__all__ = [
    "CLOSING",
    "NO_CHOICE",
    "OPEN_STATES",
    "Agents",
    "Answer",
    "AskRecord",
    "Asked",
    "Change",
    "ClientToolSpec",
    "IdempotencyKey",
    "RunInfo",
    "RunOptions",
    "RunRecord",
    "Runs",
    "Stopping",
    "Wanted",
]
