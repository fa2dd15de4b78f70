"""Everything `make check` asks of the code: ruff, its formatter, pyright, tsc over the page's JSDoc, eslint and prettier.

Every check runs, also after one failed; the last lines say which failed. What cannot be had here (no network for npm, say)
is named with its reason and is no failure of the code.
"""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # make check runs this file, not a module

from scripts.node import CannotHave, NpmPackages  # noqa: E402

PACKAGES = NpmPackages(("typescript@7.0.2", "eslint@10.15.0", "prettier@3.10.1"))
PRETTIER_FILES = "**/*.{js,mjs,css}"


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
    return [*PACKAGES.program("typescript/bin/tsc"), "--noEmit", "--project", str(project)]


def eslint() -> bool:
    """Rules of eslint.config.js over the page and its tests."""
    return call(*PACKAGES.program("eslint/bin/eslint.js"), "frontend/js", "frontend/strings", "tests/js")


def prettier(mode: str = "--check") -> bool:
    """Check the layout of all JavaScript and CSS; with "--write", change it. Options: .prettierrc.json, .prettierignore."""
    return call(*PACKAGES.program("prettier/bin/prettier.cjs"), mode, "--log-level", "warn", PRETTIER_FILES)


CHECKS: dict[str, Callable[[], bool]] = {
    "ruff check": ruff,
    "ruff format": ruff_format,
    "pyright": pyright,
    "tsc": tsc,
    "eslint": eslint,
    "prettier": prettier,
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
    if sys.argv[1:] == ["--write"]:
        sys.exit(not prettier("--write"))
    sys.exit(main())
