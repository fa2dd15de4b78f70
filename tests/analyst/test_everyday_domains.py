"""Ways people ask about small everyday tables: how much was spent, who it was, what a column counts; and what is declined."""

from io import StringIO

import pandas as pd
import pytest

from smoldesk.analyst.intents import DataIntent, Filter, Refusal
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.tables.catalogue import Catalogue
from smoldesk.analyst.tables.lexicon import Lexicon
from tests.analyst.small_tables import described

TABLES = {
    "concerts": "gig_id,band,venue,gig date,ticket price,attendance,sold out,rating /5\n"
    "1,Moths,Apollo,2024-01-03,12,80,yes,4\n2,Kites,Barfly,2024-01-12,25,640,no,5\n3,Moths,Apollo,2024-02-01,18,510,no,3\n",
    "garden": "bed,crop,sown,harvested,kg harvested,watering days,pests\n"
    "A,bean,2024-03-01,2024-06-01,2.5,12,slugs\nB,carrot,2024-03-04,2024-06-20,4.1,9,none\n"
    "A,bean,2024-04-02,2024-07-01,1.2,20,none\n",
    "meetings": "meeting,organiser,room,start,duration (min),attendees,type,online\n"
    "M1,Sara,Oak,2024-01-03 09:00,30,5,review,TRUE\nM2,Tom,Elm,2024-01-04 11:30,90,12,planning,FALSE\n"
    "M3,Sara,Oak,2024-01-09 14:00,45,8,review,TRUE\n",
    "hikes": "Trail,Date,Region,Distance km,Ascent m,Time (h),Dog came\n"
    "Cat Bells,2024-01-03,Lakes,12.5,450,4.5,yes\nMalham,2024-02-10,Dales,18.0,300,5.5,no\n"
    "Helvellyn,2024-03-12,Lakes,14.0,900,6.0,no\n",
    "ledger": "Ref,Date,Category,Money in,Money out\n1,2023-01-09,Subs,1240,\n2,2023-01-16,Venue,,180\n"
    "3,2023-05-02,Venue,,250\n",
    "sleep": "Date,Bedtime,Hours slept,Quality,Screen time (min),Notes\n2024-01-03,22:30,7.5,8,30,\n"
    "2024-01-04,23:10,5.5,4,90,noisy\n2024-01-05,22:50,8.1,9,20,\n",
    "tutor": "Lesson #,Student,Subject,Lesson date,Length (min),Fee,Paid,Score last test\n"
    "1,Mia,maths,2024-01-03,45,20,yes,70\n2,Leo,French,2024-01-08,60,30,no,82\n3,Mia,maths,2024-02-01,90,45,no,75\n",
    "lost": "ref,found on,where found,item,colour,value,claimed,days kept\nL1,2024-01-03,train,bag,black,20,Y,3\n"
    "L2,2024-01-09,cafe,phone,red,300,N,40\nL3,2024-02-02,train,bag,blue,15,N,61\n",
}


def read(name: str, *questions: str) -> object:
    frame = pd.read_csv(StringIO(TABLES[name]))
    catalogue = Catalogue([described("data", frame)], {}, {}, [], "1F")
    return read_talk(list(questions), Lexicon(catalogue)).intent


def conditions(found: DataIntent) -> list[tuple[str, str, object]]:
    return [(one.column, one.comparison, one.values[0] if one.values else one.part) for one in found.filters]


@pytest.mark.parametrize(
    ("name", "question", "measures", "aggregates", "groups"),
    [
        ("concerts", "what's the average crowd by venue", ("attendance",), ("mean",), ("venue",)),
        ("concerts", "how many people per gig on average", ("attendance",), ("mean",), ()),
        ("garden", "how many kg of beans did i get", ("kg harvested",), ("sum",), ()),
        ("garden", "average kg per bed", ("kg harvested",), ("mean",), ("bed",)),
        ("garden", "which crop gave the most", ("kg harvested",), ("sum",), ("crop",)),
        ("meetings", "average meeting length", ("duration (min)",), ("mean",), ()),
        ("meetings", "avg attendees per meeting type", ("attendees",), ("mean",), ("type",)),
        ("meetings", "how much time did we spend in review meetings", ("duration (min)",), ("sum",), ()),
        ("ledger", "Total income for the year?", ("Money in",), ("sum",), ()),
        ("ledger", "what did we spend on venue", ("Money out",), ("sum",), ()),
        ("sleep", "how many hours do i sleep on average", ("Hours slept",), ("mean",), ()),
        ("sleep", "average sleep on weekends", ("Hours slept",), ("mean",), ()),
        ("tutor", "average fee per lesson", ("Fee",), ("mean",), ()),
        ("tutor", "average lesson length", ("Length (min)",), ("mean",), ()),
        ("tutor", "average score in maths", ("Score last test",), ("mean",), ()),
        ("tutor", "total earnings by student", ("Fee",), ("sum",), ("Student",)),
        ("hikes", "total distance with the dog vs without", ("Distance km",), ("sum",), ("Dog came",)),
        ("lost", "average days kept for claimed vs unclaimed", ("days kept",), ("mean",), ("claimed",)),
        ("lost", "total value of unclaimed items", ("value",), ("sum",), ()),
    ],
)
def test_a_figure_of_what_a_table_is_about(
    name: str, question: str, measures: tuple[str, ...], aggregates: tuple[str, ...], groups: tuple[str, ...]
) -> None:
    found = read(name, question)
    assert isinstance(found, DataIntent), found
    assert found.measures == measures
    assert set(aggregates) <= set(found.aggregates)
    assert found.groups == groups


@pytest.mark.parametrize(
    ("name", "question", "wanted"),
    [
        ("concerts", "how many concerts had over 500 people", [("attendance", ">", 500.0)]),
        ("garden", "crops with no pests", [("pests", "==", "none")]),
        ("sleep", "how many nights have notes", [("Notes", "!=", "blank")]),
        ("sleep", "nights with less than 6 hours", [("Hours slept", "<", 6.0)]),
        ("hikes", "hikes longer than 13 km", [("Distance km", ">", 13.0)]),
        ("meetings", "meetings longer than an hour", [("duration (min)", ">", 60.0)]),
        ("lost", "how many black bags", [("colour", "==", "black"), ("item", "==", "bag")]),
    ],
)
def test_conditions_are_on_the_column_of_their_unit_or_noun(
    name: str, question: str, wanted: list[tuple[str, str, object]]
) -> None:
    found = read(name, question)
    assert isinstance(found, DataIntent), found
    assert conditions(found) == wanted


@pytest.mark.parametrize(
    ("name", "question", "measures", "order"),
    [
        ("hikes", "longest hike", ("Distance km",), "desc"),
        ("meetings", "longest meeting and who ran it", ("duration (min)", "organiser"), "desc"),
        ("garden", "heaviest harvest", ("kg harvested",), "desc"),
        ("sleep", "worst night", ("Quality",), "asc"),
        ("concerts", "cheapest gig and who played", ("ticket price", "band"), "asc"),
    ],
)
def test_rows_at_one_end_of_what_counts_there(
    name: str, question: str, measures: tuple[str, ...], order: str
) -> None:
    found = read(name, question)
    assert isinstance(found, DataIntent), found
    assert (found.operation, found.measures, found.order) == ("top", measures, order)


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("concerts", "how many gigs were postponed"),
        ("concerts", "how many tickets were refunded"),
        ("concerts", "average volume by band"),
        ("garden", "how many beans were eaten by the neighbours"),
        ("meetings", "how many meetings were productive"),
        ("meetings", "how much did the meetings cost"),
        ("hikes", "who won the race"),
        ("ledger", "how much did we invest"),
        ("sleep", "how much did i spend on coffee"),
        ("lost", "which truck driver collected the bags"),
        ("lost", "what brand is the phone"),
        ("tutor", "how many lessons were rescheduled"),
    ],
)
def test_what_the_table_does_not_hold_is_declined(name: str, question: str) -> None:
    assert isinstance(read(name, question), Refusal)


def test_the_word_of_another_domain_is_no_typo() -> None:
    found = read("garden", "which driver was it")
    assert isinstance(found, Refusal) and "driver" in found.words


def test_a_condition_taken_out_again() -> None:
    found = read("lost", "how many bags were found", "take out the claimed ones")
    assert isinstance(found, DataIntent)
    assert Filter("claimed", "==", ("N",)) in found.filters
