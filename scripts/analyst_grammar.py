"""Writes spec/reference/analyst_grammar.md: what the built-in analyst understands, from its own types, words and reader.

    python scripts/analyst_grammar.py            write the page
    python scripts/analyst_grammar.py --check    only say whether the page is as it would be written

Every value of every type in backend/smoldesk/analyst/intents.py gets a row; the examples in
spec/reference/analyst_grammar.toml are read by the analyst itself, and
one that is read otherwise is a fault. The words are those of the analyst's own word lists.
"""

import argparse
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from smoldesk.analyst import intents
from smoldesk.analyst.intents import DataIntent
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.tables.catalogue import Catalogue, ColumnInfo, TableInfo
from smoldesk.analyst.tables.lexicon import Lexicon
from smoldesk.analyst.words.cues import CUES
from smoldesk.analyst.words.text import is_japanese

SPEC = Path(__file__).resolve().parent.parent / "spec" / "reference"
PAGE, EXAMPLES = SPEC / "analyst_grammar.md", SPEC / "analyst_grammar.toml"
MOST_WORDS = 5

ORDERS = TableInfo(
    "orders",
    [
        ColumnInfo("Order ID", "text"),
        ColumnInfo("Ordered at", "date", span=("2024-01-02", "2024-12-30")),
        ColumnInfo("City", "text", ["Oslo", "Rome", "Kyoto"]),
        ColumnInfo("Price (EUR)", "number"),
        ColumnInfo("Quantity", "number"),
        ColumnInfo("Rating", "number"),
        ColumnInfo("Returned", "text", ["yes", "no"]),
    ],
    200,
    "pd.read_csv('orders.csv')",
)
SALES = TableInfo(
    "売上表",
    [
        ColumnInfo("日時", "date", span=("2024-01-02", "2024-12-30")),
        ColumnInfo("店舗", "text", ["札幌", "福岡", "東京"]),
        ColumnInfo("カテゴリ", "text", ["食品", "雑貨"]),
        ColumnInfo("数量", "number"),
        ColumnInfo("売上（円）", "number"),
        ColumnInfo("評価", "number"),
        ColumnInfo("返品", "text", ["あり", "なし"]),
    ],
    200,
    "pd.read_csv('sales.csv')",
)
HEAD = """# The grammar of the built-in analyst

Written by `python scripts/analyst_grammar.py` from the analyst's types and words; a test holds it to them, and reads
every example. [analyst](analyst.md) tells how words are matched with columns and cells, and what is declined.

- The English ones are asked of a table `orders` ({orders}),
- the Japanese ones of a table 売上表 ({sales}).
"""


@dataclass(frozen=True)
class Part:
    """A section of the page: one kind of thing an intent says. `cue` is the kind of its words, if they are of one kind."""

    key: str
    title: str
    values: tuple[str, ...]
    cue: str = ""


PARTS = (
    Part("operation", "What is done", get_args(intents.Operation), "op"),
    Part("aggregates", "Figures", get_args(intents.Aggregate), "agg"),
    Part("grain", "Time", get_args(intents.Grain), "grain"),
    Part("comparison", "Conditions", get_args(intents.Comparison), "cmp"),
    Part(
        "part",
        "Conditions on parts of dates and texts, blanks, two columns, and with or",
        get_args(intents.DatePart),
    ),
    Part("order", "Order", get_args(intents.Order), "top"),
    Part("change", "Change over time", get_args(intents.Change), "change"),
    Part("plot", "Plots", get_args(intents.Plot), "plot"),
    Part(
        "feature",
        "Beside these",
        (
            "save",
            "window",
            "running",
            "wide",
            "trend_line",
            "limit",
            "over_time",
            "target",
            "derived",
            "sort",
            "seed",
        ),
    ),
    Part("follow_up", "Follow-ups", ("groups", "filters", "plot", "aggregates", "measures", "limit")),
)


def main(arguments: list[str] | None = None) -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--check", action="store_true", help="write nothing")
    check = options.parse_args(arguments).check
    faults = list(misread())
    for fault in faults:
        print(fault)
    text = page()
    if check and PAGE.read_text(encoding="utf-8") != text:
        faults.append(f"{PAGE.name} is not what would be written: run python scripts/analyst_grammar.py")
        print(faults[-1])
    if not check:
        PAGE.write_text(text, encoding="utf-8")
    return 1 if faults else 0


def examples() -> dict[str, dict[str, list[Any]]]:
    """Section to value to [English, Japanese], each a request or a list of them."""
    return tomllib.loads(EXAMPLES.read_text(encoding="utf-8"))


def misread() -> Iterator[str]:
    """A sentence for each example that the analyst reads otherwise than the page says, and for each value without one."""
    given = examples()
    lexicons = [Lexicon(Catalogue([table], {}, {}, [], "1F")) for table in (ORDERS, SALES)]
    for part in PARTS:
        wanted = {value for value in part.values if value}
        if wanted != given[part.key].keys():
            yield f"[{part.key}] has {sorted(given[part.key])}, the intents {sorted(wanted)}"
        for value, pair in given[part.key].items():
            for example, lexicon in zip(pair, lexicons, strict=True):
                talk = turns(example)
                intent = read_talk(talk, lexicon).intent
                before = read_talk(talk[:-1], lexicon).intent if len(talk) > 1 else None
                if not isinstance(intent, DataIntent) or not says(part.key, value, intent, before):
                    yield f"[{part.key}] {value}: {' -> '.join(talk)} is read as {intent}"


def says(key: str, value: str, intent: DataIntent, before: object) -> bool:
    """Whether an intent says what its row tells of it."""
    match key:
        case "operation" | "plot" | "grain" | "order" | "change":
            return getattr(intent, key) == value
        case "aggregates":
            return value in intent.aggregates or intent.operation == value
        case "comparison":
            return any(one.comparison == value for one in intent.filters)
        case "part":
            parts = [part for one in intent.filters for part in (one, *one.options)]
            return any(value in (one.part, _span(one)) for one in parts)
        case "feature":
            return bool(getattr(intent, value))
        case _:
            return isinstance(before, DataIntent) and getattr(intent, value) != getattr(before, value)


def _span(one: intents.Filter) -> str:
    """A month of the only year there is is read as its two days."""
    return "month" if one.values and str(one.values[0]).endswith("-01") else ""


def turns(example: str | list[str]) -> list[str]:
    return [example] if isinstance(example, str) else example


def page() -> str:
    """The page's text."""
    columns = [", ".join(one.name for one in table.columns) for table in (ORDERS, SALES)]
    lines = [HEAD.format(orders=columns[0], sales=columns[1])]
    given = examples()
    for part in PARTS:
        worded = any(words(part, value) for value in part.values)
        heads = ["", "English", "Japanese", *(["words"] if worded else [])]
        lines += [f"## {part.title}\n", f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
        for value in filter(None, part.values):
            pair = [" → ".join(f"`{turn}`" for turn in turns(one)) for one in given[part.key][value]]
            cells = [value.replace("_", " "), *pair, *([words(part, value)] if worded else [])]
            lines.append(f"| {' | '.join(cells)} |")
        lines.append("")
    return "\n".join(lines)


def words(part: Part, value: str) -> str:
    """The first words that say it, English ones before Japanese ones."""
    said = [word.strip() for word in CUES.get(f"{part.cue}:{value}", "").split(",")]
    english = [word for word in said if word and not is_japanese(word)]
    japanese = [word for word in said if is_japanese(word)]
    return ", ".join(english[:MOST_WORDS] + japanese[:MOST_WORDS]).replace("|", "\\|")


if __name__ == "__main__":
    sys.exit(main())
