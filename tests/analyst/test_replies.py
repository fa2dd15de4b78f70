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
from tests.analyst.desk import table_info
from tests.exams.case import TABLES

STRANGE = pd.DataFrame(
    {"Level (dB) of by": range(40), "(old) street": ["Mill", "Ash"] * 20, "average": range(40)}
)


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("name", ["b3_noise", "flights", "kenshin", "wide_ja_03", "strange"])
def test_what_is_given_to_try_is_answered_at_once(name: str, language: Language) -> None:
    frame = STRANGE if name == "strange" else pd.read_csv(TABLES / f"{name}.csv")
    catalogue = Catalogue([table_info(name, frame, "load")], {}, {}, [], "")
    catalogue = replace(catalogue, tools=catalogue.tools | {"ask_person"})
    inputs = examples(catalogue, language)
    assert len(inputs) == 3 and name in inputs[0]
    of_the_table = [item for item in inputs if name in item]
    assert all(isinstance(read_talk([UserTurn(item)], catalogue).intent, Query) for item in of_the_table), (
        inputs
    )
