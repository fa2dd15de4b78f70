"""What is printed of a set that nobody may look into: totals, and never a question or an answer."""

from collections.abc import Sequence

import pytest

from tests.exams import __main__ as player
from tests.exams.case import Case
from tests.exams.judge import Judgement


def all_wrong(cases: Sequence[Case], agent: str) -> list[player.Played]:
    return [player.Played(case, Judgement("wrong", "it guessed"), "about 42") for case in cases]


@pytest.mark.parametrize("kept", ["--held-out", "--aside"])
def test_failures_of_a_kept_set_are_never_listed(
    kept: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(player, "play", all_wrong)
    assert player.main([kept, "--show", "wrong", "declined", "right"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["cases", "right", "wrong", "declined"]
    assert len(lines) == 10 and all(line.split(":")[0] in ("en", "ja", "all") for line in lines[1:])


def test_failures_of_other_sets_are_listed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(player, "play", all_wrong)
    assert player.main(["--kind", "map"]) == 0
    assert "WRONG map-" in capsys.readouterr().out
