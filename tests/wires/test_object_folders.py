"""Folders of the operator in a bucket: tables of every chat, of which code in the jail reads ranges through the desk."""

import io
from collections.abc import Iterator

import httpx
import pandas as pd
import pytest

from tests.support.bucket import Bucket, a_bucket
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.scripted_model import Scripts, code
from tests.support.ws_client import WsClient

SALES = "region,units\nnorth,3\nsouth,5\n"


def put(bucket: Bucket, name: str, content: bytes) -> None:
    httpx.put(f"{bucket.address}/{bucket.name}/below/{name}", content=content).raise_for_status()


def parquet(**columns: object) -> bytes:
    file = io.BytesIO()
    pd.DataFrame(columns).to_parquet(file, row_group_size=100_000)
    return file.getvalue()


@pytest.fixture(scope="module")
def bucket() -> Iterator[Bucket]:
    with a_bucket() as bucket:
        put(bucket, "sales.csv", SALES.encode())
        put(bucket, "notes.txt", b"no table")
        put(bucket, "degrees.parquet", parquet(room=["Kitchen", "Toilet"], degrees=[21.5, 19.0]))
        yield bucket


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory, bucket: Bucket, scripts: Scripts) -> Iterator[LiveDesk]:
    data = tmp_path_factory.mktemp("desk")
    with live_desk(data, lambda: scripts.model, max_steps=4, data_folders=[bucket.url]) as live:
        yield live


def answer(desk: LiveDesk, scripts: Scripts, *cells: str) -> str:
    scripts.set(*map(code, cells))
    with WsClient(desk.ws_url).greeted() as client:
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
    len(pd.read_csv(url + "/sales.csv")),
    len(pd.read_parquet(url + "/degrees.parquet")),
    pq.read_table(url + "/degrees.parquet", columns=["room"]).shape,
    ds.dataset(url + "/degrees.parquet").count_rows(),
    duckdb.sql(f"SELECT count(*) FROM '{{url}}/*.csv'").fetchall(),
    fsspec.open(url + "/notes.txt").open().read(),
]))
"""
    assert answer(desk, scripts, cell) == "[16.0, 21.5, 16.0, 21.5, 2, 2, (2, 1), 2, [(2,)], b'no table']"
    prompt = str(scripts.model.seen[0])
    assert f"{bucket.url}/sales.csv" in prompt


def test_the_analyst_answers_over_a_csv_and_a_parquet(tmp_path, bucket: Bucket) -> None:
    with (
        live_desk(tmp_path / "data", data_folders=[bucket.url]) as analyst,
        WsClient(analyst.ws_url).greeted() as client,
    ):
        assert "8" in client.ask("Total units in sales")[-1]["content"]["text"]
        assert "21.5" in client.ask("Maximum degrees in degrees")[-1]["content"]["text"]
