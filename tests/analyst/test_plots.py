"""Plots that can be read: names of axes with units, at most twenty bars, dates that fit, slices that count."""

import warnings
from pathlib import Path

import pytest

from smoldesk.sandbox.children import Children
from smoldesk.sandbox.executor import SandboxExecutor
from tests.analyst.small_tables import SmallDesk

CITIES = "city,visits (k),day\n" + "\n".join(
    f"City{place:02d},{100 - place},2024-{1 + place % 12:02d}-{1 + place % 27:02d}" for place in range(60)
)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("cities"), ledger=CITIES)


def test_the_twenty_highest_bars_are_drawn_and_the_rest_is_told_of(desk: SmallDesk) -> None:
    said = desk.ask("bar chart of total visits by city")
    bars = [bar.get_height() for bar in said.axes[0].patches]
    assert bars == sorted(bars, reverse=True) and len(bars) == 20 and bars[0] == 100
    assert "The plot shows 20 of 60 groups." in said.text
    assert said.axes[0].get_ylabel() == "total visits (k)" and said.axes[0].get_title()


def test_bars_are_ordered_as_asked(desk: SmallDesk) -> None:
    bars = [
        bar.get_height() for bar in desk.ask("bar chart of total visits per city, lowest 5").axes[0].patches
    ]
    assert bars == [41, 42, 43, 44, 45]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("histogram of visits by city", "The plot shows the 10 most frequent of 60 groups."),
        ("city別のvisitsのヒストグラム", "グラフは全60組のうち行の多い10組です。"),
    ],
)
def test_a_histogram_has_no_more_colours_than_can_be_told_apart(
    desk: SmallDesk, asked: str, told: str
) -> None:
    said = desk.ask(asked)
    assert told in said.text
    legend = said.axes[0].get_legend()
    assert legend is not None and len(legend.get_texts()) == 10


def test_small_slices_stand_together(desk: SmallDesk) -> None:
    said = desk.ask("pie chart of rows by city")
    names = [text.get_text() for text in said.axes[0].texts]
    assert "others" in names and "88.3%" in names


@pytest.mark.parametrize(
    "question", ["plot visits over day", "plot visits vs day", "line chart of visits by day"]
)
def test_a_date_is_an_axis_of_time(desk: SmallDesk, question: str) -> None:
    said = desk.ask(question)
    (line,) = said.axes[0].lines
    assert len(line.get_xdata()) == len(said.tables[0]) and "00:00:00" not in said.first


def test_months_are_not_written_over_one_another(tmp_path: Path) -> None:
    rows = "\n".join(f"{2000 + place // 12}-{1 + place % 12:02d}-03,{place}" for place in range(120))
    said = SmallDesk(tmp_path, sensor=f"day,level\n{rows}\n").ask("plot the average level by month")
    shown = [one.get_text() for one in said.axes[0].get_xticklabels()]
    assert len(shown) <= 14 and any(one.startswith("200") for one in shown)


def test_japanese_names_are_drawn_in_a_real_child(tmp_path: Path) -> None:
    """A glyph that no font has would be a warning among what was printed."""
    rows = "\n".join(
        f"{('札幌', '仙台')[place % 2]},{('晴れ', '雨')[place % 3 % 2]},{place}" for place in range(12)
    )
    desk = SmallDesk(tmp_path, ledger=f"支店名,天気,売上高(万円)\n{rows}\n")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # here there is no Japanese font; the child has one
        code = desk.ask("支店名と天気ごとの平均売上高を棒グラフで").code
    assert "unstack" in code
    children = Children(preload=("pandas", "matplotlib.pyplot"), max_children=1)
    try:
        executor = SandboxExecutor(children.child("plots", tmp_path))
        silent = "def display(frame):\n    pass\ndef final_answer(text):\n    pass\n"
        executor(silent + code)
        result = executor.last
        executor.cleanup()
    finally:
        children.close()
    assert result is not None and result.error is None
    assert "lyph" not in result.printed and len(result.shown) == 1
