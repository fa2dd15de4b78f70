"""JavaScript module that the page draws charts with: vega-embed with Vega, Vega-Lite and the expression interpreter.

A separate process bundles it from the installed vl-convert, once for each version, into the data directory, without
network access. The interpreter evaluates expressions without `eval`, which the page's content policy forbids.
"""

import gzip
import os
import subprocess
import sys
import threading
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from smoldesk.errors import DeskError

PACKAGE = "vl-convert-python"
SECONDS = 120.0
MAKE = """
import sys, vl_convert
sys.stdout.buffer.write(vl_convert.javascript_bundle("export { vegaEmbed };").encode())
"""


class NoProgram(DeskError):
    """The module for charts is not available."""

    code = "no_chart_program"


class ChartProgram:
    """The module, bundled on first use. `content` blocks: call it on any thread but the event loop's."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._content: bytes | None = None

    def content(self) -> bytes:
        """Return the JavaScript, compressed with gzip. Raises NoProgram."""
        with self._lock:
            if self._content is None:
                self._content = self._cached_bundle()
            return self._content

    def _cached_bundle(self) -> bytes:
        file = self._folder / f"charts-{installed()}.js.gz"
        try:
            return file.read_bytes()
        except FileNotFoundError:
            content = gzip.compress(bundle_module(), mtime=0)
        self._folder.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(f".{os.getpid()}")
        part.write_bytes(content)
        part.replace(file)  # several servers may share the folder: none reads a part of the file
        return content


def installed() -> str:
    """Return the installed version of vl-convert. Raises NoProgram without one."""
    try:
        return version(PACKAGE)
    except PackageNotFoundError:
        raise NoProgram(
            f"{PACKAGE} is not installed.", f"Install {PACKAGE}: charts are pictures until then."
        ) from None


def bundle_module() -> bytes:
    """Bundle the module. Raises NoProgram."""
    try:
        process = subprocess.run(
            # `-I` ignores PYTHON* variables and the user's site-packages.
            [sys.executable, "-I", "-c", MAKE],
            capture_output=True,
            timeout=SECONDS,
            check=True,
            env={"PATH": ""},
        )
    except (OSError, subprocess.SubprocessError) as fault:
        raise NoProgram(f"The module for charts could not be bundled: {type(fault).__name__}.") from fault
    return process.stdout
