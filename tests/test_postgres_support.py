"""The PostgreSQL that tests stand on: empty when lent, and back after a restart."""

from sqlalchemy import create_engine, inspect, text

from tests.support.postgres import TestPostgres


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
