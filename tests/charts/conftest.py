"""A chat whose cells have charts, and nothing else of a desk's; each chart is drawn."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from smoldesk.charts import CELL_CHARTS, CHILD_PACKAGES
from smoldesk.sandbox.children import Children
from tests.sandbox.conftest import Desk
from tests.support.kept_charts import charts_drawn


@pytest.fixture(scope="module", autouse=True)
def each_drawn() -> Iterator[None]:
    """These tests are about the drawing."""
    with charts_drawn():
        yield


@pytest.fixture(scope="session")
def chart_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A chat with pandas and charts, shared by the tests that need them."""
    with closing(
        Children(
            packages=CHILD_PACKAGES,
            modules={CELL_CHARTS: {}},
            max_children=1,
            cell_seconds=60,
            grace_seconds=5,
        )
    ) as children:
        desk = Desk(children, "charts", tmp_path_factory.mktemp("charts"))
        yield desk
        desk.close()
