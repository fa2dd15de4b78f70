"""Plain Jupyter: a kernel of this Python whose sys.path has no smoldesk, in a folder that has nothing but the notebook."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

START = (
    "import sys; sys.meta_path = [one for one in sys.meta_path if 'editable' not in repr(one).lower()]; "
    "sys.path = [p for p in sys.path if not p.rstrip('/').endswith('backend')]; "
    "from ipykernel.kernelapp import launch_new_instance; launch_new_instance()"
)


def run(path: Path, folder: Path, extra: str = "") -> Any:
    """The notebook after all its cells ran, with `extra` as a last cell; raises CellExecutionError."""
    kernels = folder / "jupyter" / "kernels" / "plain"
    kernels.mkdir(parents=True)
    argv = [sys.executable, "-c", START, "-f", "{connection_file}"]
    (kernels / "kernel.json").write_text(
        json.dumps({"argv": argv, "display_name": "plain", "language": "python"})
    )
    notebook: Any = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    if extra:
        notebook.cells.append(nbformat.v4.new_code_cell(extra))
    work = folder / "work"
    work.mkdir()
    environment = os.environ | {
        "JUPYTER_PATH": str(folder / "jupyter"),
        "IPYTHONDIR": str(folder / "ipython"),
    }
    before = dict(os.environ)
    os.environ.update(environment)
    try:
        client = NotebookClient(
            notebook, kernel_name="plain", timeout=100, resources={"metadata": {"path": str(work)}}
        )
        client.execute()
    finally:
        os.environ.clear()
        os.environ.update(before)
    return notebook


def printed(cell: Any) -> str:
    return "".join(
        output.text for output in cell.outputs if output.output_type == "stream" and output.name == "stdout"
    )
