"""What an operator reads when the database cannot be opened: what is wrong and what to do, and nothing of the URL."""

import sys
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from smoldesk.errors import DeskError
from smoldesk.store import postgres as module
from smoldesk.store.data_dir import DataDir
from smoldesk.store.store import Store
from tests.support.postgres import TestPostgres

SECRET = "pa55word"


def refused(folder: Path, url: str) -> DeskError:
    with pytest.raises(DeskError) as caught:
        Store.open(DataDir(folder), url)
    message = str(caught.value)
    assert SECRET not in message
    assert url not in message
    assert caught.value.__cause__ is None
    return caught.value


def test_a_server_that_is_down(tmp_path: Path, free_port: int) -> None:
    fault = refused(tmp_path, f"postgresql://desk:{SECRET}@127.0.0.1:{free_port}/desk")
    assert fault.message == "PostgreSQL cannot be reached."
    assert "SMOLDESK_DATABASE_URL" in fault.hint


@pytest.mark.parametrize(
    "url",
    [
        SECRET,
        f"postgresql://desk:{SECRET}@host:port/desk",
        f"mysql://desk:{SECRET}@host/desk",
        f"{SECRET}://x",
    ],
)
def test_what_is_no_url_of_a_database_of_ours(tmp_path: Path, url: str) -> None:
    assert "postgresql://" in refused(tmp_path, url).hint


def test_a_driver_that_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    fault = refused(tmp_path, f"postgresql://desk:{SECRET}@127.0.0.1/desk")
    assert fault.hint == "For PostgreSQL, in the checkout: pip install -e '.[postgres]'."


def test_a_database_that_does_not_exist(tmp_path: Path, postgres: TestPostgres) -> None:
    assert (
        refused(tmp_path, postgres.url("nowhere")).message == "There is no such database on this PostgreSQL."
    )


def test_a_user_that_does_not_exist(tmp_path: Path, postgres_url: str) -> None:
    fault = refused(tmp_path, postgres_url.replace("postgres:@", f"nobody:{SECRET}@"))
    assert fault.message == "PostgreSQL does not let this user in."


def test_a_wrong_password(tmp_path: Path, postgres: TestPostgres, postgres_url: str) -> None:
    with postgres.asking_for_passwords():
        fault = refused(tmp_path, postgres_url.replace("postgres:@", f"postgres:{SECRET}@"))
    assert fault.message == "PostgreSQL refused the user or the password."


def test_a_user_that_may_make_no_tables(tmp_path: Path, postgres: TestPostgres, postgres_url: str) -> None:
    with postgres.admin() as connection:
        connection.execute("CREATE ROLE reader LOGIN")
    try:
        fault = refused(tmp_path, postgres_url.replace("postgres:@", f"reader:{SECRET}@"))
    finally:
        with postgres.admin() as connection:
            connection.execute("DROP ROLE reader")
    assert fault.message == "PostgreSQL does not permit this user what a desk does."


def test_a_server_that_is_too_old(tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "OLDEST", (99,))
    fault = refused(tmp_path, postgres_url)
    assert fault.code == "database_too_old"
    assert fault.hint == "Expected PostgreSQL 99 or newer."


def test_a_database_that_cannot_keep_every_text(tmp_path: Path, postgres: TestPostgres) -> None:
    with postgres.admin() as connection:
        connection.execute("CREATE DATABASE narrow ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    try:
        assert refused(tmp_path, postgres.url("narrow")).code == "database_encoding"
    finally:
        with postgres.admin() as connection:
            connection.execute("DROP DATABASE narrow WITH (FORCE)")


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg", "postgresql+psycopg2"])
def test_a_url_of_any_program_will_do(tmp_path: Path, postgres_url: str, scheme: str) -> None:
    Store.open(DataDir(tmp_path), postgres_url.replace("postgresql+psycopg", scheme)).close()


def test_a_database_of_another_program(tmp_path: Path, postgres: TestPostgres, postgres_url: str) -> None:
    with create_engine(postgres_url).begin() as connection:
        connection.execute(text("CREATE TABLE run (distance int)"))
    fault = refused(tmp_path, postgres_url)
    assert fault.hint == "Expected an empty one, or one of smoldesk's own."
