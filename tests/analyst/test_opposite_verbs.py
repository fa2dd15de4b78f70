"""The verb that says the no of a yes/no column, and verbs that no cell says."""

import pytest

from tests.analyst.small_tables import SmallDesk

FISH = """Catch No,Species,Weight (kg),Released
1,pike,2,yes
2,perch,4,yes
3,pike,9,no
4,carp,5,no
5,carp,1,no
"""


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("fish"), catches=FISH)


@pytest.mark.parametrize(
    "request_",
    ["compare average weight of released and kept fish", "average weight of kept vs released fish"],
)
def test_both_sides_are_told(desk: SmallDesk, request_: str) -> None:
    told = desk.ask(request_).text
    assert "- no: 5" in told and "- yes: 3" in told


def test_the_no_alone(desk: SmallDesk) -> None:
    assert desk.ask("how many fish were kept").first == "3 rows in catches (Released = no)."
    assert "(Released = no): 5" in desk.ask("average weight of kept fish").first
    assert desk.ask("how many fish were not kept").first == "2 rows in catches (Released = yes)."


@pytest.mark.parametrize(
    "request_", ["compare released and eaten fish by weight", "average weight of eaten fish"]
)
def test_a_verb_of_no_cell_is_named(desk: SmallDesk, request_: str) -> None:
    assert "'eaten'" in desk.ask(request_).first


def test_counts_of_both_sides(desk: SmallDesk) -> None:
    told = desk.ask("how many released and kept catches").text
    assert "- no: 3" in told and "- yes: 2" in told
