"""spec/reference/conversations.md says what is: permissions, errors, tools, and a test for each known weakness."""

import re
from pathlib import Path

from smoldesk.conversations import errors
from smoldesk.wires.mcp.requests import PERMISSIONS

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "spec" / "reference" / "conversations.md").read_text("utf-8")


def rows(title: str) -> list[list[str]]:
    """The cells of the table below a heading, without its head."""
    section = PAGE.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_the_table_of_permissions_is_the_one_that_is_enforced() -> None:
    assert {tool: (authenticated, purpose) for tool, authenticated, purpose in rows("Who may call what")} == {
        tool: ("yes" if permission.authenticated else "no", permission.purpose or "any")
        for tool, permission in PERMISSIONS.items()
    }


def test_every_error_has_its_line() -> None:
    names = {value for name, value in vars(errors).items() if name.isupper() and isinstance(value, str)}
    assert {row[0] for row in rows("Errors")} == names


def test_every_tool_has_its_line() -> None:
    assert {name for row in rows("Tools") for name in row[0].split(", ")} == set(PERMISSIONS)


def test_every_known_weakness_is_held_off_by_tests_that_exist() -> None:
    weaknesses = rows("Known weaknesses of such a design, and the tests that hold them off")
    assert [int(row[0].split()[0]) for row in weaknesses] == list(range(61, 82))
    written: set[str] = set()
    for folder in ("tests/conversations", "tests/wires/mcp"):
        for file in (ROOT / folder).glob("test_*.py"):
            written |= set(re.findall(r"^def (test_\w+)", file.read_text("utf-8"), re.M))
    named = {name for row in weaknesses for name in row[1].split(", ")}
    assert named - written == set()
