"""The PostgreSQL that tests stand on: empty when lent, and back after a restart."""

import os
import subprocess
import sys
from pathlib import Path

from sqlalchemy import create_engine, inspect, text

from tests.support.postgres import TestPostgres

ROOT = Path(__file__).resolve().parent.parent


def test_a_database_is_lent_empty_also_when_somebody_had_it_before(postgres: TestPostgres) -> None:
    for _ in range(2):
        with postgres.database() as url:
            engine = create_engine(url)
            assert inspect(engine).get_table_names() == []
            with engine.begin() as connection:
                connection.execute(text("CREATE TABLE left_behind (id int)"))
            # and the engine keeps its connection: it is thrown out


def test_the_server_comes_back_with_its_data(postgres: TestPostgres, postgres_url: str) -> None:
    with create_engine(postgres_url).begin() as connection:
        connection.execute(text("CREATE TABLE kept (id int)"))
    postgres.stop()
    postgres.start()
    assert inspect(create_engine(postgres_url)).get_table_names() == ["kept"]


def test_without_postgresql_the_last_lines_say_what_is_missing_and_why(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "def test_one(postgres_url): raise AssertionError('this must not run')\n"
        "def test_either(database_url): assert database_url == ''\n"
    )
    look = (
        "import sys, pytest; from tests.support import postgres\n"
        "def none(folder): raise OSError('no room for it')\n"
        "postgres._begun = none\n"
        "sys.exit(pytest.main(['-p', 'tests.conftest', '-c', 'pyproject.toml', sys.argv[1]]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", look, str(tmp_path)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    *_, missing, closing = done.stdout.strip().splitlines()
    assert missing == "could not be had: no PostgreSQL: OSError: no room for it (2 tests skipped)"
    assert closing.startswith("1 passed, 2 skipped")
