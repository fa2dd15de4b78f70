"""The same questions in words over CSV, Parquet, PostgreSQL and Spark: exam questions, each over its table."""

import builtins
import json
import random
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from pydantic import SecretStr
from sqlalchemy import create_engine

from smoldesk.agents.analyst_files import ChatFiles, table_infos
from smoldesk.agents.database_tables import DatabaseTables
from smoldesk.agents.value_indexes import ValueIndexes
from smoldesk.analyst.catalogue import TableInfo
from smoldesk.analyst.model import BuiltinModel
from smoldesk.buildings.building import Building
from smoldesk.desk import build_desk
from smoldesk.stopping import StopFlag
from smoldesk.tables.table_profiles import Profiles
from smoldesk.tools.databases import ConnectedDatabases
from tests.analyst.desk import Desk
from tests.support.desk_server import settings_for
from tests.support.postgres import CannotHave, TestPostgres
from tests.support.spark import TOKEN, SparkServer

pytestmark = [pytest.mark.slow, pytest.mark.starts, pytest.mark.timeout(3_600)]
EXAMS = Path(__file__).parents[1] / "exams"
# Questions of each language, and the tables with most questions that they are about.
QUESTIONS, TABLES = 100, 8


def questions(language: str) -> list[tuple[str, str]]:
    """Return tables and first questions of the last exams."""
    files = [file for file in EXAMS.glob("cases/blind*.jsonl") if re.match(r"blind(8|9|10|11)_", file.name)]
    lines = [json.loads(line) for file in sorted(files) for line in file.read_text().splitlines()]
    cases = [
        (case["table"], case["turns"][0]) for case in lines if case["lang"] == language and case.get("table")
    ]
    cases = [case for case in cases if (EXAMS / "tables" / f"{case[0]}.csv").exists()]
    largest = {name for name, _ in Counter(name for name, _ in cases).most_common(TABLES)}
    chosen = [case for case in cases if case[0] in largest]
    random.Random(46).shuffle(chosen)
    return chosen[:QUESTIONS]


class Engines:
    """Exam tables in each engine, as the analyst knows them."""

    def __init__(self, folder: Path, profiles: Profiles, postgres: str, spark: SparkServer) -> None:
        self._folder, self._profiles, self._spark = folder, profiles, spark.session()
        self._postgres = create_engine(postgres)
        addresses = {"shop": SecretStr(postgres), "lake": SecretStr(f"{spark.url}/;token={TOKEN}")}
        self.databases = ConnectedDatabases(addresses, ["lake"], 30)
        self._building = Building.load()

    def add(self, number: int, name: str) -> dict[str, TableInfo]:
        """Load a table; return its descriptions by engine."""
        folder, source = self._folder / name, EXAMS / "tables" / f"{name}.csv"
        for made in (folder, folder / "spark"):
            made.mkdir()
        shutil.copy(source, folder)
        profile = self._profiles.of_files(name, folder, [source.name], StopFlag())[source.name].tables[0]
        table = pd.read_csv(source)
        for column in profile.columns:
            if column.kind == "date" and column.form == "" and column.name in table:
                times = pd.to_datetime(table[column.name])
                is_day = bool((times.dropna() == times.dropna().dt.normalize()).all())
                table[column.name] = times.dt.date if is_day else times
        table.to_parquet(folder / f"{name}.parquet")
        table.to_parquet(folder / "spark" / "a.parquet", coerce_timestamps="us")
        table.to_sql(f"t{number}", self._postgres, index=False)
        self._spark.sql(f"CREATE TABLE t{number} USING parquet LOCATION '{folder / 'spark'}'")
        files = {kind: self._file(name, f"{name}.{kind}") for kind in ("csv", "parquet")}
        # A new description for each, since the outline of a database is cached.
        named = DatabaseTables(self.databases, self._profiles)
        tables = {place: named._described((place, f"t{number}"), StopFlag()) for place in ("shop", "lake")}  # noqa: SLF001
        return {place: self._info(described, name) for place, described in (files | tables).items()}

    def _file(self, name: str, file: str) -> ChatFiles:
        folder = self._folder / name
        profile = self._profiles.of_files(name, folder, [file], StopFlag())[file]
        index = ValueIndexes().of(name, folder, profile.tables, 0)
        return ChatFiles(shared=profile.tables[:1], indexes={profile.tables[0].load: lambda: index})

    def _info(self, files: ChatFiles, name: str) -> TableInfo:
        assert files.shared, files.broken
        (info,) = table_infos(files.shared, self._building, files.indexes, {files.shared[0].file})
        return replace(info, name=name, file=f"{name}.csv")


def answer(folder: Path, table: TableInfo, question: str) -> str:
    desk = Desk(folder)
    desk.catalogue = replace(desk.catalogue, tables=[table], rooms={}, places=None)
    desk.model = BuiltinModel(desk.catalogue)
    result = desk.ask(question)
    return json.dumps([result.answer, sorted(result.others.items())], ensure_ascii=False)


@pytest.fixture
def spark() -> Iterator[SparkServer]:
    try:
        server = SparkServer()
    except CannotHave as reason:
        pytest.skip(str(reason))
    yield server
    server.remove()


@pytest.mark.skipif(sys.platform != "linux", reason="profiles are read in the jail")
def test_questions_in_words_have_one_answer_everywhere(
    postgres: TestPostgres, spark: SparkServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = [*questions("en"), *questions("ja")]
    desk = build_desk(settings_for(tmp_path / "desk"))
    tmp_path.chmod(0o755)
    with postgres.database() as url:
        engines = Engines(tmp_path, desk.agents.profiles, url, spark)

        def sql_engine(query: str, database: str) -> Any:
            rows = engines.databases.query(database, query)
            return pd.DataFrame(rows.rows, columns=rows.columns)

        monkeypatch.setattr(builtins, "sql_engine", sql_engine, raising=False)
        names = sorted({name for name, _ in asked})
        tables = {name: engines.add(number, name) for number, name in enumerate(names)}
        different: list[str] = []
        for name, question in asked:
            answers = {place: answer(tmp_path / name, info, question) for place, info in tables[name].items()}
            if len(set(answers.values())) > 1:
                different.append(f"{name}: {question}\n    {answers}")
    desk.agents.close()
    report = "\n".join(different)
    assert not different, f"{len(different)} of {len(asked)} differ\n{report}"
