"""Verbs and the like that tie a condition to its rows: harmless beside what they tie, else a condition nobody understood.

`tickets handled by Aiko` are Aiko's tickets; `how many tickets were handled` asks for a condition the table may not hold.
"""

import re

from smoldesk.analyst.meanings import Cue, TableRef
from smoldesk.analyst.reading.resolve import Item, row_nouns_of
from smoldesk.analyst.tables.catalogue import TableInfo
from smoldesk.analyst.tables.column_names import graded_concepts
from smoldesk.analyst.tables.domains import domain_nouns
from smoldesk.analyst.tables.row_families import family_nouns
from smoldesk.analyst.words.glossary import words_of
from smoldesk.analyst.words.text import inflections, key


def untied(items: list[Item], table: TableInfo) -> list[str]:
    """The tying words with nothing to tie, as they were said."""
    return [
        item.mention.text
        for index, item in enumerate(items)
        if not item.mention.all(TableRef)
        and not (item.mention.text.isascii() and Cue("deed", table.name) in item.mention.all(Cue))
        and (
            (
                item.is_cue("light")
                and not item.rows
                and not _is_own(item, table)
                and not _ties(items, index)
                and not _ends(items, index)
            )
            or (item.is_cue("pad") and not _pads(items, index, table))
            or (item.is_cue("deed") and not _is_done(item, table))
            or (
                item.is_cue("verb")
                and not item.rows
                and not _is_theirs(item, items, table)
                and not _ties(items, index)
                and not _ends(items, index)
            )
        )
    ]


_PEOPLE = frozenset(
    ("age", "age group", "sex", "name", "salary", "income", "customer", "rider", "satisfaction", "passengers", "visitors",
     "party size", "patron type", "diagnosis", "doctor", "job title", "hire date", "contract type", "education", "team",
     "player", "smoker", "class", "survived", "manager", "headcount", "users", "membership", "department", "subject")
)  # fmt: skip
PERSONS = frozenset(
    ("person", "people", "employee", "worker", "staff", "patient", "passenger", "student", "pupil", "customer", "client",
     "member", "user", "player", "respondent", "applicant", "driver", "visitor", "guest", "donor", "社員", "患者", "乗客",
     "生徒", "会員", "顧客", "回答者", "利用者")
)  # fmt: skip


def not_people(items: list[Item], table: TableInfo) -> list[str]:
    """Words that count people where the rows of a table are not about people."""
    said = [
        item.mention.text
        for item in items
        if item.is_cue("people") or (item.rows and key(item.mention.text) in _SAID)
    ]
    about = {
        concept
        for column in table.columns
        for concept, sure in graded_concepts(column.name).items()
        if sure > 0.6
    }
    if any(item.is_column and item.column and _OF_PEOPLE.search(item.column.name) for item in items):
        return []  # 負傷者は何人
    nouns = row_nouns_of([], table) | domain_nouns(table) | family_nouns(table)
    persons = row_nouns_of([], table) & PERSONS or any(_CALLED_PERSON.search(noun) for noun in nouns)
    return [] if not said or about & _PEOPLE or persons else said


_CALLED_PERSON = re.compile(
    "(?:客|お客さん|お客様|会員|患者|利用者|来店者|受講者|参加者|来場者|献血者|申込者|応募者|受験者|受験生|受講生|回答者|来館者|見学者|宿泊者|選手|ランナー)$"
)
"""What rows are called where each is somebody: 客 of a salon's visits."""
_OF_PEOPLE = re.compile("[者人客員]数|[(（]人[)）]")
_SAID = ("people", "person", "persons", "ppl", "人々", "人たち")


def _ties(items: list[Item], index: int) -> bool:
    """True beside a cell value, a column, a date, a number or a word that groups or compares."""
    near = [items[at] for at in (index - 1, index + 1) if 0 <= at < len(items)]
    if index > 1 and items[index - 1].unit:  # 400mL採血した
        near.append(items[index - 2])
    if index > 1 and items[index - 1].rows and not items[index - 1].mention.text.isascii():
        near.append(items[index - 2])  # 4年の人が借りた
    return any(
        one.column
        or one.when
        or one.number is not None
        or one.mention.text == "いつ"  # which asks for the day of it
        or one.is_cue("cmp", "range", "vs", "per", "which", "top", "sort", "idiom", "high", "low", "more")
        for one in near
    )


def _pads(items: list[Item], index: int, table: TableInfo) -> bool:
    """`money pledged`, `donor name`: right beside the column that it says no more about."""
    if not any(one.kind == "pad" and one.value in ("", table.name) for one in items[index].mention.all(Cue)):
        return False
    near = [items[at] for at in (index - 1, index + 1) if 0 <= at < len(items)]
    here = items[index].mention
    return any(
        one.column is not None
        and min(abs(one.mention.start - here.end), abs(here.start - one.mention.end)) <= 1
        for one in near
    )


def _is_own(item: Item, table: TableInfo) -> bool:
    """True for a Japanese verb of what the table is about: 回答した, of answers."""
    return Cue("deed", table.name) in item.mention.all(Cue) and not item.mention.text.isascii()


def _is_done(item: Item, table: TableInfo) -> bool:
    """True when that is what is done with rows of what this table is about: films are released."""
    return any(cue == Cue("deed", table.name) for cue in item.mention.all(Cue)) or item.is_cue(
        "verb", "light"
    )


def _ends(items: list[Item], index: int) -> bool:
    """何個運んだの: a Japanese verb after the counter only closes a question that says which rows are meant."""
    asked = items[index - 1].mention.text if index else ""
    said = any(one.column or one.rows or one.when for one in items[:index])
    last = all(one.is_cue("or") for one in items[index + 1 :])  # 売れましたか
    if (
        last
        and said
        and items[index].mention.text[-1:] in "たるうかす"
        and not items[index].mention.text.isascii()
    ):
        return asked.startswith("何") or any(one.cue("agg") for one in items[:index])  # 合計いくら払った
    return last and asked.startswith("何") and said


def _is_theirs(item: Item, items: list[Item], table: TableInfo) -> bool:
    """True when the table's rows are of the verb's kind: orders are placed, rides are ridden."""
    nouns = {form for noun in words_of(item.cue("verb") or "") for form in inflections(noun)}
    return bool(nouns & row_nouns_of(items, table))
