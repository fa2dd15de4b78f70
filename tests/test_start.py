"""What a start leaves out: imports that only some desks need, and garbage collection until it serves."""

import subprocess
import sys
from pathlib import Path

from tests.support.desk_server import ROOT

LATE = (
    "alembic",
    "rapidfuzz",
    "xml.etree.ElementTree",
    "pandas",
    "shapely",
    "altair",
    "vl_convert",
    "smolagents",
    "prometheus_client",
    "ag_ui",
    "opentelemetry.sdk",
    "sqlalchemy.dialects.postgresql",
    "smoldesk.tables.inside.reading",
)
IMPORTED = f"""
import sys, smoldesk.cli.main, smoldesk.cli.server
print([name for name in {LATE!r} if name in sys.modules])
"""
BUILT = """
import sys, uvicorn
from smoldesk.cli import main
def models():
    from smoldesk.events import RunFinished
    from smoldesk.messages import Debug
    return [model.__pydantic_complete__ for model in (RunFinished, Debug)]
def run(_):
    from smoldesk.cli.server import build_models
    declared = models()
    build_models()
    print(declared, models())
uvicorn.Server.run = run
main.main(["serve", "--port", "0", "--data-dir", sys.argv[1]])
"""
COLLECTING = """
import gc, sys
from smoldesk.cli import main, server
def run(served):
    frozen = gc.get_freeze_count()
    served._warm()
    print(gc.isenabled(), frozen > 0, gc.get_freeze_count() > frozen, gc.get_threshold()[2] > 10)
server.DeskServer.run = run
main.main(["serve", "--port", "0", "--data-dir", sys.argv[1]])
"""


def printed(code: str, *arguments: str) -> str:
    """What a Python of its own prints."""
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def test_what_only_some_desks_use_is_imported_when_they_do() -> None:
    assert printed(IMPORTED) == "[]"


def test_models_are_declared_by_a_start_and_built_by_the_warm_up(tmp_path: Path) -> None:
    assert printed(BUILT, str(tmp_path)) == "[False, False] [True, True]"


def test_a_server_that_runs_collects_garbage_but_not_through_what_its_start_and_warm_up_made(
    tmp_path: Path,
) -> None:
    assert printed(COLLECTING, str(tmp_path)) == "True True True True"
