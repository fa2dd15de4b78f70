"""Requests that leave out the figure or the column: the likely ones are shown, the best first."""

import pandas as pd

from smoldesk.analyst.outcome import Outcome
from smoldesk.analyst.sentence import sentence_of
from tests.analyst.test_hostile_tables import read

FILMS = pd.DataFrame(
    {
        "name": ["Ann Bell", "Bob Cole", "Cy Dunn", "Ann Bell"],
        "film": ["The Lion in Winter", "Coquette", "Gaslight", "Rebecca"],
        "country": ["Canada", "England", "England", "Canada"],
        "opening_weekend_us": [3.5, 7.25, 1.0, 2.0],
        "bodywt": [60.5, 71.0, 55.5, 64.0],
    }
)


def shown(text: str) -> list[str]:
    outcome: Outcome = read(text, FILMS)[0]
    return [sentence_of(candidate.query, outcome.language) for candidate in outcome.shown]


def test_a_dictionary_word_is_no_misspelling_of_a_cell() -> None:
    assert not any("Winter" in sentence for sentence in shown("how many winners from England"))


def test_two_sides_with_which_are_groups() -> None:
    assert "by country" in shown("average bodywt of Canada and England, which is higher")[0]


def test_a_header_may_end_in_an_abbreviation() -> None:
    assert shown("average body weight") == ["average bodywt"]


def test_the_start_of_a_header_names_its_column() -> None:
    assert "opening_weekend_us" in shown("average opening weekend")[0]
