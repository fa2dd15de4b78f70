"""What smoldesk imports is declared, and what `make run` installs is pinned, whole and the same everywhere."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CODE = ROOT / "backend" / "smoldesk"
OF_EXTRAS = {
    "grpc": "grpc",
    "psycopg": "postgres",
    "opentelemetry": "telemetry",
    "aiomqtt": "mqtt",
    "obstore": "objects",
    "ray": "ray",
    **dict.fromkeys(("IPython", "jupyter_core"), "dev"),  # a notebook has them
}
"""Modules that only an extra brings, imported when first used, with its name."""

PIN = re.compile(r"([A-Za-z0-9._-]+)==([A-Za-z0-9.]+)")


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(text: str) -> dict[str, str]:
    """Version by canonical name; a line that is neither a comment nor `name==version` is a mistake."""
    by_name: dict[str, str] = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            match = PIN.fullmatch(line)
            assert match is not None, f"not a plain pin: {line}"
            by_name[canonical(match[1])] = match[2]
    return by_name


def declared(*extras: str) -> set[str]:
    """Canonical names of the dependencies that the project names itself, and of these extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    groups = [project["dependencies"], *(project["optional-dependencies"][extra] for extra in extras)]
    results = (re.match(r"[A-Za-z0-9._-]+", line) for group in groups for line in group)
    return {canonical(match[0]) for match in results if match is not None}


def every_extra() -> list[str]:
    return list(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"])


def imported_modules() -> dict[str, list[str]]:
    """Top modules that the package imports anywhere, but for ours and Python's, each with the files that do."""
    by_name: dict[str, list[str]] = {}
    for file in sorted(CODE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                names = [node.module]
            for name in {name.partition(".")[0] for name in names} - {"smoldesk"} - sys.stdlib_module_names:
                by_name.setdefault(name, []).append(str(file.relative_to(CODE)))
    return by_name


@pytest.mark.long
def test_every_module_that_is_imported_is_declared_by_the_project_itself() -> None:
    brought_by = packages_distributions()
    undeclared = {
        module: files
        for module, files in imported_modules().items()
        if not {canonical(name) for name in brought_by.get(module, [module])}
        & declared(*filter(None, [OF_EXTRAS.get(module)]))
    }
    assert undeclared == {}


def test_no_hint_sends_people_to_a_registry_for_a_name_that_is_not_published() -> None:
    listing = subprocess.run(
        ["git", "grep", "-nF", "pip install 'smoldesk["], cwd=ROOT, capture_output=True, text=True
    )
    assert [
        line for line in listing.stdout.splitlines() if not line.startswith("tests/test_packaging.py")
    ] == []


def test_every_direct_dependency_is_pinned() -> None:
    pinned = pins((ROOT / "constraints.txt").read_text())
    assert declared(*every_extra()) - set(pinned) == set()


def test_the_constraints_hold_more_than_the_direct_dependencies() -> None:
    pinned = pins((ROOT / "constraints.txt").read_text())
    assert {"starlette", "numpy", "pydantic-core", "smolagents"} <= set(pinned)


def test_a_url_or_a_range_is_no_pin() -> None:
    for line in ("smoldesk @ file:///somewhere", "-e .", "pandas>=2", "--index-url x"):
        with pytest.raises(AssertionError, match="not a plain pin"):
            pins(line)


def test_the_table_of_protocols_has_the_versions_that_are_pinned() -> None:
    """Packages of Python as `name==1.2`, those of npm as `name@1.2`."""
    text = (ROOT / "spec" / "reference" / "protocols.md").read_text()
    pinned = pins((ROOT / "constraints.txt").read_text())
    python = re.findall(rf"`{PIN.pattern}`", text)
    assert python
    assert [(name, version) for name, version in python if pinned[canonical(name)] != version] == []
    npm = {
        f"{name}@{version}" if "@" not in version else version.removeprefix("npm:")
        for depth in ("*", "*/*", "tools/*/*")
        for manifest in ROOT.glob(f"tests/{depth}/package.json")
        for name, version in json.loads(manifest.read_text())["dependencies"].items()
    }
    assert set(re.findall(r"`(@?[a-z/-]+@[0-9][^`]*)`", text)) - npm == set()
