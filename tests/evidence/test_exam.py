"""The exam of evidence on planted runs: true figures linked to their place, false and random ones not sealed."""

import pytest

from tests.evidence.exam import Score, examined


def check(score: Score) -> None:
    assert score.linked >= 0.99 * score.true, score.places
    assert score.marked <= 0.01 * score.true, score.places
    assert score.false_sealed <= 0.005 * score.false, score.places
    assert score.random_sealed <= 0.01 * score.random, score.places


def test_planted_figures_are_linked_and_false_ones_are_not_sealed() -> None:
    check(examined(35))


@pytest.mark.slow
def test_so_are_those_of_a_thousand_runs() -> None:
    check(examined(1_000, seed=10_000))
