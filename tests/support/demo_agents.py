"""Desks whose agents `code` and `tools` have the demo tools, too: for tests of asks and client work with any agent."""

from pathlib import Path

from smoldesk.agents.checks import all_tools
from smoldesk.agents.entries import INTERPRETER
from smoldesk.agents.read_entries import FILE


def add_demo_tools(folder: Path) -> Path:
    """Write a list of agents into a data directory that names every tool; the folder."""
    names = all_tools()
    of_code = [name for name in names if name != INTERPRETER]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FILE).write_text(f"[agents.code]\ntools = {of_code}\n[agents.tools]\ntools = {names}\n")
    return folder
