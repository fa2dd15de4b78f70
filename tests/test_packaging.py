"""What `make run` installs is pinned, whole and the same everywhere."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PIN = re.compile(r"([A-Za-z0-9._-]+)==([A-Za-z0-9.]+)")


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(text: str) -> dict[str, str]:
    """Version by canonical name; a line that is neither a comment nor `name==version` is a mistake."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            match = PIN.fullmatch(line)
            assert match is not None, f"not a plain pin: {line}"
            found[canonical(match[1])] = match[2]
    return found


def direct(pyproject: str) -> set[str]:
    """Canonical names of every dependency the project names itself, extras included."""
    project = tomllib.loads(pyproject)["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    return {canonical(re.match(r"[A-Za-z0-9._-]+", line)[0]) for group in groups for line in group}  # type: ignore[index]


def test_every_direct_dependency_is_pinned() -> None:
    pinned = pins((ROOT / "constraints.txt").read_text())
    assert direct((ROOT / "pyproject.toml").read_text()) - set(pinned) == set()


def test_the_constraints_hold_more_than_the_direct_dependencies() -> None:
    pinned = pins((ROOT / "constraints.txt").read_text())
    assert {"starlette", "numpy", "pydantic-core", "smolagents"} <= set(pinned)


def test_a_url_or_a_range_is_no_pin() -> None:
    for line in ("smoldesk @ file:///somewhere", "-e .", "pandas>=2", "--index-url x"):
        with pytest.raises(AssertionError, match="not a plain pin"):
            pins(line)
