"""Runs of agents: see runs.py for what wires call, and records.py for what they read."""

from smoldesk.runs.records import CLOSING, OPEN_STATES, Change, RunFilter, RunInfo, RunRecord
from smoldesk.runs.runs import Runs
from smoldesk.runs.worker import Agents
from smoldesk.store.ask_queries import AskState
from smoldesk.store.asks import Answer, AskRecord
from smoldesk.store.followers import StopRequested
from smoldesk.store.run_options import NO_CHOICE, ClientToolSpec, IdempotencyKey, RunOptions

__all__ = [
    "CLOSING",
    "NO_CHOICE",
    "OPEN_STATES",
    "Agents",
    "Answer",
    "AskRecord",
    "AskState",
    "Change",
    "ClientToolSpec",
    "IdempotencyKey",
    "RunFilter",
    "RunInfo",
    "RunOptions",
    "RunRecord",
    "Runs",
    "StopRequested",
]
