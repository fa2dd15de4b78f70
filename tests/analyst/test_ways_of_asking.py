"""Ways in which people ask the same: sayings, harmless words, slang for money, what is not there, who is meant by what."""

import re
from io import StringIO
from typing import Any

import pandas as pd
import pytest

from smoldesk.analyst.intents import DataIntent, Filter, Refusal
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.tables.catalogue import Catalogue
from smoldesk.analyst.tables.lexicon import Lexicon
from tests.analyst.small_tables import SmallDesk, described

TABLES = {
    "rides": """Ride ID,Start time,Bike,Rider type,Minutes,Km,Total fee,Refunded,Station
R1,2024-05-01 07:40,B7,member,12,3.1,£2.50,no,Quay
R2,2024-05-01 09:55,B2,casual,41,9.0,£7.00,no,Park
R3,2024-05-02 10:20,B7,member,18,4.2,£3.00,yes,Quay
R4,2024-05-03 18:05,B9,casual,65,15.4,£11.50,no,
R5,2024-05-04 08:30,B2,member,9,2.0,£2.00,no,Mill
R6,2024-05-04 20:10,B9,casual,33,7.7,£6.00,no,Mill
""",
    "shop": """Ticket no,Sold on,Product,Category,Units,Unit price,Best before,In stock,Minimum stock,Organic,New XL
1,2024-03-01,Rye bread,bread,4,3.5,2024-03-08,12,20,yes,no
2,2024-03-02,Oat milk,dairy,2,2.2,2024-04-01,40,25,no,yes
3,2024-03-02,Rye bread,bread,1,3.5,2024-03-09,8,20,yes,no
4,2024-03-05,Goat cheese,dairy,3,5.9,,15,15,yes,no
5,2024-03-07,Plum jam,kid's lunch,6,4.1,2025-01-31,60,10,no,yes
""",
    "clinic": """Case,Seen at,Owner name,Species,Weight kg,Charge (USD),Paid,Last weighed,SpO2
1,2024-01-03 08:15,Ann,dog,12.5,60,yes,2024-01-03,97
2,2024-01-04 11:40,Ben,cat,,45,no,,95
3,2024-01-04 15:05,Ann,dog,13.0,120,no,2024-01-04,96
4,2024-01-09 09:50,Cho,rabbit,2.1,35,yes,2023-12-20,99
5,2024-01-11 17:30,Dee,cat,4.4,80,yes,,98
""",
    "grants": """Project,Team,Budget,Spent,First lap (s),Last lap (s),Lease ends,Owed,Floor area
Alder,North,1000,1200,61,58,2024-03-01,$0,50
Birch,South,500,400,64,66,2024-08-01,$100,20
Cedar,North,800,950,59,59,2024-02-20,$0,40
Dogwood,East,300,300,70,65,2025-05-01,$50,10
""",
}


def ask(table: str, *talk: str) -> Any:
    catalogue = Catalogue([described("data", pd.read_csv(StringIO(TABLES[table])))], {}, {}, [], "1F")
    return read_talk(list(talk), Lexicon(catalogue)).intent


def told(intent: Any) -> str:
    """An intent in one line: operation or figures, measures, groups, conditions, order and limit."""
    assert isinstance(intent, DataIntent), intent
    what = "+".join(intent.aggregates[: 1 if intent.unnamed else None])
    what = what if intent.operation == "aggregate" else intent.operation
    said = f"{what} {', '.join(intent.measures)}".strip()
    cut = [*intent.groups, *([intent.grain] if intent.grain else [])]
    said += f" by {', '.join(cut)}" if cut else ""
    said += "".join(f" | {_condition(one)}" for one in intent.filters)
    return f"{said} {intent.order}".strip()


def _condition(one: Filter) -> str:
    if one.part == "any":
        return "any blank"
    value = "blank" if one.part == "blank" else ", ".join(f"{each}" for each in one.values)
    return f"{one.column} {one.part + ' ' if one.part in ('month', 'hour') else ''}{one.comparison} {value}"


WAYS = [
    # money that came in, of a column of takings, or price times quantity
    ("rides", "takings per station pls", "sum Total fee by Station"),
    ("rides", "total revenue", "sum Total fee"),
    ("rides", "which station brought in the most money?", "sum Total fee by Station desc"),
    ("rides", "which bike earned us the most cash", "sum Total fee by Bike desc"),
    ("rides", "how much money did we make in may", "sum Total fee | Start time month == 5.0"),
    ("rides", "how much did the casual rides bring in?", "sum Total fee | Rider type == casual"),
    ("clinic", "takings by species", "sum Charge (USD) by Species"),
    ("shop", "total takings", "sum Unit price × Units"),
    ("grants", "which team spent the most money", "sum Spent by Team desc"),
    # a total that is a column's
    ("rides", "whats the avg total for casual riders", "mean Total fee | Rider type == casual"),
    ("rides", "median total by rider type", "median Total fee by Rider type"),
    ("rides", "average fee total", "mean Total fee"),
    # amounts
    ("rides", "rides that cost more than 5 quid", "head | Total fee > 5.0"),
    ("rides", "rides costing between £2 and £5 inclusive", "head | Total fee >= 2.0 | Total fee <= 5.0"),
    ("rides", "how many rides cost 5 to 10 pounds", "count | Total fee >= 5.0 | Total fee <= 10.0"),
    ("rides", "rides under £3", "head | Total fee < 3.0"),
    ("clinic", "cases over $50", "head | Charge (USD) > 50.0"),
    ("clinic", "how many cases cost $45 to $80", "count | Charge (USD) >= 45.0 | Charge (USD) <= 80.0"),
    # times of the day
    ("rides", "how many rides started before 10 in the morning", "count | Start time hour < 10.0"),
    ("rides", "how many rides after 6 in the evening", "count | Start time hour >= 18.0"),
    ("rides", "rides before 9 o'clock", "head | Start time hour < 9.0"),
    # which of them
    ("rides", "which weekday sees the most rides", "count by weekday desc"),
    ("rides", "which station gets the most rides", "count by Station desc"),
    ("rides", "which bike racks up the most km", "sum Km by Bike desc"),
    ("shop", "which category has the most units", "sum Units by Category desc"),
    # what is not there
    ("rides", "how many rides have no station filled in", "missing Station"),
    ("rides", "rides without a station recorded", "head | Station == blank"),
    ("rides", "which rides are missing a station", "head | Station == blank"),
    ("rides", "rides where the station is blank", "head | Station == blank"),
    ("clinic", "whos missing a weight", "head | Weight kg == blank"),
    ("clinic", "which animals have never been weighed", "head | Last weighed == blank"),
    ("clinic", "which cases are missing info", "head | any blank"),
    ("shop", "items with no best before date", "head | Best before == blank"),
    ("grants", "which projects owe money", "distinct Project | Owed > 0.0"),
    # each group's own
    ("rides", "highest km for each bike", "max Km by Bike"),
    ("rides", "lowest total fee per rider type", "min Total fee by Rider type"),
    ("clinic", "highest charge for each species", "max Charge (USD) by Species"),
    # in order
    ("rides", "sort the rides by km from highest to lowest", "top Km desc"),
    ("rides", "rides by km, low to high", "top Km asc"),
    ("rides", "rank the rides by minutes fastest to slowest", "top Minutes asc"),
    ("grants", "spent per team, from highest to lowest", "sum Spent by Team desc"),
    # yes or no
    ("rides", "which rides were refunded", "head | Refunded == yes"),
    ("rides", "list the refunded rides", "head | Refunded == yes"),
    ("rides", "number of rides currently refunded", "count | Refunded == yes"),
    ("shop", "which products are organic", "distinct Product | Organic == yes"),
    ("shop", "the organic products", "distinct Product | Organic == yes"),
    ("shop", "how many tickets were not a xl", "count | New XL == no"),
    ("clinic", "which cases are unpaid", "head | Paid == no"),
    # what stands out
    ("rides", "is there any ride where the km is way out of line with the rest? which one", "outliers Km"),
    ("rides", "any unusual minutes?", "outliers Minutes"),
    ("rides", "are there any odd values in minutes? name them", "outliers Minutes"),
    ("rides", "anything sticking out in km?", "outliers Km"),
    # without, of all
    ("rides", "average minutes if you leave out the casual riders", "mean Minutes | Rider type != casual"),
    ("rides", "average minutes not counting members", "mean Minutes | Rider type != member"),
    ("rides", "avg minutes over all rides", "mean Minutes"),
    ("clinic", "average charge for dogs in the whole register", "mean Charge (USD) | Species == dog"),
    # two columns
    ("shop", "which products are below their minimum stock", "distinct Product | In stock < Minimum stock"),
    ("grants", "projects over budget", "head | Spent > Budget"),
    ("grants", "how many projects went over their budget", "count | Spent > Budget"),
    ("grants", "in how many projects was the last lap slower than the first lap", "count | Last lap (s) > First lap (s)"),
    ("grants", "spent per sq ft by team", "mean Spent ÷ Floor area by Team"),
    # names, numbers of, short and slipped words
    ("clinic", "how many different owners came in", "distinct Owner name"),
    ("clinic", "lowest sats (SpO2) for cats", "min SpO2 | Species == cat"),
    ("clinic", "average charg by species", "mean Charge (USD) by Species"),
    ("shop", "how many kid's lunch tickets", "count | Category == kid's lunch"),
    ("shop", "how many kids lunch tickets", "count | Category == kid's lunch"),
    ("grants", "how many leases end in the first half of 2024", "count | Lease ends >= 2024-01-01 | Lease ends < 2024-07-01"),
]  # fmt: skip


@pytest.mark.parametrize(("table", "question", "meant"), WAYS)
def test_a_way_of_asking_is_read(table: str, question: str, meant: str) -> None:
    assert told(ask(table, question)) == meant


@pytest.mark.parametrize(
    ("talk", "meant"),
    [
        (("total budget by team", "leave out north"), "sum Budget by Team | Team != North"),
        (("total budget by team", "not counting east"), "sum Budget by Team | Team != East"),
        (("total budget by team", "now without North"), "sum Budget by Team | Team != North"),
    ],
)
def test_a_follow_up_leaves_some_out(talk: tuple[str, ...], meant: str) -> None:
    assert told(ask("grants", *talk)) == meant


@pytest.mark.parametrize(
    ("table", "question", "named"),
    [
        ("rides", "average heart rate", "heart rate"),
        ("rides", "what is the average battery level", "battery level"),
        ("clinic", "average stroke count by species", "stroke count"),
        ("rides", "how many rides were booked online", "online"),
        ("clinic", "how many dogs were seen remotely", "remotely"),
        ("clinic", "how many overdue cases", "overdue"),
        ("shop", "how many vegan products", "vegan"),
        ("grants", "takings by team", "takings"),
    ],
)
def test_a_word_that_may_be_a_condition_is_named(table: str, question: str, named: str) -> None:
    intent = ask(table, question)
    assert isinstance(intent, Refusal)
    assert any(named in word for word in intent.words)


def test_total_paid_is_no_id(tmp_path: Any) -> None:
    text = TABLES["rides"].replace("Total fee", "Total paid")
    said = SmallDesk(tmp_path, data=text).ask("three biggest rides by amount paid")
    assert re.search(r"11\.5.*\n?", said.text)
    assert list(said.tables[0]["Ride ID"]) == ["R4", "R2", "R6"]
