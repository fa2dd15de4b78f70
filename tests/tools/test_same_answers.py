"""The same question over CSV, Parquet, PostgreSQL and Spark Connect: queries made from columns of public tables."""

import contextlib
import importlib
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from pydantic import SecretStr
from sqlalchemy import create_engine

from smoldesk.tables.folder_tables import ChatTables
from smoldesk.tools.databases import ConnectedDatabases
from smoldesk.tools.datasets import Datasets
from tests.support.postgres import CannotHave, TestPostgres
from tests.support.spark import SailServer

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1_800)]  # 300 queries, most in a process of their own

QUESTIONS = 75
STATSMODELS = (
    "anes96",
    "ccard",
    "elec_equip",
    "fair",
    "grunfeld",
    "longley",
    "macrodata",
    "randhie",
    "spector",
    "stackloss",
)
MAX_TABLE_ROWS = 3_000


def public_tables() -> Iterator[tuple[str, pd.DataFrame]]:
    datasets = Datasets.bundled()
    for name in datasets.names():
        yield name, pd.read_csv(datasets.path(name))
    for name in STATSMODELS:
        module: Any = importlib.import_module(f"statsmodels.datasets.{name}")
        yield name, module.load_pandas().data
    sklearn: Any = importlib.import_module("sklearn.datasets")
    for name in ("iris", "wine", "diabetes"):
        yield f"sk_{name}", getattr(sklearn, f"load_{name}")(as_frame=True).frame


def cleaned(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with names that need no quotes, since each database folds letters in its own way."""
    names = [re.sub(r"\W+", "_", f"c_{name}".lower()) for name in table.columns]
    renamed = table.head(MAX_TABLE_ROWS).set_axis(names, axis=1)
    return renamed.loc[:, ~renamed.columns.duplicated()]


def queries_of(table: pd.DataFrame) -> Iterator[str]:
    """Yield queries with `{t}` for the table: counts, means, orders with NULLs, filters."""
    numbers = [
        name for name in table if pd.api.types.is_numeric_dtype(table[name]) and table[name].nunique() > 5
    ]
    for number in numbers[:3]:
        yield f"SELECT count(*) AS n, count({number}) AS k, min({number}) AS a, max({number}) AS b FROM {{t}}"
        yield f"SELECT avg({number}) AS a, sum({number}) AS s, stddev_samp({number}) AS d FROM {{t}}"
        yield f"SELECT {number} FROM {{t}} ORDER BY {number} NULLS LAST LIMIT 5"
        yield f"SELECT {number} FROM {{t}} ORDER BY {number} DESC NULLS LAST LIMIT 5"
        yield f"SELECT count(*) AS n FROM {{t}} WHERE {number} > (SELECT avg({number}) FROM {{t}})"


def questions() -> list[tuple[str, str]]:
    """Return table and query of each, in turns from all tables."""
    made = {name: list(queries_of(cleaned(table))) for name, table in public_tables()}
    turns = [(name, queries[at]) for at in range(40) for name, queries in made.items() if at < len(queries)]
    return turns[:QUESTIONS]


def same(one: Any, other: Any) -> bool:
    if isinstance(one, bool) or isinstance(other, bool) or not isinstance(one, int | float):
        return one == other
    return isinstance(other, int | float) and math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)


def is_equal(one: Any, other: Any) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    return len(one) == len(other) and all(
        len(row) == len(match) and all(map(same, row, match)) for row, match in zip(one, other, strict=True)
    )


class Engines:
    """The tables in each engine, and how one asks it."""

    def __init__(self, folder: Path, postgres_url: str, spark_url: str) -> None:
        self.folder = folder
        engine = create_engine(postgres_url)
        for name, table in public_tables():
            clean = cleaned(table)
            for kind in ("csv", "parquet"):
                (folder / kind / name).mkdir(parents=True)
            clean.to_csv(folder / "csv" / name / f"{name}.csv", index=False)
            clean.to_parquet(folder / "parquet" / name / f"{name}.parquet")
            clean.to_sql(name, engine, index=False)
        engine.dispose()
        addresses = {"shop": SecretStr(postgres_url), "lake": SecretStr(f"{spark_url}/;file_paths=true")}
        self._databases = ConnectedDatabases(addresses, ["lake"])

    def ask(self, engine: str, table: str, query: str) -> Any:
        """Return rows, or the first words of an error."""
        spark = f"parquet.`{self.folder}/parquet/{table}/{table}.parquet`"
        with contextlib.suppress(FileNotFoundError):
            try:
                if engine in ("csv", "parquet"):
                    tables = ChatTables(self.folder / engine / table, self.folder)
                    return tables.query(query.format(t=table)).rows
                place, database = (table, "shop") if engine == "postgresql" else (spark, "lake")
                return self._databases.query(database, query.format(t=place)).rows
            except Exception as fault:  # every engine has its own; the table of differences shows it
                return f"{type(fault).__name__}: {fault}"[:160]
        return "no file"


@pytest.fixture
def sail() -> Iterator[SailServer]:
    try:
        server = SailServer()
    except CannotHave as reason:
        pytest.skip(str(reason))
    yield server
    server.remove()


def test_questions_about_numbers_have_one_answer_everywhere(
    postgres: TestPostgres, sail: SailServer, tmp_path: Path
) -> None:
    pytest.importorskip("statsmodels", reason="no statsmodels: the extra smoldesk[exam] is not installed")
    asked = questions()
    assert len(asked) == QUESTIONS
    differences: list[str] = []
    with postgres.database() as url:
        engines = Engines(tmp_path, url, sail.url)
        for table, query in asked:
            answers = {
                name: engines.ask(name, table, query) for name in ("csv", "parquet", "postgresql", "spark")
            }
            apart = [name for name, rows in answers.items() if not is_equal(answers["csv"], rows)]
            if apart or isinstance(answers["csv"], str):
                shown = {name: str(answers[name])[:120] for name in ["csv", *apart]}
                differences.append(f"{table}: {query}\n    {shown}")
    report = "\n".join(differences)
    assert not differences, f"{len(differences)} of {len(asked)} differ\n{report}"
