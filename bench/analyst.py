"""The built-in analyst: from a request to its code, how building the index of values grows, the echo beside an upload.

The peer of a request is one pandas groupby on the table that it is about. The echo of messages, while a million rows are
uploaded, read and indexed, is compared with the same echo in the same run while nothing else goes on.
"""

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

from bench.echo import echo_once, open_socket
from bench.processes import served
from bench.report import (
    CannotMeasure,
    Section,
    median,
    ms,
    of_shares,
    of_times,
    shares,
    spread,
)

REQUEST_GOAL = 2.0
GROWTH_GOAL = 2.5
"""Linear is 2; the rest is room for noise."""
REQUESTS = (
    "average amount by region",
    "total amount of Blue Lagoon Ltd",
    "top 5 customers by amount",
    "average amount of Blue Lagon Ltd in the north",
    "how much did Nakamura buy",
    "地域ごとの平均金額",
    "渋谷店の金額の合計",
    "金額が高い順に5件",
)
TEXTS = ("Customer", "Product", "店舗名", "City", "Contact")
"""Columns of many names; a region and numbers fill the table up to 30 columns."""
INDEX = """
import os, time
import pandas as pd
from smoldesk.tables.inside.values import keep_values
rows = {rows}
frame = pd.DataFrame({{
    "order": ["order " + str(n) for n in range(rows)],
    "customer": ["customer " + str(n * 7919 % (rows // 10)) for n in range(rows)],
    "city": ["city " + str(n % 200) for n in range(rows)],
}})
open("t.csv", "w").close()
kinds = ["text"] * len(frame.columns)
taken = []
for _ in range({repeats}):
    began = time.process_time()
    assert keep_values("t.csv", [(frame, kinds)])
    taken.append(time.process_time() - began)
sorted(taken)[len(taken) // 2]
"""
UPLOAD = """
import sys, httpx
port, name = sys.argv[1:]
desk = f"http://127.0.0.1:{port}"
chat = httpx.post(f"{desk}/api/chats").json()["id"]
with open(name, "rb") as file:
    sent = httpx.post(f"{desk}/api/chats/{chat}/files", files={"file": ("t.csv", file)}, timeout=600)
assert sent.json()["tables"][0]["rows"] > 0, sent.text
"""


def measure(
    rows: int = 100_000,
    names: int = 20_000,
    repeats: int = 15,
    grown: tuple[int, ...] = (125_000, 250_000, 500_000),
    uploaded: int = 1_000_000,
    echoes: int = 300,
) -> Section:
    """All three; `names` are the different names in each of five columns."""
    section = Section(
        "the built-in analyst",
        method=[
            f"request to code: a model built for the chat as for every run, {rows} rows x 30 columns, {len(TEXTS)} of them",
            f"with {names} names; in turns with groupby(...).mean() of one column of the same table, {repeats} times each",
            "index: the values of three columns of text (all different, a tenth of it, 200), kept by a jailed child; its",
            "processor time. echo: messages one after the other, then the same while another process uploads a table.",
        ],
    )
    with tempfile.TemporaryDirectory(prefix="smoldesk-bench-") as folder:
        requests(section, Path(folder), rows, names, repeats)
        growth(section, Path(folder), grown)
        beside_upload(section, Path(folder), uploaded, echoes)
    return section


# --- request to code ---------------------------------------------------------------------------------------------


def requests(section: Section, folder: Path, rows: int, names: int, repeats: int) -> None:
    from smolagents.models import ChatMessage, MessageRole

    from smoldesk.analyst.model import BuiltinModel

    frame = orders(rows, names)
    first, catalogue, locked = known(folder, frame)
    section.figures.append((f"first use of {locked} values, once for a file", ms(first)))
    ours: dict[str, list[float]] = {text: [] for text in REQUESTS}
    peer: list[float] = []
    for number in range(repeats + 1):
        for text in REQUESTS:
            message = ChatMessage(MessageRole.USER, content=f"New task:\n{text}")
            took = timed(lambda requested=message: BuiltinModel(catalogue).generate([requested]))
            grouped = timed(lambda: frame.groupby("Region")["Amount"].mean())
            if number:  # the first of each warms caches
                ours[text].append(took)
                peer.append(grouped)
    section.figures.append(("groupby", spread(peer)))
    for text, our in ours.items():
        section.figures.append((text, spread(our)))
        section.ratios.append(
            of_times(f"request to groupby: {text}", median(our), median(peer), REQUEST_GOAL)
        )


def orders(rows: int, names: int) -> Any:
    """A table of orders, 30 columns, with names nobody has in five of them."""
    import numpy as np
    import pandas as pd

    random = np.random.default_rng(7)
    columns: dict[str, Any] = {"Region": random.choice(["North", "South", "East", "West"], rows)}
    for place, column in enumerate(TEXTS):
        created = [f"{column[:2]}{word(number + place)} {word(number * 7 + 1)}" for number in range(names)]
        created[0] = "Blue Lagoon Ltd" if column == "Customer" else created[0]
        created[-1] = "渋谷店" if column == "店舗名" else created[-1]
        columns[column] = np.resize(np.array(created, dtype=object), rows)
    columns["Amount"] = random.random(rows)
    while len(columns) < 30:
        columns[f"reading {len(columns)}"] = random.random(rows)
    return pd.DataFrame(columns)


def word(number: int) -> str:
    """A word that looks like a name: 4711 is `tanamika`, or so."""
    parts = ("ta", "na", "mi", "ka", "ro", "be", "lu", "so", "shi", "den", "gor", "vel")
    text = ""
    for _ in range(4):
        number, place = divmod(number, len(parts))
        text += parts[place]
    return text


def known(folder: Path, frame: Any) -> tuple[float, Any, int]:
    """Seconds to the first use of the values, what the desk knows of the table, and how many values that are."""
    from functools import partial

    from smoldesk.agents import ChatFiles, desk_catalogue
    from smoldesk.agents.value_indexes import ValueIndexes
    from smoldesk.buildings.building import Building
    from smoldesk.sandbox.children import Children
    from smoldesk.stopping import StopFlag
    from smoldesk.tables import CHILD_PACKAGES
    from smoldesk.tables.table_profiles import AT_ONCE, Profiles
    from smoldesk.tools.datasets import Datasets

    chat = folder / "orders"
    chat.mkdir()
    frame.to_csv(chat / "orders.csv", index=False)
    stop = StopFlag()
    with closing(
        Profiles(Children(packages=CHILD_PACKAGES, preload=[], max_children=AT_ONCE, cell_seconds=600))
    ) as profiles:
        tables = profiles.tables("chat", chat, stop)
    stop.close()
    if not tables:
        raise CannotMeasure("the table could not be read")
    indexes = ValueIndexes()
    first = timed(lambda: indexes.of("chat", chat, tables, 0))
    chat_files = ChatFiles(tables, indexes={tables[0].load: partial(indexes.of, "chat", chat, tables, 0)})
    return first, desk_catalogue(Building.load(), Datasets.bundled(), chat_files), indexes.value_count


def timed(work: Callable[[], object]) -> float:
    started_at = time.perf_counter()
    work()
    return time.perf_counter() - started_at


# --- the index in a child ----------------------------------------------------------------------------------------


def growth(section: Section, folder: Path, grown: tuple[int, ...], repeats: int = 5) -> None:
    from bench.sandbox import chat, children

    used: dict[int, float] = {}
    with children(2) as (created, _):
        for rows in grown:
            executor = chat(created, folder, f"rows{rows}")
            used[rows] = float(executor(INDEX.format(rows=rows, repeats=repeats)).output)
            executor.cleanup()
            section.figures.append((f"index of {rows} rows", ms(used[rows])))
    for one, two in pairwise(grown):
        section.ratios.append(of_times(f"index: {two} rows to {one}", used[two], used[one], GROWTH_GOAL))


# --- the echo beside an upload -----------------------------------------------------------------------------------


def beside_upload(section: Section, folder: Path, uploaded: int, echoes: int) -> None:
    import numpy as np
    import pandas as pd

    file = folder / "upload.csv"
    names = [f"{word(number)} {word(number * 7)}" for number in range(min(uploaded, 300_000))]
    frame = {
        "customer": np.resize(np.array(names, dtype=object), uploaded),
        "amount": np.arange(uploaded) % 997,
    }
    pd.DataFrame(frame).to_csv(file, index=False)
    with served() as port:
        idle, busy, seconds = asyncio.run(_echoes(port, file, echoes))
    for name, delays in (("idle", idle), ("beside an upload", busy)):
        section.figures.append((f"echo {name}", f"{shares(delays)}, {len(delays)} messages"))
    section.figures.append((f"{uploaded} rows uploaded, read and indexed", f"{seconds:.1f} s"))
    section.ratios += of_shares("echo beside an upload to idle,", "", busy, idle)


async def _echoes(port: int, file: Path, count: int) -> tuple[list[float], list[float], float]:
    """Delays alone and while the upload is under way, and how many seconds that took."""
    async with open_socket(port) as person:
        for _ in range(10):  # the first ones find nothing warm
            await echo_once(person)
        idle = [await echo_once(person) for _ in range(count)]
        busy: list[float] = []
        started_at = time.perf_counter()
        upload = await asyncio.create_subprocess_exec(
            sys.executable, "-c", UPLOAD, str(port), str(file), stderr=subprocess.DEVNULL
        )
        ended = asyncio.create_task(upload.wait())
        while not ended.done():
            busy.append(await echo_once(person))
        if await ended:
            raise CannotMeasure("the upload failed")
        return idle, busy, time.perf_counter() - started_at
