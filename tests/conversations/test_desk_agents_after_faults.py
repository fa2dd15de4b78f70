"""Agents of the desk whose database fails for a while: afterwards they take turns again, and none is lost."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from smoldesk.conversations import desk_members
from tests.conversations.test_desk_agents import (
    ENTRIES,
    LIMITS,
    api,
    begin,
    project_of,
    reply,
    runs_of,
    talked,
)
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.scripted_model import ScriptedModel

POLL_SECONDS = 0.1
FAULT_SECONDS = 12 * POLL_SECONDS


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    folder = tmp_path_factory.mktemp("desk")
    (folder / "agents.toml").write_text(ENTRIES)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(desk_members, "POLL_SECONDS", POLL_SECONDS)
        with live_desk(folder, lambda: ScriptedModel([reply]), **LIMITS) as live:
            yield live


@contextmanager
def without(live: LiveDesk, table: str) -> Iterator[None]:
    """A database in which a table is missing for a while."""
    path = Path(live.desk.store.data_dir.root) / "smoldesk.db"
    with closing(sqlite3.connect(path, timeout=30, isolation_level=None)) as connection:
        connection.execute("PRAGMA legacy_alter_table=ON")  # no reference to the table follows its name
        connection.execute(f"ALTER TABLE {table} RENAME TO elsewhere")
        try:
            yield
        finally:
            connection.execute(f"ALTER TABLE elsewhere RENAME TO {table}")


def test_agents_that_join_after_a_fault_take_their_turns(live: LiveDesk) -> None:
    with without(live, "membership"):
        time.sleep(FAULT_SECONDS)
    with api(live) as http:
        project, (first, other) = project_of(http, "parrot", "parrot")
        begin(live, project, first["id"], other["id"])
        assert talked(http, project)["conversation"]["messageCount"] == LIMITS["conversation_max_messages"]


def test_a_turn_that_a_fault_kept_from_its_run_is_taken_afterwards(live: LiveDesk) -> None:
    with api(live) as http:
        project, (first, other) = project_of(http, "parrot", "parrot")
        with without(live, "run"):
            begin(live, project, first["id"], other["id"])
            time.sleep(FAULT_SECONDS)
        transcript = talked(http, project)
        assert [message["content"] for message in transcript["messages"]] == ["hello", *["again"] * 11]
        assert len(runs_of(http, other["chatId"])) == 6, "one for each turn"
