"""`python -m bench.table_work PORT FILE ROWS SECONDS`: people who upload a table, query it and turn pages, all at once.

It prints a line when each has been done once, then, at the end, how often each was. It stands for other machines, so it
gives way to the server.
"""

import asyncio
import json
import os
import random
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx

from bench.echo import open_socket, until

PATIENCE = 120.0
MAKE = """
import numpy, pandas
chance = numpy.random.default_rng(1)
pandas.DataFrame({{"id": numpy.arange({rows}), "amount": chance.integers(0, 1000, {rows}), "price": chance.random({rows})}})
"""
QUERY = "sql_engine(query='SELECT shop, COUNT(*) AS n, SUM(amount) AS total FROM {table} GROUP BY shop')"
Work = Callable[[], Awaitable[None]]


class Person:
    """A chat, over HTTP and its socket."""

    def __init__(self, http: httpx.AsyncClient, socket: Any, chat_id: str) -> None:
        self.http, self.socket, self.chat_id = http, socket, chat_id

    async def upload(self, file: Path, name: str) -> None:
        with file.open("rb") as content:
            sent = await self.http.post(f"/api/chats/{self.chat_id}/files", files={"file": (name, content)})
        if not sent.json()["tables"][0]["rows"]:
            raise RuntimeError(sent.text)

    async def run(self, code: str) -> dict[str, Any]:
        """The table that some code shows."""
        await self.socket.send(json.dumps({"type": "run_code", "code": code}))
        table = await until(self.socket, "table")
        while (await until(self.socket, "run"))["content"]["state"] not in ("finished", "failed"):
            pass
        return table["content"]

    async def page(self, table_id: str, view: dict[str, Any]) -> None:
        got = await self.http.post(f"/api/chats/{self.chat_id}/tables/{table_id}/rows", json=view)
        if not got.json()["rows"]:
            raise RuntimeError(got.text)


async def work(port: int, file: Path, rows: int, seconds: float) -> None:
    """All three until the time is over; each is done once beforehand."""
    chance = random.Random(1)
    address = f"http://127.0.0.1:{port}"
    async with httpx.AsyncClient(base_url=address, timeout=PATIENCE) as http, AsyncExitStack() as sockets:
        ids = [(await http.post("/api/chats")).json()["id"] for _ in range(2)]
        person, other = [
            Person(http, await sockets.enter_async_context(open_socket(port, one)), one) for one in ids
        ]
        table_id = (await person.run(MAKE.format(rows=rows)))["tableId"]
        await person.upload(file, "sales.csv")

        async def upload() -> None:
            await other.upload(file, "t.csv")

        async def query() -> None:
            await person.run(QUERY.format(table="sales"))

        async def page() -> None:
            sort = [{"column": "price", "descending": chance.random() < 0.5}]
            filters = [{"column": "amount", "op": "ge", "value": chance.randrange(900)}]
            await person.page(table_id, {"offset": 0, "limit": 100, "sort": sort, "filters": filters})
            await asyncio.sleep(0.5)  # somebody looks at it

        kinds: dict[str, Work] = {"uploads": upload, "queries": query, "pages": page}
        for kind in kinds.values():
            await kind()
        print("begun", flush=True)
        end = time.perf_counter() + seconds
        counts = await asyncio.gather(*(repeated(kind, end) for kind in kinds.values()))
        print(json.dumps(dict(zip(kinds, counts, strict=True))))


async def repeated(item: Work, end: float) -> int:
    """How often it was done."""
    count = 0
    while time.perf_counter() < end:
        await item()
        count += 1
    return count


if __name__ == "__main__":
    os.nice(10)
    given = sys.argv[1:]
    asyncio.run(work(int(given[0]), Path(given[1]), int(given[2]), float(given[3])))
