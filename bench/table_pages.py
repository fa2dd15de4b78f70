"""Pages of a large stored table, as the grid asks for them: in new orders, under new filters, and far down in either."""

import random
import time
from pathlib import Path
from typing import Any

from bench.report import CannotMeasure, Ratio, Section, mib, ms, percentile
from smoldesk.stopping import StopFlag
from smoldesk.tables.open_table import StoredTable
from smoldesk.tables.open_tables import OpenTables

GOAL_SECONDS = 0.25
PAUSE_SECONDS = 1.0
"""After an order or a filter: somebody looks at what came. In it the order of all rows begins to be looked for."""
LIMIT = 100
COLUMNS = ("id", "day", "shop", "amount", "price")


def pages(section: Section, root: Path, rows: int, times: int) -> None:
    """First pages of `times` orders and filters, then pages anywhere; raises CannotMeasure for a wrong answer."""
    folder, files = root / "looked", root / "files"
    for place in (folder, files):
        place.mkdir()
    path = files / "f_large"
    write(path, rows)
    tables = OpenTables(root / "cache")
    table = StoredTable("f_large", "c_bench", path, folder)
    try:
        section.figures.append(("a stored table", f"{rows:,} rows, {mib(path.stat().st_size)}"))
        section.figures.append(("opened, its first page", ms(ask(tables, table))))
        section.figures.append(("loaded, the first order", ms(ask(tables, table, sort=[by("price")]))))
        chance = random.Random(7)
        results = {
            "sort": [ask(tables, table, PAUSE_SECONDS, sort=order(turn)) for turn in range(times)],
            "filter": [ask(tables, table, PAUSE_SECONDS, filters=narrow(chance)) for _ in range(times)],
            "page": [ask(tables, table, offset=chance.randrange(rows - LIMIT)) for _ in range(2 * times)],
        }
        expected = [by("amount"), by("day")]
        section.figures.append(
            (
                "the order of all rows, when it is asked for",
                ms(ask(tables, table, sort=expected, offset=rows // 2)),
            )
        )
        results["page of an order"] = [
            ask(tables, table, sort=expected, offset=chance.randrange(rows - LIMIT)) for _ in range(2 * times)
        ]
    finally:
        tables.close()
    for name, seconds in results.items():
        slow = percentile(seconds, 0.95)
        section.ratios.append(
            Ratio(f"{name}, {rows:,} rows, p95", ms(slow), ms(GOAL_SECONDS), slow / GOAL_SECONDS, 1)
        )


def ask(tables: OpenTables, table: StoredTable, pause: float = 0.0, **view: Any) -> float:
    """Seconds until a page is there, after a pause."""
    time.sleep(pause)
    stop = StopFlag()
    started_at = time.perf_counter()
    page = tables.page(table, {"offset": 0, "limit": LIMIT, **view}, stop).result()
    seconds = time.perf_counter() - started_at
    stop.close()
    if not page.rows or page.row_count < len(page.rows):
        raise CannotMeasure("a page of a table was empty")
    return seconds


def by(column: str, descending: bool = False) -> dict[str, Any]:
    """An order by one column."""
    return {"column": column, "descending": descending}


def order(turn: int) -> list[dict[str, Any]]:
    """Another order each turn: by one column, then by two."""
    first = by(COLUMNS[turn % len(COLUMNS)], turn % 2 == 0)
    return [first] if turn % 3 else [first, by(COLUMNS[(turn + 2) % len(COLUMNS)])]


def narrow(chance: random.Random) -> list[dict[str, Any]]:
    """Filters that keep much, little or something between."""
    filters: list[dict[str, Any]] = [{"column": "amount", "op": "ge", "value": chance.randrange(990)}]
    if chance.random() < 0.5:
        filters.append({"column": "shop", "op": "in", "value": [f"shop {chance.randrange(50)}"]})
    return filters


def write(path: Path, rows: int) -> None:
    """Sales of fifty shops over some years, as a cell would show them."""
    import numpy
    import pandas

    from smoldesk.sandbox.inside.tables import write_table

    chance = numpy.random.default_rng(1)
    shops = numpy.array([f"shop {number}" for number in range(50)], dtype=object)
    days = numpy.datetime64("2020-01-01") + chance.integers(0, 2000, rows).astype("timedelta64[D]")
    frame = pandas.DataFrame(
        {
            "id": numpy.arange(rows),
            "day": days.astype("datetime64[us]"),
            "shop": pandas.Series(shops[chance.integers(0, 50, rows)], dtype="str"),
            "amount": chance.integers(0, 1000, rows),
            "price": (chance.random(rows) * 100).round(2),
        }
    )
    write_table(frame, path)
