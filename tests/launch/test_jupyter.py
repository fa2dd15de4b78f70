"""DeskUI in a real Jupyter kernel: the cell returns at once with a frame, running it again replaces the desk, and the
desk ends with its kernel."""

import json
import re
from pathlib import Path
from typing import Any

import httpx
import nbformat
import psutil
import pytest
from jupyter_core.utils import run_sync
from nbclient import NotebookClient

from smoldesk.launch.jupyter import notebook_origins
from tests.launch.test_launching import LAB, until_closed
from tests.support.own_agents import QUICK
from tests.support.warm import ROOT
from tests.support.ws_client import WsClient

pytestmark = pytest.mark.starts

MAKE = """
import os, sys
sys.path.insert(0, {root!r})
os.environ.update({env!r})
from smolagents import CodeAgent
from tests.support.scripted_model import ScriptedModel, code
from smoldesk import DeskUI

agent = CodeAgent(tools=[], model=ScriptedModel([code("final_answer('from the kernel')")]), name="noted")
"""


@pytest.fixture
def notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    client = NotebookClient(
        nbformat.v4.new_notebook(), timeout=100, resources={"metadata": {"path": str(tmp_path)}}
    )
    with client.setup_kernel():
        yield client


def run(notebook: Any, source: str) -> Any:
    """Run one cell in the kernel; the cell with its outputs."""
    cell = nbformat.v4.new_code_cell(source)
    notebook.nb.cells.append(cell)
    return notebook.execute_cell(cell, len(notebook.nb.cells) - 1)


def texts(cell: Any, kind: str) -> str:
    if kind == "stdout":
        return "".join(output.get("text", "") for output in cell.outputs)
    return "".join(output.get("data", {}).get("text/html", "") for output in cell.outputs)


def answer(address: str) -> str:
    with WsClient(address.replace("http", "ws") + "/ws") as client:
        client.hello()
        return client.ask("go")[-1]["content"]["text"]


def test_a_cell_shows_the_page_in_a_frame_and_the_desk_ends_with_the_kernel(
    tmp_path: Path, notebook: Any
) -> None:
    run(notebook, MAKE.format(root=str(ROOT), env=QUICK))
    cell = run(notebook, f"DeskUI(agent).launch(frame_origins=[{LAB!r}]) and None")
    [address] = re.findall(r'<iframe src="(http://127\.0\.0\.1:\d+)"', texts(cell, "html"))
    assert f"smoldesk serves {address}\nagent: noted" in texts(cell, "stdout")
    assert LAB in httpx.get(address).headers["content-security-policy"]
    assert run(notebook, "1 + 1").outputs[0].data["text/plain"] == "2"
    assert answer(address) == "from the kernel"

    again = run(notebook, f"ui = DeskUI(agent).launch(frame_origins=[{LAB!r}])")
    assert "closed the desk that used the data directory" in texts(again, "stdout")
    [second] = re.findall(r'<iframe src="(http://127\.0\.0\.1:\d+)"', texts(again, "html"))
    until_closed(int(address.rpartition(":")[2]))
    assert answer(second) == "from the kernel"

    pid = int(run(notebook, "os.getpid()").outputs[0].data["text/plain"])
    children = psutil.Process(pid).children(recursive=True)
    assert children
    run_sync(notebook.km.shutdown_kernel)()
    until_closed(int(second.rpartition(":")[2]))
    _, alive = psutil.wait_procs(children, timeout=30)
    assert alive == []


def test_a_closed_desk_leaves_the_kernel_and_its_directory_free(tmp_path: Path, notebook: Any) -> None:
    run(notebook, MAKE.format(root=str(ROOT), env=QUICK))
    cell = run(notebook, "ui = DeskUI(agent).launch()\nui.close()\nui.close()\nprint('closed', ui.address)")
    assert "closed None" in texts(cell, "stdout")
    link = texts(cell, "html")
    assert "<iframe" not in link, "no origin of the notebook's page is known here"
    assert '<a href="http://127.0.0.1:' in link


def test_the_origins_are_those_of_the_jupyter_server_that_started_the_kernel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("JPY_PARENT_PID", "4711")
    assert notebook_origins() == []
    for url, origins in (
        ("http://localhost:8888/", ["http://localhost:8888", "http://127.0.0.1:8888"]),
        ("https://lab.example.org/user/ada/", ["https://lab.example.org"]),
    ):
        (tmp_path / "jpserver-4711.json").write_text(json.dumps({"url": url}))
        assert notebook_origins() == origins
    (tmp_path / "jpserver-4711.json").write_text("[]")
    assert notebook_origins() == []
