"""The wheel of this tree, installed into an environment that has nothing else of ours.

What smoldesk depends on comes from the environment that runs this, through a .pth file: nothing is fetched. smoldesk itself
comes from the wheel alone, for such a file does not follow that environment's own (the editable install).
"""

import subprocess
import sys
from pathlib import Path

from tests.support.warm import ROOT, clean_environment


class Environment:
    """A virtual environment with the wheel in it, and an empty folder to work in."""

    def __init__(self, root: Path) -> None:
        self.python = root / "venv" / "bin" / "python"
        self.command = self.python.with_name("smoldesk")
        self.folder = root / "empty"
        self.folder.mkdir()

    def run(self, *line: str | Path) -> subprocess.CompletedProcess[str]:
        """A command in the empty folder, with nothing of the checkout in its environment."""
        return subprocess.run(
            line,
            cwd=self.folder,
            env=clean_environment() | {"PYTHONPATH": ""},
            capture_output=True,
            text=True,
            timeout=200,
            check=False,
        )


def build_wheel(folder: Path, **environment: str) -> tuple[Path, str]:
    """The wheel of this tree, and what its build said. Raises CalledProcessError."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    done = subprocess.run(
        build, cwd=ROOT, env=clean_environment() | environment, capture_output=True, text=True, check=True
    )
    return next(folder.glob("smoldesk-*.whl")), done.stdout + done.stderr


def install(wheel: Path, root: Path) -> Environment:
    """The wheel as pip installs it, below `root`."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", root / "venv"], check=True)
    environment = Environment(root)
    pip = [sys.executable, "-m", "pip", "--python", environment.python]
    subprocess.run([*pip, "install", "-q", "--no-deps", "--no-index", wheel], check=True, capture_output=True)
    packages = next((root / "venv").glob("lib/python*/site-packages"))
    ours = [path for path in sys.path if path.endswith("site-packages")]
    (packages / "dependencies.pth").write_text("\n".join(ours))
    return environment
