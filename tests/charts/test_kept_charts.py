"""What tests of a run share of charts is what a desk makes: drawn once, the same picture afterwards, no failure kept."""

import json
from pathlib import Path
from typing import Any

import pytest

from smoldesk.charts import NoPicture, picture_of, vega_program
from smoldesk.charts.pictures import Answer, Drawing
from tests.support import kept_charts

pytestmark = pytest.mark.starts

SPEC = {"data": {"values": [{"a": 1}]}, "mark": "point", "encoding": {"x": {"field": "a"}}}


def test_a_chart_is_drawn_once_and_another_or_a_failed_one_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = list[str]()

    def noted(self: Drawing, frame: dict[str, Any], *limits: Any) -> Answer:
        drawn.append(frame["spec"])
        return as_ever(self, frame, *limits)

    as_ever = kept_charts.draw
    monkeypatch.setattr(kept_charts, "draw", noted)
    with kept_charts.kept_charts(tmp_path):
        assert picture_of(json.dumps(SPEC)) == picture_of(json.dumps(SPEC))
        assert len(drawn) == 1
        assert picture_of(json.dumps(SPEC | {"width": 300})).width > 300
        assert len(drawn) == 2
        for _ in range(2):
            with pytest.raises(NoPicture, match="could not be drawn"):
                picture_of(json.dumps(SPEC | {"mark": "no such"}))
        assert len(drawn) == 4


def test_the_module_is_bundled_once_for_all_desks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with kept_charts.kept_charts(tmp_path):
        first = vega_program.ChartProgram(tmp_path / "one").content()
        monkeypatch.setattr(vega_program, "MAKE", "raise SystemExit(1)")
        assert vega_program.ChartProgram(tmp_path / "two").content() == first
