"""Cases played through real agents and real children, small ones: the judge's verdicts reach from one end to the other."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.exams.case import Case
from tests.exams.judge import judge
from tests.exams.player import Player
from tests.exams.quick import QuickPlayer

CSV = "畑,作物,収穫量kg\n北畑,トマト,120\n南畑,ナス,80\n北畑,ナス,95\n"


@pytest.fixture(scope="module")
def player(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Player]:
    with Player(tmp_path_factory.mktemp("code"), preload=[]) as item:
        yield item


def harvest(expect: dict[str, Any], *turns: str) -> Case:
    return Case("harvest", "ja", "some", list(turns), expect, csv=CSV)


def test_figures_come_back_from_a_real_child(player: Player) -> None:
    requested = harvest({"pairs": {"北畑": 215, "南畑": 80}}, "畑ごとの収穫量の合計は?")
    assert judge(requested, player.play(requested)).verdict == "right"
    other = harvest({"pairs": {"北畑": 1, "南畑": 80}}, "畑ごとの収穫量の合計は?")
    assert judge(other, player.play(other)).verdict == "wrong"


def test_the_quick_player_sees_what_a_person_sees(player: Player) -> None:
    quick = QuickPlayer(player)
    for expect, question in (
        ({"pairs": {"北畑": 215, "南畑": 80}}, "畑ごとの収穫量の合計は?"),
        ({"image": True, "plot": "bar"}, "畑ごとの収穫量の合計を棒グラフで"),
        ({"number": 98.33}, "収穫量の平均は?"),
    ):
        case = harvest(expect, question)
        slow, fast = player.play(case), quick.play(case)
        assert judge(case, slow) == judge(case, fast)
        assert (slow.text, slow.tables, slow.is_unsure) == (fast.text, fast.tables, fast.is_unsure)


def test_a_turn_follows_the_one_before_and_talks_do_not_mix(player: Player) -> None:
    expect = {"file": "csv", "pairs": {"北畑": 215, "南畑": 80}}
    assert (
        judge(harvest(expect), player.play(harvest(expect, "畑ごとの収穫量の合計", "CSVに保存して"))).verdict
        == "right"
    )
    alone = harvest(expect, "CSVに保存して")
    assert judge(alone, player.play(alone)).verdict != "right"  # the table itself is saved, not the sums


def test_the_tools_agent_plays_too(tmp_path: Path) -> None:
    expect = {"messages": [{"type": "arrow", "room": "Bathroom", "direction": "left"}]}
    case = Case("arrow", "en", "map", ["left arrow in the bathroom"], expect)
    with Player(tmp_path, "tools", preload=[]) as player:
        assert judge(case, player.play(case)).verdict == "right"
