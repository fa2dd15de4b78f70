"""What the guard says of a figure beside its history."""

import pytest

from bench.guard import LEAST_FALL, Entry, judge, read_history, spread, table
from bench.guard_figures import FIGURES, ratio
from tests.support.aio import aside

CPU = "a processor"


def entries(*ratios: float, commit: str = "", cpu: str = CPU) -> list[Entry]:
    """Entries of one figure: of one commit, or of a commit each."""
    return [Entry(commit or f"c{number}", cpu, {"run": ratio}) for number, ratio in enumerate(ratios)]


def test_a_figure_without_history_did_not_fall() -> None:
    verdict = judge("run", 9.0, [], CPU)
    assert (verdict.best, verdict.fell) == (None, False)


def test_a_figure_a_quarter_above_its_best_fell() -> None:
    verdict = judge("run", 1.25, entries(1.4, 1.0, 1.1), CPU)
    assert (verdict.best, verdict.allowed, verdict.fell) == (1.0, LEAST_FALL, True)


def test_a_figure_within_a_fifth_of_its_best_did_not_fall() -> None:
    assert not judge("run", 1.19, entries(1.0), CPU).fell


def test_other_processors_and_entries_before_the_last_twenty_do_not_count() -> None:
    history = entries(0.1) + entries(0.1, cpu="another") + entries(*[1.0] * 20)
    assert judge("run", 1.1, history, CPU).best == 1.0


def test_the_spread_of_runs_of_one_commit_widens_what_is_allowed() -> None:
    history = entries(0.9, 1.0, 1.1, commit="same")
    assert spread(history, "run") == pytest.approx(0.1)
    assert judge("run", 1.15, history, CPU).allowed == pytest.approx(0.3)


def test_runs_of_different_commits_say_nothing_about_the_spread() -> None:
    assert spread(entries(1.0, 2.0), "run") == 0.0


def test_an_entry_is_read_as_it_was_written() -> None:
    entry = Entry("abc", CPU, {"run": 1.25})
    assert read_history(f"{entry.line()}\n") == [entry]


def test_the_table_names_what_fell() -> None:
    lines = table([judge("run", 1.5, entries(1.0), CPU), judge("cell", 5.0, [], CPU)]).splitlines()
    assert lines[1].split() == ["run", "1.500", "1.000", "+50%", "20%", "fell"]
    assert lines[2].split() == ["cell", "5.000", "-", "+0%", "20%"]


@pytest.mark.starts
@pytest.mark.parametrize("name", ["append", "replay", "parse a stream", "terminal"])
def test_a_figure_is_a_ratio_of_times_in_turns(name: str) -> None:
    assert name in FIGURES
    assert aside(lambda: ratio(name, seconds=0.0)) > 0
