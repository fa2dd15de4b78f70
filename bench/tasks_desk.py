"""`python -m bench.tasks_desk FOLDER NOTES [at-once]`: a served desk whose agent asks once (not with `at-once`), then writes
the pieces it was asked for.

It writes as a program in a terminal does: its output, an event for each piece. When it ends, it writes into the file NOTES
when each event was committed, by its text.
"""

import itertools
import json
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bench.desk import settings_in
from bench.pieces import Order, piece
from bench.processes import serve_until_told
from bench.streaming_desk import note_commits
from smoldesk.cli.server import build_server
from smoldesk.desk import build_desk
from smoldesk.events import Ask, Delta, StepStarted
from smoldesk.runs import Runs
from smoldesk.stopping import StopFlag
from smoldesk.store.run_options import RunOptions
from smoldesk.store.run_queue import Choices
from smoldesk.tools.run_context import Agent, RunContext

_streams = itertools.count()


class Writer:
    """Asks, so that everybody can be there before it begins; then writes."""

    def __init__(self, asks: bool) -> None:
        self._asks = asks

    def run(self, message: str, ctx: RunContext) -> str:
        order = Order.read(message)
        assert order is not None
        if self._asks:
            ask_id, until = f"a_{ctx.run_id}", datetime.now(UTC) + timedelta(minutes=5)
            ctx.ask(Ask(id=ask_id, kind="input", input_type="text", prompt="Begin? ", expires_at=until))
        ctx.emit(StepStarted(step=1))
        stream, started_at = next(_streams), time.monotonic()
        for number in range(order.pieces):
            time.sleep(order.wait(started_at, number))
            ctx.emit_soon(Delta(step=1, kind="output", text=piece(stream, number, order.size)))
        return ""


class Writers:
    """runs.Agents: a Writer for every chat."""

    def __init__(self, asks: bool) -> None:
        self._asks = asks

    def build(self, chat_id: str, stop: StopFlag, options: RunOptions) -> Agent:
        return Writer(self._asks)

    def choose(self, chat_id: str, options: RunOptions, choices: Choices | None = None) -> RunOptions:
        return options

    def who(self, options: RunOptions) -> Mapping[str, str]:
        return {}

    def approvals(self) -> Mapping[str, str]:
        return {}

    def lost(self, chat_id: str, wait: bool = True) -> str | None:
        return None

    def holds(self, chat_id: str) -> bool:
        return False

    def drop(self, chat_id: str, reason: str) -> None: ...

    def close(self) -> None: ...


def main(folder: Path, notes: Path, asks: bool) -> None:
    noted = note_commits()
    desk = build_desk(settings_in(folder, port=0, log_level="ERROR"))
    serve_until_told(build_server(replace(desk, runs=Runs(desk.store, Writers(asks)))))
    notes.write_text(json.dumps(noted))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:] != ["at-once"])
