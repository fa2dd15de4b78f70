"""Charts that are drawn once in a run of tests, and their module that is bundled once.

To load the engine takes a second of a processor for each picture, and most tests of charts ask for one of a few. Here
whoever wants a picture that another process or test of the run has got takes it from a folder. Tests of the drawing
itself (tests/charts) draw each.
"""

import fcntl
import hashlib
import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from smoldesk.charts import vega_program
from smoldesk.charts.pictures import PROGRAM, Answer, Drawing

draw = Drawing._request  # noqa: SLF001
_prepared = Drawing.prepare
_bundled = vega_program.bundle_module


@contextmanager
def kept_charts(folder: Path) -> Iterator[None]:
    """Keep what this process draws and bundles in `folder`, which other processes share."""

    def request(self: Drawing, frame: dict[str, Any], *limits: Any) -> Answer:
        """A picture as it was drawn; what failed, and drawings other than charts, are not kept."""
        if self.program != PROGRAM:
            return draw(self, frame, *limits)
        file = folder / hashlib.sha256(json.dumps(frame, sort_keys=True).encode()).hexdigest()
        if file.exists():
            return Answer.model_validate_json(file.read_bytes())
        answer = draw(self, frame, *limits)
        if not answer.error:
            _write(file, answer.model_dump_json().encode())
        return answer

    def prepare(self: Drawing) -> None:
        """No process waits for a chart that is likely to be there."""
        if self.program != PROGRAM:
            _prepared(self)

    def module() -> bytes:
        return _once(folder / f"module-{vega_program.installed()}", _bundled)

    with (
        mock.patch.object(Drawing, "_request", request),
        mock.patch.object(Drawing, "prepare", prepare),
        mock.patch.object(vega_program, "bundle_module", module),
    ):
        yield


@contextmanager
def charts_drawn() -> Iterator[None]:
    """Have each picture drawn by a process of its own, as a desk does outside of tests."""
    with mock.patch.object(Drawing, "_request", draw), mock.patch.object(Drawing, "prepare", _prepared):
        yield


def _once(file: Path, make: Callable[[], bytes]) -> bytes:
    """The content of the file, which the first who asks makes; the others wait."""
    with file.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.exists():
            _write(file, make())
    return file.read_bytes()


def _write(file: Path, content: bytes) -> None:
    """At once: no reader sees half of it."""
    with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as part:
        part.write(content)
    Path(part.name).replace(file)
