"""spec/guides/add_a_chart_type.md, followed to the letter in a copy of the code: a funnel of plotly is drawn."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scripts.node import CannotHave, find_node
from smoldesk.charts import CELL_CHARTS, checked_spec, picture_of
from smoldesk.sandbox.cell import CellChart
from smoldesk.sandbox.children import Children
from tests.sandbox.conftest import Desk
from tests.support.guide import Guide
from tests.support.warm import ROOT

GUIDE = Guide("add_a_chart_type")
FORMS = "backend/smoldesk/charts/inside/chart_forms.py"
PLOTLY = "backend/smoldesk/charts/inside/plotly_charts.py"
PAGE = "frontend/js/charts/dressed.js"
FIGURE = """
import plotly.graph_objects as go
go.Figure(go.Funnel(x=[90, 60, 30], y=["visits", "baskets", "orders"], marker_color="teal"))
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The rooms that the guide changes, with its changes."""
    assert {*GUIDE.files, *(path for path, _ in GUIDE.patches)} == {FORMS, PLOTLY, PAGE}
    for room in ("backend/smoldesk/charts", "frontend/js/charts"):
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"))
    GUIDE.apply(tmp_path)
    return tmp_path


@pytest.fixture
def desk(copy: Path, tmp_path: Path) -> Iterator[Desk]:
    packages = {"smoldesk.charts": str(copy / "backend" / "smoldesk" / "charts")}
    modules = {CELL_CHARTS: {}}
    folder = tmp_path / "chat"
    folder.mkdir()
    with closing(
        Children(packages=packages, modules=modules, max_children=1, cell_seconds=60, grace_seconds=5)
    ) as children:
        desk = Desk(children, "funnel", folder)
        yield desk
        desk.close()


def test_a_funnel_of_plotly_becomes_a_chart_that_is_drawn(desk: Desk) -> None:
    pytest.importorskip("plotly")
    [chart] = desk.run(FIGURE).output_items
    assert isinstance(chart, CellChart)
    spec = json.loads((desk.folder / chart.path).read_text("utf-8"))
    assert spec["mark"] == {"type": "bar", "color": "teal"}
    assert spec["encoding"]["x"] | {"stack": "center", "type": "quantitative"} == spec["encoding"]["x"]
    assert [row["y"] for row in spec["datasets"]["rows"]] == ["visits", "baskets", "orders"]
    assert picture_of(checked_spec(json.dumps(spec).encode())).width > 200


def test_a_brush_of_a_funnel_selects_stages_alone(copy: Path) -> None:
    try:
        node = find_node()
    except CannotHave as reason:
        pytest.skip(str(reason))
    spec = {
        "mark": "bar",
        "encoding": {
            "y": {"field": "y", "type": "ordinal"},
            "x": {"field": "x", "type": "quantitative", "stack": "center"},
        },
    }
    code = f"""
import {{ preparedSpec }} from {json.dumps(str(copy / PAGE))};
console.log(JSON.stringify(preparedSpec({json.dumps(spec)}, "select", "").params[0].select.encodings));
"""
    command = [node.node, "--input-type=module", "--eval", code]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (result.stdout.strip(), result.returncode) == ('["y"]', 0), result.stderr
