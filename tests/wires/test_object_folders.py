"""Folders of the operator in a bucket: tables of every chat, of which code in the jail reads ranges through the desk."""

import io
from collections.abc import Iterator
from pathlib import Path

import httpx
import obstore
import pandas as pd
import pytest
from obstore.store import from_url

from smoldesk.tables import bucket_folder
from tests.support.bucket import Bucket, a_bucket
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.scripted_model import Scripts, code
from tests.support.ws_client import WsClient

SALES = "region,units\nnorth,3\nsouth,5\n"


def put(bucket: Bucket, name: str, content: bytes) -> None:
    obstore.put(from_url(bucket.url, client_options={"allow_http": True}), name, content)


def parquet(**columns: object) -> bytes:
    file = io.BytesIO()
    pd.DataFrame(columns).to_parquet(file, row_group_size=100_000)
    return file.getvalue()


@pytest.fixture(scope="module")
def bucket() -> Iterator[Bucket]:
    with a_bucket() as bucket:
        put(bucket, "sales.csv", SALES.encode())
        put(bucket, "notes.txt", b"no table")
        put(bucket, "parts/year=2024/a.parquet", parquet(n=[1, 2]))
        put(bucket, "parts/year=2025/a.parquet", parquet(n=[5]))
        put(bucket, "degrees.parquet", parquet(room=["Kitchen", "Toilet"], degrees=[21.5, 19.0]))
        yield bucket


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory, bucket: Bucket, scripts: Scripts) -> Iterator[LiveDesk]:
    data = tmp_path_factory.mktemp("desk")
    with live_desk(data, lambda: scripts.model, max_steps=4, data_folders=[bucket.url]) as live:
        yield live


def answer(desk: LiveDesk, scripts: Scripts, cell: str) -> str:
    with WsClient(desk.ws_url).greeted() as client:
        return answer_in(client, scripts, cell)


def answer_in(client: WsClient, scripts: Scripts, cell: str) -> str:
    scripts.set(code(cell))
    return client.ask("go")[-1]["content"]["text"]


def test_sql_code_and_prompts_of_every_chat_have_the_tables(
    desk: LiveDesk, bucket: Bucket, scripts: Scripts
) -> None:
    joined = "SELECT sum(units) AS n, max(degrees) AS d FROM sales, degrees"
    cell = f"""
import duckdb, fsspec, pandas as pd, pyarrow.parquet as pq, pyarrow.dataset as ds
url = {bucket.url!r}
final_answer(str([
    *map(float, sql_engine({joined!r}).iloc[0]),
    *map(float, sql({joined!r}).iloc[0]),
    *sql_engine(f"SELECT sum(n * year) AS n FROM '{{url}}/parts/**/*.parquet'").iloc[0],
    len(pd.read_csv(url + "/sales.csv")),
    len(pd.read_parquet(url + "/degrees.parquet")),
    pq.read_table(url + "/degrees.parquet", columns=["room"]).shape,
    ds.dataset(url + "/degrees.parquet").count_rows(),
    duckdb.sql(f"SELECT count(*) FROM '{{url}}/*.csv'").fetchall(),
    fsspec.open(url + "/notes.txt").open().read(),
]))
"""
    assert (
        answer(desk, scripts, cell) == "[16.0, 21.5, 16.0, 21.5, 16197, 2, 2, (2, 1), 2, [(2,)], b'no table']"
    )
    prompt = str(scripts.model.seen[0])
    assert f"{bucket.url}/sales.csv" in prompt


def test_the_analyst_answers_over_a_csv_and_a_parquet(tmp_path: Path, bucket: Bucket) -> None:
    with (
        live_desk(tmp_path / "data", data_folders=[bucket.url]) as analyst,
        WsClient(analyst.ws_url).greeted() as client,
    ):
        assert "8" in client.ask("Total units in sales")[-1]["content"]["text"]
        assert "21.5" in client.ask("Maximum degrees in degrees")[-1]["content"]["text"]
        listed = httpx.get(f"{analyst.url}/api/chats/{client.chat_id}/mentions?text=sal").json()["mentions"]
        assert f"{bucket.url}/sales.csv, 29 B" in [mention["detail"] for mention in listed]


ATTACKS = {
    "write": "fsspec.open(url + '/sales.csv', 'wb').open()",
    "append": "fsspec.open(url + '/sales.csv', 'ab').open()",
    "remove": "fsspec.filesystem('s3').rm(url + '/sales.csv')",
    "duckdb copy": "duckdb.connect().execute(f\"COPY (SELECT 1) TO '{url}/copy.csv'\")",
    "other bucket": "duckdb.sql(\"SELECT * FROM 's3://other/sales.csv'\").fetchall()",
    "above": "pd.read_csv(url + '/../secret.csv')",
    "above by duckdb": "print(sql_engine(f\"SELECT * FROM '{url}/../secret.csv'\"))",
    "local file by duckdb": "print(sql_engine(\"SELECT * FROM read_text('/etc/passwd')\"))",
    "tool by its name": "read_object(do='list')",
    "environment": "assert 'AWS' in str(os.environ) + open('/proc/self/environ').read()",
}


def test_code_writes_nothing_there_and_sees_no_credentials_and_no_other_object(
    desk: LiveDesk, bucket: Bucket, scripts: Scripts
) -> None:
    keys = bucket.keys()
    cell = [f"import os, duckdb, fsspec, pandas as pd\nurl, won = {bucket.url!r}, []"]
    for name, attack in ATTACKS.items():
        cell.append(f"try:\n    {attack}\n    won.append({name!r})\nexcept Exception:\n    pass")
    assert answer(desk, scripts, "\n".join([*cell, "final_answer(str(won))"])) == "[]"
    assert bucket.keys() == keys


def test_an_object_that_changes_while_code_reads_it_is_refused_and_then_read_anew(
    desk: LiveDesk, bucket: Bucket, scripts: Scripts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bucket_folder, "UNKNOWN_SECONDS", 0.0)
    put(bucket, "deep/long.csv", b"a,b\n" + b"1,2\n" * 100_000)
    url = f"{bucket.url}/deep/long.csv"
    opened = f"import fsspec\nfile = fsspec.open({url!r}).open()\nfinal_answer(file.read(3).decode())"
    again = "try:\n    file.read()\nexcept OSError as fault:\n    final_answer(str(fault))"
    query = f"SELECT sum(a) AS n FROM '{url}'"
    with WsClient(desk.ws_url).greeted() as client:
        assert answer_in(client, scripts, opened) == "a,b"
        put(bucket, "deep/long.csv", b"a,b\n" + b"3,4\n" * 100_000)
        assert answer_in(client, scripts, again) == (
            f"{url} changed while it was read: run this again to read its new content"
        )
        assert answer_in(client, scripts, f"final_answer(int(sql({query!r})['n'][0]))") == "300000"


@pytest.mark.slow
def test_code_reads_an_iceberg_table_with_its_deleted_rows_left_out(
    desk: LiveDesk, bucket: Bucket, scripts: Scripts
) -> None:
    pytest.importorskip("pyiceberg")
    import pyarrow as pa
    from pyiceberg.catalog.memory import InMemoryCatalog  # pyright: ignore[reportMissingImports]

    access = {"s3.endpoint": bucket.address, "s3.access-key-id": "test", "s3.secret-access-key": "test"}
    catalog = InMemoryCatalog("test", warehouse=f"{bucket.url}/lake", **access, **{"s3.region": "us-east-1"})
    catalog.create_namespace("shop")
    rows = pa.table({"n": range(1000), "kind": ["a", "b"] * 500})
    table = catalog.create_table("shop.orders", schema=rows.schema)
    table.append(rows)
    table.append(rows)
    table.delete("n < 10")
    cell = f"""
from pyiceberg.table import StaticTable
orders = StaticTable.from_metadata({table.metadata_location!r}).scan("n < 20").to_arrow()
final_answer(str(sql("SELECT count(*) AS c, sum(n) AS n FROM orders").iloc[0].tolist()))
"""
    assert answer(desk, scripts, cell) == "[20, 290]"
