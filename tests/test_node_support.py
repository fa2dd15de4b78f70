"""The tests of the UI message stream drive the real npm packages, and the suite says why where there are none."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.node import CannotHave, Node
from tests import node_support

ROOT = Path(__file__).resolve().parent.parent


def test_each_alias_is_the_pinned_release(node_path: Path) -> None:
    pins = json.loads((node_support.PACKAGES / "package.json").read_text())["dependencies"]
    for alias, pin in pins.items():
        package = node_support.PACKAGES / "node_modules" / alias / "package.json"
        assert json.loads(package.read_text())["version"] == pin.rpartition("@")[2]
    assert subprocess.run([node_path, "--version"], check=True, capture_output=True).stdout.startswith(b"v")


def test_a_changed_package_json_is_installed_again(node_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node_support, "wanted", lambda packages: "another package.json")
    assert node_support.find.__wrapped__() is None


def test_without_the_packages_the_last_lines_say_what_is_missing_and_why(tmp_path: Path) -> None:
    (tmp_path / "test_stream.py").write_text(
        "def test_stream(node_path): raise AssertionError('this must not run')\ndef test_plain(): pass\n"
    )
    look = (
        "import sys, pytest; from pathlib import Path; from tests import node_support as n\n"
        "n.find = lambda: None\n"
        "n.REASON = Path(sys.argv[1]) / 'why.txt'; n.REASON.write_text('the network was down')\n"
        "options = ['-p', 'tests.conftest', '-c', 'pyproject.toml', sys.argv[1]]\n"
        "sys.exit(pytest.main(options))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", look, str(tmp_path)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    *_, missing, closing = done.stdout.strip().splitlines()
    assert "no AI SDK packages: the network was down (1 tests skipped)" in missing
    assert closing.startswith("1 passed, 1 skipped")


def test_a_machine_without_node_leaves_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_node() -> Node:
        raise CannotHave("neither node nor npm was found")

    monkeypatch.setattr(node_support, "find_node", no_node)
    monkeypatch.setattr(node_support, "REASON", tmp_path / "why.txt")
    node_support.bring()
    assert node_support.find.__wrapped__() is None
    assert node_support.reason() == "no AI SDK packages: neither node nor npm was found"


def test_an_npm_that_fails_leaves_its_first_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failing = "import sys; print('npm error code ENOTFOUND', file=sys.stderr); sys.exit(1)"
    monkeypatch.setattr(
        node_support, "find_node", lambda: Node(sys.executable, [sys.executable, "-c", failing])
    )
    monkeypatch.setattr(node_support, "REASON", tmp_path / "why.txt")
    node_support.bring()
    assert node_support.reason() == "no AI SDK packages: npm could not bring them: npm error code ENOTFOUND"
