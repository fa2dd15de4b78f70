"""What is given to try is answered at once, whatever the headers of a table are."""

from dataclasses import replace

import pandas as pd
import pytest

from smoldesk.analyst.catalogue import Catalogue
from smoldesk.analyst.language import Language
from smoldesk.analyst.query import Query
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.replies import examples
from smoldesk.analyst.talk import UserTurn
from tests.analyst.desk import FLOOR_NAMES, ROOMS, table_info, titanic
from tests.exams.case import TABLES

STRANGE = pd.DataFrame(
    {"Level (dB) of by": range(40), "(old) street": ["Mill", "Ash"] * 20, "average": range(40)}
)


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("name", ["b3_noise", "flights", "kenshin", "wide_ja_03", "strange"])
def test_what_is_given_to_try_is_about_the_own_table_and_has_one_answer(
    name: str, language: Language
) -> None:
    frame = STRANGE if name == "strange" else pd.read_csv(TABLES / f"{name}.csv")
    bundled = table_info("titanic", titanic(), "load_dataset('titanic')")
    catalogue = Catalogue([bundled, table_info(name, frame, "load")], ROOMS, FLOOR_NAMES, [], "1F")
    catalogue = replace(catalogue, tools=catalogue.tools | {"ask_person"})
    inputs = examples(catalogue, language)
    assert len(set(inputs)) == 3
    for item in inputs:
        outcome = read_talk([UserTurn(item)], catalogue)
        assert isinstance(outcome.intent, Query) and outcome.intent.table == name, inputs
        assert len(outcome.shown) == 1, inputs


@pytest.mark.parametrize("language", ["en", "ja"])
def test_with_several_own_tables_there_is_a_question_about_each(language: Language) -> None:
    names = ["b3_noise", "flights", "kenshin"]
    tables = [table_info(name, pd.read_csv(TABLES / f"{name}.csv"), "load") for name in names]
    catalogue = Catalogue(tables, ROOMS, FLOOR_NAMES, [], "1F")
    intents = [read_talk([UserTurn(text)], catalogue).intent for text in examples(catalogue, language)]
    assert [intent.table for intent in intents if isinstance(intent, Query)] == names


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_table_of_ids_alone_has_general_questions_each_with_another_answer(language: Language) -> None:
    table = table_info("tickets", pd.DataFrame({"id": range(30)}), "load")
    catalogue = Catalogue([table], ROOMS, FLOOR_NAMES, [], "1F")
    intents = [read_talk([UserTurn(text)], catalogue).intent for text in examples(catalogue, language)]
    queries = [intent for intent in intents if isinstance(intent, Query)]
    assert len(queries) == 3 and all(query not in queries[:at] for at, query in enumerate(queries))


@pytest.mark.parametrize(
    ("language", "on_the_map"),
    [("en", "Show random coordinates on the map"), ("ja", "マップにランダムな座標を表示して")],
)
def test_without_own_tables_the_bundled_ones_and_the_map_are_offered(
    language: Language, on_the_map: str
) -> None:
    bundled = table_info("titanic", titanic(), "load_dataset('titanic')")
    inputs = examples(Catalogue([bundled], ROOMS, FLOOR_NAMES, [], "1F"), language)
    assert len(inputs) == 3 and inputs[2] == on_the_map
