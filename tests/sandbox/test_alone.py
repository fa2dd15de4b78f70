"""The sandbox by itself: in somebody's smolagents script, with nothing else of ours and no other library to be had."""

import subprocess
import sys
from pathlib import Path

from tests.support.warm import ROOT, clean_environment

SCRIPT = """\
from smolagents import CodeAgent
from smoldesk import SandboxExecutor
from somebodys_model import SomebodysModel
with CodeAgent(tools=[], model=SomebodysModel(), executor=SandboxExecutor()) as agent:
    print("it says", agent.run("How much is six times seven?"))
"""
MODEL = '''\
from smolagents.models import ChatMessage, MessageRole, Model


class SomebodysModel(Model):
    """Always writes the same line."""

    def generate(self, messages, **options):
        line = "import os; final_answer([6 * 7, os.getcwd()])"
        return ChatMessage(role=MessageRole.ASSISTANT, content=f"<code>\\n{line}\\n</code>")
'''
ONLY = """\
import importlib.abc
import importlib.metadata
import re
import sys


def needed(distribution, found):
    # the modules of smolagents' and numpy's own requirements, and of theirs
    if distribution in found:
        return found
    try:
        requires = importlib.metadata.requires(distribution) or []
    except importlib.metadata.PackageNotFoundError:
        return found
    found.add(distribution)
    for line in requires:
        if "extra ==" not in line:
            needed(re.match(r"[\\w.-]+", line)[0].lower().replace("_", "-"), found)
    return found


allowed = needed("smolagents", set()) | needed("numpy", set())
modules = {
    module
    for module, owners in importlib.metadata.packages_distributions().items()
    if {owner.lower().replace("_", "-") for owner in owners} & allowed
}


class Only(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top == "smoldesk":
            rooms = ("errors", "folders", "logs", "messages", "sandbox", "stopping")
            parts = name.split(".")
            if len(parts) > 1 and parts[1] not in rooms:
                raise ModuleNotFoundError(f"{name} is no part of the sandbox")
        elif top not in modules and top not in sys.stdlib_module_names and top != "somebodys_model":
            raise ModuleNotFoundError(f"{name} is neither smolagents nor numpy", name=name)
        return None


sys.meta_path.insert(0, Only())
try:
    import pydantic
except ModuleNotFoundError:
    print("without", "pydantic")
exec(compile(open(sys.argv[1]).read(), sys.argv[1], "exec"))
"""


def put_script(folder: Path) -> Path:
    """Somebody's script and model, put into a folder."""
    (folder / "somebodys_model.py").write_text(MODEL)
    (folder / "script.py").write_text(SCRIPT)
    return folder / "script.py"


def test_five_lines_need_smolagents_numpy_and_the_standard_library_only(tmp_path: Path) -> None:
    script = put_script(tmp_path)
    (tmp_path / "only.py").write_text(ONLY)

    done = subprocess.run(
        [sys.executable, "only.py", script.name],
        cwd=tmp_path,
        env=clean_environment() | {"PYTHONPATH": str(ROOT / "backend")},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == "without pydantic"
    assert done.stdout.splitlines()[-1].startswith("it says [42, ")
    assert len(SCRIPT.splitlines()) == 5
