"""Columns of everyday tables by trade, asked for in the other language."""

import pytest

from smoldesk.analyst.intents import DataIntent, Refusal
from smoldesk.analyst.words.glossary import ADDITIVE, COLUMNS
from tests.analyst.test_unseen_tables import intent

VOTES = "ward,voters,votes,invalid_votes,turnout (%)\nKita,4000,2100,30,52.5\nMinami,3000,1800,12,60.0\nNishi,2500,900,8,36.0\n"
FILMS = "show_date,title,tickets_sold,subtitled\n2024-05-01,Reef,40,yes\n2024-05-02,Sky,25,no\n2024-05-03,Reef,31,no\n"
CROPS = "圃場,作物,収穫量(kg),糖度\n北,いちご,40.5,12.1\n南,いちご,31,11.2\n北,メロン,80,14.8\n"


@pytest.mark.parametrize(
    ("table", "question", "measures", "figure", "groups"),
    [
        (VOTES, "区ごとの無効票の合計", ("invalid_votes",), "sum", ("ward",)),
        (VOTES, "投票率の平均は", ("turnout (%)",), "mean", ()),
        (FILMS, "作品別のチケットの合計", ("tickets_sold",), "sum", ("title",)),
        (CROPS, "total harvest by crop", ("収穫量(kg)",), "sum", ("作物",)),
        (CROPS, "average sugar content per field", ("糖度",), "mean", ("圃場",)),
    ],
)
def test_a_column_answers_to_the_words_of_its_trade_in_both_languages(
    table: str, question: str, measures: tuple[str, ...], figure: str, groups: tuple[str, ...]
) -> None:
    read = intent(table, question)
    assert isinstance(read, DataIntent), read
    assert (read.measures, read.aggregates, read.groups) == (measures, (figure,), groups)


def test_what_another_trade_speaks_of_is_declined() -> None:
    assert isinstance(intent(VOTES, "血液型ごとの人数"), Refusal)
    assert isinstance(intent(CROPS, "average turnout"), Refusal)


def test_each_concept_has_one_list_of_its_own() -> None:
    trades = {"votes", "meals", "harvest", "turnout", "blood type", "venue"}
    names = [words[0] for words in COLUMNS if words[0] in trades]
    assert sorted(names) == sorted(trades)
    assert {"votes", "meals", "harvest"} <= ADDITIVE
