"""Migrations climb up, down, up again, and end where the models are, on each kind of database."""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, create_engine, event, inspect, text

from smoldesk.store.engines import (
    HEAD,
    MIGRATIONS,
    alembic_config,
    migrate,
)
from tests.support.postgres import TestPostgres

Made = Callable[[], Engine]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.starts)])
def created(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Made]:
    """Makes engines of empty databases."""
    number = 0
    with ExitStack() as lent:

        def make() -> Engine:
            nonlocal number
            number += 1
            if request.param == "sqlite":
                return create_engine(f"sqlite:///{tmp_path}/{number}.db")
            server: TestPostgres = request.getfixturevalue("postgres")
            engine = create_engine(lent.enter_context(server.database()))
            lent.callback(engine.dispose)
            return engine

        yield make


def test_up_down_up_and_check(created: Made) -> None:
    engine = created()
    for step, target in ((command.upgrade, "head"), (command.downgrade, "base"), (command.upgrade, "head")):
        with engine.begin() as connection:
            step(alembic_config(connection), target)
    with engine.begin() as connection:
        command.check(alembic_config(connection))
        assert {"chat", "run", "event", "ask", "file", "project", "conversation"} <= set(
            inspect(connection).get_table_names()
        )


def test_a_new_database_is_what_the_migrations_end_with(created: Made) -> None:
    new, climbed = created(), created()
    migrate(new)
    with climbed.begin() as connection:
        command.upgrade(alembic_config(connection), "head")
    assert shape(new) == shape(climbed)
    with new.begin() as connection:
        assert connection.scalar(text("SELECT version_num FROM alembic_version")) == HEAD


def test_an_older_database_climbs(created: Made) -> None:
    engine = created()
    with engine.begin() as connection:
        command.stamp(alembic_config(connection), "base")  # a version table, and nothing else yet
    migrate(engine)
    assert "event" in shape(engine)


def test_what_an_older_database_holds_is_kept_on_the_way(created: Made) -> None:
    engine = created()
    with engine.begin() as connection:
        command.upgrade(alembic_config(connection), "0001")
        for row in (
            "INSERT INTO chat (id, title, created_at, updated_at, last_seq, epoch) VALUES ('c', 'old', 1, 1, 1, 0)",
            "INSERT INTO file VALUES ('f', 'c', 'upload', 'a.csv', 7, 'text/csv', 1)",
        ):
            connection.execute(text(row))
    migrate(engine)
    with engine.begin() as connection:
        assert connection.execute(text("SELECT id, chat_id, size FROM file")).all() == [("f", "c", 7)]
        command.downgrade(alembic_config(connection), "0001")
        assert connection.execute(text("SELECT id, chat_id, size FROM file")).all() == [("f", "c", 7)]


def test_conversations_keep_their_messages_when_their_depth_comes_and_goes(created: Made) -> None:
    engine = created()
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", lambda item, _: item.execute("PRAGMA foreign_keys=ON"))
    with engine.begin() as connection:
        command.upgrade(alembic_config(connection), "0020")
        for row in (
            "INSERT INTO project (id, name, created_at, last_seq) VALUES ('p', 'P', 1, 2)",
            "INSERT INTO member (id, name, kind, passkey_hash, created_at) VALUES ('a', 'A', 'ai', '', 1)",
            "INSERT INTO conversation (id, seq, project_id, initiator_id, participant_id, pair, state, messages, created_at, "
            "updated_at) VALUES ('c', 1, 'p', 'a', 'a', 'a a', 'active', 1, 1, 1)",
            "INSERT INTO conversation_message (id, seq, project_id, from_id, to_id, conversation_id, content, created_at) "
            "VALUES ('m', 2, 'p', 'a', 'a', 'c', 'hello', 1)",
        ):
            connection.execute(text(row))
    before = shape(engine)
    migrate(engine)
    with engine.begin() as connection:
        assert connection.execute(text("SELECT id, depth FROM conversation")).all() == [("c", 0)]
        command.downgrade(alembic_config(connection), "0020")
        assert connection.scalar(text("SELECT content FROM conversation_message")) == "hello"
        assert connection.scalar(text("SELECT state FROM conversation")) == "active"
    assert shape(engine) == before


def shape(engine: Engine) -> dict[str, object]:
    """Everything a database says of each of its tables, in any order."""
    result = inspect(engine)
    return {
        name: (
            {
                str(column["name"]): (str(column["type"]), column["nullable"])
                for column in result.get_columns(name)
            },
            result.get_pk_constraint(name),
            sorted(map(str, result.get_foreign_keys(name))),
            sorted(map(spelled, result.get_indexes(name))),
            sorted(map(str, result.get_unique_constraints(name))),
        )
        for name in result.get_table_names()
    }


def spelled(index: Any) -> str:
    """An index in words; what a partial one is limited to is a clause, which SQL spells."""
    options = {name: str(value) for name, value in index.get("dialect_options", {}).items()}
    return str(index | {"dialect_options": options})


def test_head_names_the_newest_migration() -> None:
    assert ScriptDirectory(str(MIGRATIONS)).get_current_head() == HEAD


def test_migrating_twice_does_nothing_the_second_time(created: Made) -> None:
    engine = created()
    migrate(engine)
    before = inspect(engine).get_table_names()
    migrate(engine)
    assert inspect(engine).get_table_names() == before


def test_servers_that_start_at_once_migrate_once(postgres_url: str) -> None:
    faults: list[BaseException] = []
    together = threading.Barrier(4)

    def start() -> None:
        engine = create_engine(postgres_url)
        together.wait(10)
        try:
            migrate(engine)
        except BaseException as fault:
            faults.append(fault)
        finally:
            engine.dispose()

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert faults == []
    assert "event" in inspect(create_engine(postgres_url)).get_table_names()
