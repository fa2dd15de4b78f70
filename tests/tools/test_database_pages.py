"""Pages of tables as SQL of many dialects: what people and databases name stays a name, what is looked for is bound."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.dialects import mssql, mysql, oracle, postgresql, sqlite

from smoldesk.errors import BadInput
from smoldesk.messages import Column, Filter
from smoldesk.tools.databases.pages import Page, compiled, page_select
from smoldesk.tools.databases.spark.dialect import SparkDialect
from smoldesk.tools.databases.sqlite import Sqlite

SIGNS = "a`b\"c]d'e"
SCHEMA = 's` UNION SELECT "1" -- \''
EVIL = 'x` UNION SELECT "1" ] -- \''


def dialects() -> list[Any]:
    return [*(item.dialect() for item in (mssql, mysql, oracle, postgresql, sqlite)), SparkDialect()]


def test_no_name_ends_its_quotes_and_no_value_is_written_into_the_sql() -> None:
    filters = [
        Filter(column=SIGNS, op="eq", value="hunter2"),
        Filter(column=SIGNS, op="contains", value="hunter2"),
    ]
    page = Page(SCHEMA, EVIL, [(SIGNS, True), (EVIL, False)], 0, 5, filters, "hunter2", [EVIL])
    for dialect in dialects():
        sql, values = compiled(page_select(page, [Column(name=SIGNS, kind="text")]), dialect)
        names = dialect.identifier_preparer
        for name in (SCHEMA, EVIL, SIGNS):
            complete = name.replace(names.final_quote, names.final_quote * 2)
            sql = sql.replace(f"{names.initial_quote}{complete}{names.final_quote}", "NAME")
        assert "UNION" not in sql, f"{dialect.name}: {sql}"
        assert not set('`]"') & set(sql), f"{dialect.name}: {sql}"
        assert "hunter2" not in sql
        assert sum("hunter2" in str(value) for value in values.values()) == 3


@pytest.fixture
def file(tmp_path: Path) -> Sqlite:
    with sqlite3.connect(tmp_path / "some.db") as created:
        created.execute("CREATE TABLE loose (n, said TEXT)")
        created.executemany(
            "INSERT INTO loose VALUES (?, ?)", [(5, "5"), (10, "10"), (200, "200"), ("text", None)]
        )
        created.execute(
            "CREATE VIEW sums AS SELECT sum(n) AS total FROM loose WHERE typeof(n) = 'integer' GROUP BY n"
        )
    created.close()
    return Sqlite(str(tmp_path / "some.db"))


def test_a_file_says_which_column_it_lacks_whatever_signs_the_name_has(file: Sqlite) -> None:
    for page in (Page("", "loose", [("No Such", False)]), Page("", "loose", columns=["No Such"])):
        with pytest.raises(BadInput, match="no column 'No Such'"):
            file.page(page)


@pytest.mark.parametrize(
    ("table", "column", "op", "value", "expected"),
    [
        ("sums", "total", "gt", "9", [10, 200]),
        ("sums", "total", "eq", "10", [10]),
        ("sums", "total", "in", ["5", "200"], [5, 200]),
        ("loose", "n", "lt", "50", [5, 10]),
        ("loose", "n", "eq", "text", ["text"]),
        ("loose", "said", "eq", "5", [5]),
    ],
)
def test_numbers_of_columns_without_a_type_are_compared_as_numbers(
    file: Sqlite, table: str, column: str, op: Any, value: Any, expected: list[Any]
) -> None:
    sort = "total" if table == "sums" else "n"
    page = Page("", table, [(sort, False)], filters=[Filter(column=column, op=op, value=value)])
    assert [row[0] for row in file.page(page)[1]] == expected
