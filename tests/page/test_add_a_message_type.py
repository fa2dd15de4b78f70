"""spec/guides/add_a_message_type.md, followed to the letter in a copy of the desk, and seen in a browser."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from scripts.check import tsc_command
from tests.support.desk_server import DeskProcess
from tests.support.guide import Guide
from tests.support.warm import ROOT

pytestmark = pytest.mark.browser

GUIDE = Guide("add_a_message_type")
BACKEND = [
    "backend/smoldesk/messages/chat_pane.py",
    "backend/smoldesk/messages/__init__.py",
    "backend/smoldesk/output_parser/parser.py",
]
PAGE = ["frontend/js/chat/state.js", "frontend/js/chat/shown.js"]
ANSWER = """final_answer({"gauges": [{"label": "Load", "percent": 40.5}, {"label": "Broken", "percent": "much"}, 7]})"""
SERVING = f"""
import sys
from smoldesk.cli import main as cli
from smoldesk.cli.server import build_server
from smoldesk.desk import build_desk
from tests.support.scripted_model import ScriptedModel, code
settings = cli.read_settings(cli.parser().parse_args(sys.argv[1:]))
build_server(build_desk(settings, lambda: ScriptedModel([code({ANSWER!r})]))).run()
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The parts of the repository that the page names, and what they need to run."""
    for name in ("backend", "frontend", "scripts"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def types_of(copy: Path) -> str:
    """What tsc says of the page, once the types of messages are written anew."""
    environment = os.environ | {"PYTHONPATH": str(copy / "backend")}
    subprocess.run(
        [sys.executable, str(copy / "scripts" / "message_types.py")], env=environment, check=True, timeout=100
    )
    command = tsc_command(copy / "frontend" / "tsconfig.json")
    # the second time it reads only what changed
    command += ["--incremental", "--tsBuildInfoFile", str(copy / "tsc.json")]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False).stdout


def test_the_steps_of_the_page_add_a_message_type(copy: Path, browser: Browser, free_port: int) -> None:
    assert {*GUIDE.files, *(path for path, _ in GUIDE.patches)} == {*BACKEND, *PAGE}

    GUIDE.apply(copy, *BACKEND)
    types = types_of(copy)
    assert set(re.findall(r"js/[\w/-]+\.js", types)) == {name.removeprefix("frontend/") for name in PAGE}, (
        types
    )
    GUIDE.apply(copy, *PAGE)
    assert types_of(copy) == ""

    paths = os.pathsep.join([str(copy / "backend"), str(ROOT)])
    desk = DeskProcess(copy / "data", free_port, {"PYTHONPATH": paths}, code=SERVING, cold=True)
    try:
        desk.wait_until_up()
        page = browser.new_page()
        page.goto(desk.url)
        page.get_by_role("textbox").fill("How is it going?")
        page.keyboard.press("Enter")
        expect(page.get_by_role("meter", name="Load")).to_have_attribute("value", "40.5")
        expect(page.get_by_role("meter")).to_have_count(1)
        expect(page.locator(".debug-row", has_text="gauge").first).to_be_visible()
        page.close()
    finally:
        desk.close()
