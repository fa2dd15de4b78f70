"""Migrations climb up, down, up again, and end where the models are."""

from pathlib import Path

from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, create_engine, inspect, text

from backend.store.engines import HEAD, MIGRATIONS, alembic_config, migrate


def test_up_down_up_and_check(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/m.db")
    for step, target in ((command.upgrade, "head"), (command.downgrade, "base"), (command.upgrade, "head")):
        with engine.begin() as connection:
            step(alembic_config(connection), target)
    with engine.begin() as connection:
        command.check(alembic_config(connection))
        assert {"chat", "run", "event", "ask", "file"} <= set(inspect(connection).get_table_names())


def test_a_new_database_is_what_the_migrations_end_with(tmp_path: Path) -> None:
    new, climbed = (
        create_engine(f"sqlite:///{tmp_path}/new.db"),
        create_engine(f"sqlite:///{tmp_path}/old.db"),
    )
    migrate(new)
    with climbed.begin() as connection:
        command.upgrade(alembic_config(connection), "head")
    assert shape(new) == shape(climbed)
    with new.begin() as connection:
        assert connection.scalar(text("SELECT version_num FROM alembic_version")) == HEAD


def test_an_older_database_climbs(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/m.db")
    with engine.begin() as connection:
        command.stamp(alembic_config(connection), "base")  # a version table, and nothing else yet
    migrate(engine)
    assert "event" in shape(engine)


def shape(engine: Engine) -> dict[str, object]:
    """Everything a database says of each of its tables, in any order."""
    found = inspect(engine)
    return {
        name: (
            {
                str(column["name"]): (str(column["type"]), column["nullable"])
                for column in found.get_columns(name)
            },
            found.get_pk_constraint(name),
            sorted(map(str, found.get_foreign_keys(name))),
            sorted(map(str, found.get_indexes(name))),
            sorted(map(str, found.get_unique_constraints(name))),
        )
        for name in found.get_table_names()
    }


def test_head_names_the_newest_migration() -> None:
    assert ScriptDirectory(str(MIGRATIONS)).get_current_head() == HEAD


def test_migrating_twice_does_nothing_the_second_time(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/m.db")
    migrate(engine)
    before = inspect(engine).get_table_names()
    migrate(engine)
    assert inspect(engine).get_table_names() == before
