"""The built-in analyst over tables of databases: the same questions have the same answers as over files."""

from pathlib import Path
from typing import Any

import httpx
import pandas as pd
from sqlalchemy import create_engine

from smoldesk.tools.datasets import Datasets
from tests.support.desk_server import live_desk
from tests.support.postgres import TestPostgres
from tests.support.ws_client import WsClient

QUESTIONS = (
    "average fare by sex in {}",
    "{}の性別ごとの平均年齢",
)


def text_of(messages: list[Any]) -> str:
    return str(messages[-1]["content"]["text"])


def test_files_and_databases_give_one_answer(postgres: TestPostgres, tmp_path: Path) -> None:
    table = pd.read_csv(Datasets.bundled().path("titanic"))
    table.to_parquet(tmp_path / "passengers.parquet")
    answers = {question: set[str]() for question in QUESTIONS}
    with postgres.database() as url:
        engine = create_engine(url)
        table.to_sql("passengers", engine, index=False)
        engine.dispose()
        with live_desk(tmp_path / "desk", sql_urls={"shop": url}) as live, WsClient(live.ws_url) as client:
            chat = client.hello()
            upload = ("travellers.parquet", (tmp_path / "passengers.parquet").read_bytes())
            sent = httpx.post(f"{live.url}/api/chats/{chat}/files", files={"file": upload}, timeout=30)
            assert sent.is_success
            for place in ("passengers in shop", "travellers", "titanic"):
                for question in QUESTIONS:
                    client.say(question.format(place))
                    messages = client.until_closed()
                    assert ("passengers in shop" in str(messages)) == ("shop" in place)
                    answers[question].add(text_of(messages).replace(place, ""))
            client.say("average fare by sex in passengers in shop")
            client.until_closed()
            client.say("only women")
            assert "passengers in shop" in str(client.until_closed())
    assert all(len(texts) == 1 for texts in answers.values()), answers


def test_a_source_that_replaces_another_of_its_name_is_described_anew(
    postgres: TestPostgres, tmp_path: Path
) -> None:
    with (
        postgres.database("CREATE TABLE items AS SELECT 3 AS price, 'a' AS name") as first,
        postgres.database("CREATE TABLE items AS SELECT 8 AS weight, 'b' AS name") as second,
        live_desk(tmp_path / "desk") as live,
        WsClient(live.ws_url) as client,
    ):
        client.hello()
        for url, question, answer in ((first, "total price", "3"), (second, "total weight", "8")):
            source = {"name": "stock", "url": url}
            assert httpx.post(f"{live.url}/api/sources", json=source, timeout=30).is_success
            client.say(f"{question} in items in stock")
            assert answer in text_of(client.until_closed())
            assert httpx.delete(f"{live.url}/api/sources/stock", timeout=30).is_success


def test_a_table_that_is_too_long_is_refused_with_the_reason(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/lite.db")
    pd.DataFrame({"price": range(10_001)}).to_sql("orders", engine, index=False)
    engine.dispose()
    urls = {"lite": f"sqlite:///{tmp_path}/lite.db"}
    with live_desk(tmp_path / "desk", sql_urls=urls) as live, WsClient(live.ws_url) as client:
        client.hello()
        client.say("average price in orders in lite")
        assert "more than 10,000 rows" in text_of(client.until_closed())
