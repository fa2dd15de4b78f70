"""Telemetry of a desk: OpenTelemetry, if the environment configures it."""

import logging
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from smoldesk.agents import DeskAgents
from smoldesk.errors import BadInput
from smoldesk.runs import Runs
from smoldesk.store.prompt_messages import read_messages
from smoldesk.store.store import Store
from smoldesk.telemetry import open_telemetry

if TYPE_CHECKING:
    from smoldesk.telemetry.telemetry import Telemetry

log = logging.getLogger(__name__)


def telemetry_of(environ: Mapping[str, str], store: Store, hide: Callable[[str], str]) -> "Telemetry | None":
    """Return a listener for the store's events. A missing exporter is logged, and the desk works without it."""

    def read(chat_id: str, ids: Collection[str]) -> Mapping[str, str]:
        try:
            return store.read(lambda connection: read_messages(connection, chat_id, ids))
        except SQLAlchemyError:
            return {}

    try:
        telemetry = open_telemetry(environ, read, hide)
    except BadInput as fault:
        log.warning("no telemetry is sent: %s", fault)
        return None
    if telemetry is not None:
        store.listen_commits(telemetry.note)
        store.writer.stamp = telemetry.stamp
    return telemetry


def watch_runs(telemetry: "Telemetry", runs: Runs, agents: DeskAgents) -> None:
    """Send the figures that /metrics has, too."""
    telemetry.watch("smoldesk.runs.ended", lambda: runs.ended, is_total=True)
    telemetry.watch("smoldesk.runs.abandoned", lambda: {"": runs.abandoned}, is_total=True)
    telemetry.watch("smoldesk.chats.working", lambda: {"": runs.working()})
    telemetry.watch("smoldesk.cells.waiting", lambda: {"": agents.cells_waiting()})
    telemetry.watch("smoldesk.followers", lambda: {"": runs.followers()})
