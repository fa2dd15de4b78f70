"""How far back a talk is read: its 30 last requests, the newest one among them."""

from pathlib import Path

import pandas as pd
import pytest

from tests.analyst.desk import Desk

FIRST = "average price by town"
BETWEEN = "hello"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path, rents=pd.DataFrame({"town": ["Ube", "Ube", "Oita"], "price": [10, 20, 60]}))


@pytest.mark.parametrize("follow_up", ["as a bar chart", "棒グラフにして"])
def test_the_first_of_30_requests_is_still_known(desk: Desk, follow_up: str) -> None:
    seen = desk.ask(FIRST, *[BETWEEN] * 28, follow_up)
    assert '.groupby("town")["price"].mean()' in seen.code
    assert seen.axes


@pytest.mark.parametrize("follow_up", ["as a bar chart", "棒グラフにして"])
def test_the_first_of_31_requests_is_forgotten_and_no_other_is_made_up(desk: Desk, follow_up: str) -> None:
    seen = desk.ask(FIRST, *[BETWEEN] * 29, follow_up)
    assert "groupby" not in seen.code
    assert not seen.axes


def test_a_talk_that_goes_on_keeps_what_each_request_carried_over(desk: Desk) -> None:
    """It is forgotten where the chain begins: 30 follow-ups later the first question is out of sight."""
    chain = [word for _ in range(15) for word in ("median instead", "mean instead")]
    assert '.groupby("town")["price"]' in desk.ask(FIRST, *chain[:29]).code
    assert '.groupby("town")["price"]' not in desk.ask(FIRST, *chain[:30]).code
