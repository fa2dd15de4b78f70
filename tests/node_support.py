"""Which Node the tests of the UI message stream drive, with which packages, and the reason when there is none.

The Node is the one `make check` takes: the dev extra's, else the machine's. The packages are named, with their versions,
in tests/ai_sdk/node/package.json; `python -m tests.node_support` (what `make test` runs before the suite) installs
them beside it, once. It never fails, the suite's last lines say why.
"""

import functools
import hashlib
import json
import os
import subprocess
from pathlib import Path

from scripts.node import CannotHave, Node, find_node

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ROOT / "tests" / "ai_sdk" / "node"
REASON = ROOT / ".cache" / "no-node-packages.txt"
"""Why the packages could not be brought, from the last try."""

INSTALL_SECONDS = 300
INSTALL = (
    "install",
    "--no-audit",
    "--no-fund",
    "--prefer-offline",
    "--no-package-lock",  # every version is pinned in package.json and, behind it, by `ai` itself
    "--ignore-scripts",
    "--loglevel=error",  # ai 7 names a newer Node than it needs
)


def wanted(packages: Path = PACKAGES) -> str:
    """What the stamp says once the packages of this folder's package.json are all there."""
    return hashlib.sha256((packages / "package.json").read_bytes()).hexdigest()


def stamp(packages: Path = PACKAGES) -> Path:
    return packages / "node_modules" / ".smoldesk-stamp"


def is_installed(packages: Path = PACKAGES) -> bool:
    return stamp(packages).is_file() and stamp(packages).read_text() == wanted(packages)


def versions(packages: Path) -> dict[str, str]:
    """The packages that a folder's package.json names, with their versions."""
    return json.loads((packages / "package.json").read_text("utf-8"))["dependencies"]


@functools.cache
def find() -> Path | None:
    """The node to run, or None where it or a package is missing."""
    try:
        node = find_node()
    except CannotHave:
        return None
    return Path(node.node) if is_installed() else None


def reason() -> str:
    """Why there is no Node with the packages, for the suite's last lines."""
    return f"no AI SDK packages: {REASON.read_text() if REASON.exists() else 'make test brings them'}"


def install(node: Node, packages: Path = PACKAGES) -> str:
    """Install the packages of a folder and stamp them; the reason when that failed, else nothing."""
    path = f"{Path(node.node).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    try:
        done = subprocess.run(
            [*node.npm, *INSTALL],
            cwd=packages,
            check=False,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=INSTALL_SECONDS,
            env=os.environ | {"PATH": path},
        )
    except subprocess.TimeoutExpired:
        return f"npm did not bring them within {INSTALL_SECONDS} s"
    if done.returncode:
        errors = [line.strip() for line in done.stderr.splitlines() if "error" in line]
        return f"npm could not bring them: {errors[0] if errors else done.stderr.strip()[-200:] or 'no reason given'}"
    stamp(packages).write_text(wanted(packages))
    return ""


def bring() -> None:
    """Install what is missing; on failure leave the reason where `reason` finds it."""
    REASON.parent.mkdir(exist_ok=True)
    REASON.unlink(missing_ok=True)
    try:
        node = find_node()
    except CannotHave as missing:
        REASON.write_text(str(missing))
        return
    print("Installing the AI SDK packages for the tests of the UI message stream", flush=True)  # noqa: T201
    if failure := install(node):
        REASON.write_text(failure)


if __name__ == "__main__":
    if find() is None:
        bring()
