"""SQL over table files: the desk's `sql_engine` against plain DuckDB on the same file, in turns; and a file larger than memory.

The plain side is a process that has DuckDB loaded and a connection open already, of the priority and the threads that a
query of the desk has.
"""

import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from bench.report import CannotMeasure, Ratio, Section, median, mib, ms, of_times
from bench.table_pages import pages
from bench.table_uploads import echoes_beside, profiles_of
from smoldesk.sandbox.limits import MIB
from smoldesk.tables.folder_tables import ChatTables
from smoldesk.tables.inside.duck_reading import THREADS
from smoldesk.tables.results import Rows
from smoldesk.tools.bundled_tables import bundled_tables
from smoldesk.tools.datasets import Datasets

GOAL = 1.5
ALLOWED_SECONDS = 0.06
"""Beside GOAL times plain DuckDB: a process of its own, in a jail, and an answer in frames."""
GROUPED = "SELECT shop, COUNT(*) AS n, SUM(amount) AS total, AVG(price) AS price FROM sales GROUP BY shop ORDER BY shop"
PAUSE_SECONDS = 1.5
"""Between two queries: nobody asks the next one at once, and the next process has started."""
TIMES = 4
MEMORY_GOAL = 1.25
"""Beside what DuckDB counts, the process holds the answer's rows, and what its allocator has not given back."""
PLAIN = """
import duckdb, json, os, sys, time
os.nice(10)
connection = duckdb.connect(config={"threads": sys.argv[1]})
print("ready", flush=True)
for line in sys.stdin:
    began = time.perf_counter()
    rows = connection.execute(json.loads(line)).fetchall()
    print(json.dumps([time.perf_counter() - began, len(rows)]), flush=True)
"""


def measure(
    rows: int = 1_000_000,
    repeats: int = 7,
    large: int = 10_000_000,
    pages_of: int = 20,
    echoes: int = 500,
    seconds: float = 30.0,
    memory: int = 128 * MIB,
) -> Section:
    """A CSV grouped, new to the desk and known to it, and profiled; a Parquet file of several times the memory of a query;
    pages of a table of `large` rows; the echo of messages beside all of this.
    """
    section = Section(
        "SQL over table files",
        method=[
            f"a CSV of {rows:,} rows and 5 columns, one group-by; medians of {repeats}, in turns with plain DuckDB",
            f"plain DuckDB: {THREADS} threads, niceness 10, as a query of the desk has, loaded and connected beforehand",
            "first: the file is new to the desk; again: the same file once more",
            "each query of the desk has a process of its own, started after the query before",
            f"pages: {pages_of} new orders and as many filters of a stored table, a second apart; pages anywhere in them",
            "profile: from a placed upload to all that its card says, by a reading child of its own; in turns with SUMMARIZE",
            f"echo: {echoes} at rest, half before, half after; and for {seconds:.0f} s beside uploads, queries and pages",
            f"of {rows:,} rows, all at once, by a process that stands for other machines (niceness 10)",
            f"ratio: our time less {ALLOWED_SECONDS * 1000:.0f} ms, to plain DuckDB's on the same file",
        ],
    )
    with tempfile.TemporaryDirectory(prefix="smoldesk-bench-") as created:
        root = Path(created)
        root.chmod(0o755)
        folder = root / "chat"
        folder.mkdir()
        (root / "cache").mkdir()
        tables = ChatTables(folder, root / "cache")
        file = folder / "sales.csv"
        written = write_csv(file, rows)
        first: list[float] = []
        again: list[float] = []
        peer: list[float] = []
        with plain() as ask:
            section.figures.append(("the very first query", ms(timed(tables, "SELECT 1"))))
            for turn in range(repeats):
                file = file.rename(folder / f"sales{turn}.csv")  # new to the desk
                query = GROUPED.replace("sales", file.stem)
                time.sleep(PAUSE_SECONDS)
                peer.append(ask(query.replace(file.stem, f"'{file}'")))
                time.sleep(PAUSE_SECONDS)
                first.append(timed(tables, query))
                time.sleep(PAUSE_SECONDS)
                again.append(timed(tables, query))
            profiles_of(section, root / "uploads", file, rows, repeats, ask)
        section.figures.append(("the file", mib(written)))
        for name, ours in (("first", first), ("again", again)):
            section.figures.append(
                (f"{name}, as it was", f"{ms(median(ours))} ({ms(min(ours))} to {ms(max(ours))})")
            )
            over = max(0.0, median(ours) - ALLOWED_SECONDS)
            section.ratios.append(
                of_times(
                    f"group-by of {rows:,} rows of CSV, {name}, less 60 ms: sql_engine to DuckDB",
                    over,
                    median(peer),
                    GOAL,
                )
            )
        larger_than_memory(section, root, memory)
        pages(section, root, large, pages_of)
        echoes_beside(section, root / "uploads" / f"upload{repeats - 1}.csv", rows, echoes, seconds)
    return section


def larger_than_memory(section: Section, root: Path, memory: int) -> None:
    """Groups and sorts a Parquet file of TIMES the `memory` a query is given; raises CannotMeasure for a wrong answer."""
    folder = root / "large"
    folder.mkdir()
    count = write_parquet(folder / "large.parquet", memory * TIMES)
    tables = ChatTables(folder, root / "cache")
    size = (folder / "large.parquet").stat().st_size
    section.figures.append(("a Parquet file", f"{mib(size)}, {count:,} rows; a query has {mib(memory)}"))
    queries = {
        "grouped": "SELECT key, COUNT(*) AS n, MAX(value) AS most FROM large GROUP BY key ORDER BY n DESC, key",
        "sorted": "SELECT key, value FROM large ORDER BY value",
    }
    for name, query in queries.items():
        time.sleep(PAUSE_SECONDS)
        started_at = time.perf_counter()
        with largest_child() as grown:
            answer = tables.query(query, seconds=300, memory=memory)
        section.figures.append((f"{name} within the limit", ms(time.perf_counter() - started_at)))
        if not right(name, answer):
            raise CannotMeasure(f"the large file was not {name} right")
        line = f"a Parquet file of {TIMES} times its memory {name}: growth of the process to the limit"
        section.ratios.append(Ratio(line, mib(grown[0]), mib(memory), grown[0] / memory, MEMORY_GOAL))


@contextmanager
def largest_child() -> Iterator[list[int]]:
    """A list whose one value will be by how many bytes a child of ours had grown, at most, over one that waits."""
    ours = psutil.Process()
    at_rest = min(child for child in map(resident, ours.children(recursive=True)) if child)
    grown = [1]
    over = threading.Event()

    def inspect() -> None:
        while not over.wait(0.01):
            grown[0] = max(
                [grown[0], *(resident(child) - at_rest for child in ours.children(recursive=True))]
            )

    looking = threading.Thread(target=inspect, daemon=True)
    looking.start()
    try:
        yield grown
    finally:
        over.set()
        looking.join()


def resident(process: psutil.Process) -> int:
    """Bytes that a process holds; 0 when it is gone."""
    try:
        return int(process.memory_info().rss)
    except psutil.NoSuchProcess:
        return 0


def right(name: str, answer: Rows) -> bool:
    """Whether an answer, of which the first rows are there, is in its order."""
    column = [row[1] for row in answer.rows]
    order = sorted(column, key=float_of, reverse=name == "grouped")
    return len(answer.rows) == 10_000 and column == order


def float_of(value: object) -> float:
    """A cell that is a number, as one."""
    return float(str(value))


def timed(tables: ChatTables, query: str) -> float:
    """Seconds for a query by way of the desk, bundled tables beside the file as always."""
    started_at = time.perf_counter()
    tables.query(query, bundled_tables(Datasets.bundled()), seconds=60)
    return time.perf_counter() - started_at


@contextmanager
def plain() -> Iterator[Callable[[str], float]]:
    """A process that has DuckDB open; tells how many seconds a query took there."""
    process = subprocess.Popen(
        [sys.executable, "-c", PLAIN, str(THREADS)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None and process.stdout is not None
    inputs, message = process.stdin, process.stdout
    message.readline()

    def ask(query: str) -> float:
        inputs.write(json.dumps(query) + "\n")
        inputs.flush()
        seconds, rows = json.loads(message.readline())
        if rows == 0:
            raise CannotMeasure("plain DuckDB found nothing")
        return float(seconds)

    try:
        yield ask
    finally:
        process.terminate()
        process.wait()
        inputs.close()
        message.close()


def write_csv(path: Path, rows: int) -> int:
    """Sales of fifty shops; its size in bytes."""
    chance = random.Random(1)
    with path.open("w") as file:
        file.write("id,day,shop,amount,price\n")
        for number in range(rows):
            day = f"2024-{number % 12 + 1:02}-{number % 28 + 1:02}"
            price = chance.random() * 100
            file.write(f"{number},{day},shop {chance.randrange(50)},{chance.randrange(1000)},{price:.2f}\n")
    return path.stat().st_size


def write_parquet(path: Path, least: int) -> int:
    """Rows of a key and of noise that no compression makes smaller, until the file has so many bytes; their number."""
    import numpy
    import pyarrow
    from pyarrow import parquet

    chance = numpy.random.default_rng(1)
    rows, batch = 0, 100_000
    noise = ("value", "second", "third")
    schema = pyarrow.schema([("key", pyarrow.int64()), *((name, pyarrow.float64()) for name in noise)])
    with path.open("wb") as file, parquet.ParquetWriter(file, schema) as writer:
        while file.tell() < least:
            columns = [chance.integers(0, 50_000, batch), *(chance.random(batch) for _ in noise)]
            writer.write_table(pyarrow.table(columns, schema=schema))
            rows += batch
    return rows
