"""The documents as text: short lines, links that lead somewhere, and pages that exist wherever they are named."""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "spec").rglob("*.md"), *(ROOT / "backend" / "data").rglob("*.md")]
)
LONGEST = 120
LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)]*)?\)")


def relative(page: Path) -> str:
    return str(page.relative_to(ROOT))


def prose(text: str) -> Iterator[str]:
    """The lines outside fenced blocks."""
    fence = False
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            fence = not fence
        elif not fence:
            yield line


def test_no_line_is_over_120_characters_but_the_rows_of_tables() -> None:
    lines = [(page, line) for page in PAGES for line in page.read_text(encoding="utf-8").splitlines()]
    long = [
        (relative(page), line)
        for page, line in lines
        if len(line) > LONGEST and not line.lstrip().startswith("|")
    ]
    assert long == []


def test_every_link_of_a_page_leads_to_a_file() -> None:
    targets = [
        (page, target)
        for page in PAGES
        for target in LINK.findall("\n".join(prose(page.read_text(encoding="utf-8"))))
    ]
    local = [(page, target) for page, target in targets if "://" not in target]
    assert [(relative(page), target) for page, target in local if not (page.parent / target).exists()] == []


def test_every_page_of_the_spec_that_is_named_anywhere_exists() -> None:
    listing = subprocess.run(
        ["git", "grep", "-hIoE", r"\bspec/[a-zA-Z0-9_/]+\.(md|toml)"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if listing.returncode:  # no checkout of git
        pytest.skip("needs a checkout of git to list the project's files")
    assert sorted(name for name in set(listing.stdout.split()) if not (ROOT / name).exists()) == []


FAULTS = (ROOT / "spec" / "reference" / "terminal_faults.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (\d+) \| [^|]+ \| (\S+)::(\w+) \|$", FAULTS, re.M)


def test_every_row_is_read_and_no_fault_comes_twice() -> None:
    faults = [int(fault) for fault, _, _ in ROWS]
    assert len(faults) == len(re.findall(r"^\| \d+ ", FAULTS, re.M)), "a row is malformed"
    assert faults == [*range(1, 61)]


@pytest.mark.parametrize(("fault", "file", "name"), ROWS)
def test_the_test_of_a_fault_exists(fault: str, file: str, name: str) -> None:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
