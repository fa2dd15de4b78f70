"""Where axe-core is, the checker of accessibility that runs in a page, and the reason when it is not here.

Its version stands in tests/browser/axe/package.json; `python -m tests.axe_support` (what `make test` runs before the
suite) has npm install it beside it, once. It never fails, the suite's last lines say why.
"""

from pathlib import Path

from scripts.node import CannotHave, find_node
from tests.node_support import install, is_installed

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ROOT / "tests" / "browser" / "axe"
REASON = ROOT / ".cache" / "no-axe.txt"
"""Why it could not be brought, from the last try."""


def find() -> Path | None:
    """The script to run in a page, or None."""
    return PACKAGES / "node_modules" / "axe-core" / "axe.min.js" if is_installed(PACKAGES) else None


def reason() -> str:
    """Why there is no axe-core, for the suite's last lines."""
    return f"no axe-core: {REASON.read_text() if REASON.exists() else 'make test brings it'}"


def bring() -> None:
    """Install it; on failure leave the reason where `reason` finds it."""
    REASON.parent.mkdir(exist_ok=True)
    REASON.unlink(missing_ok=True)
    print("Installing axe-core for the tests of accessibility", flush=True)  # noqa: T201
    try:
        failure = install(find_node(), PACKAGES)
    except CannotHave as missing:
        failure = str(missing)
    if failure:
        REASON.write_text(failure)


if __name__ == "__main__":
    if find() is None:
        bring()
