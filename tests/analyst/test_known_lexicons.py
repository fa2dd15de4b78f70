"""A lexicon is used again for an equal catalogue, and never brings another chat's values along."""

from dataclasses import replace
from types import ModuleType

import pytest

from smoldesk.analyst.intents import DataIntent, Refusal
from smoldesk.analyst.japanese import okurigana, spoken_columns
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.tables.catalogue import Catalogue, ColumnInfo, TableInfo
from smoldesk.analyst.tables.known_lexicons import MOST, lexicon_of
from smoldesk.analyst.tables.lexicon import Lexicon
from smoldesk.analyst.tables.value_index import IndexedColumn, ValueIndex


def catalogue(name: str, *customers: str) -> Catalogue:
    index = ValueIndex([IndexedColumn("Customer", customers, [1] * len(customers))])
    columns = [ColumnInfo("Customer", "text"), ColumnInfo("Amount", "number")]
    table = TableInfo(name, columns, 90, "pd.read_csv('t.csv')", "t.csv", index=lambda: index)
    return Catalogue([table], {}, {}, [], "1F")


def test_equal_catalogues_share_their_terms() -> None:
    first, second = lexicon_of(catalogue("shared", "Yui")), lexicon_of(catalogue("shared", "Yui"))
    assert first.terms is second.terms
    assert lexicon_of(catalogue("other", "Yui")).terms is not first.terms


def test_two_chats_whose_tables_look_alike_know_their_own_names_only() -> None:
    """Same file name, same columns, as many rows: only what is in the cells differs."""
    one, other = catalogue("alike", "Yui Tanaka"), catalogue("alike", "Bob Lopez")
    assert one == other
    for known, own, foreign in ((one, "Yui Tanaka", "Bob Lopez"), (other, "Bob Lopez", "Yui Tanaka")):
        lexicon = lexicon_of(known)
        intent = read_talk([f"average amount of {own}"], lexicon).intent
        assert isinstance(intent, DataIntent)
        assert intent.filters[0].values == (own,)
        declined = read_talk([f"average amount of {foreign}"], lexicon).intent
        assert isinstance(declined, Refusal)


def test_a_lexicon_without_values_asks_for_none() -> None:
    known = catalogue("bare", "Yui Tanaka")
    plain = replace(known, tables=[replace(known.tables[0], index=None)])
    assert lexicon_of(known).indexes()
    assert lexicon_of(plain).indexes() == []


def test_what_is_known_has_a_bound() -> None:
    first = lexicon_of(catalogue("first", "Yui"))
    for number in range(MOST):
        lexicon_of(catalogue(f"table {number}", "Yui"))
    assert lexicon_of(catalogue("first", "Yui")).terms is not first.terms


@pytest.mark.parametrize(("room", "made_from_terms"), [(spoken_columns, "_names"), (okurigana, "_by_kanji")])
def test_what_is_made_from_all_terms_is_made_once_for_many_runs(
    room: ModuleType, made_from_terms: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table may bring a hundred thousand terms: going through them for each request would take a second."""
    made = getattr(room, made_from_terms)
    times: list[Lexicon] = []

    def counted(lexicon: Lexicon) -> object:
        times.append(lexicon)
        return made(lexicon)

    monkeypatch.setattr(room, made_from_terms, counted)
    for _ in range(3):
        read_talk(["店舗別の売上合計を教えて"], lexicon_of(catalogue(f"once {made_from_terms}", "Yui")))
    assert len(times) == 1
