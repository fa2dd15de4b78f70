"""Pictures of charts, each drawn in a jailed child with limits of time and memory.

A chart is shown only if its picture could be drawn: a spec that overloads the child would hang the page. Loading the
engine takes far longer than drawing, so a child is started ahead when a chart is likely. It has no spec yet.
"""

import base64
import binascii
import contextlib
import re
import select
import shutil
import tempfile
import threading
import time
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from smoldesk.charts.svg import checked_svg
from smoldesk.charts.theme import Theme, chart_config
from smoldesk.errors import DeskError
from smoldesk.sandbox.frames import BadFrame
from smoldesk.sandbox.isolation import jail_here
from smoldesk.sandbox.limits import MIB, Limits
from smoldesk.sandbox.process import ChildGone, ChildProcess, change_owner, owner_of
from smoldesk.sandbox.programs import start_program
from smoldesk.sandbox.waiting_process import WaitingProcess
from smoldesk.stopping import StopFlag

PROGRAM = "smoldesk.charts.inside.picture_program"
CHILD_PACKAGES = {"smoldesk.charts": str(Path(__file__).parent)}
# Time for starting the process and drawing; most charts take less than 1 s.
SECONDS = 20.0
AT_ONCE = 2
FOLDER = "smoldesk-chart-"
# Age at which a folder cannot belong to a running child.
LEFT_SECONDS = 3600.0
SCALE = 2.0
# The JavaScript engine reserves far more than it uses; the child limits its writable memory instead.
ADDRESS_SPACE = 512 * 1024 * MIB
# Maximum pixels of a side of the picture.
MAX_PIXELS = 10_000
# Control characters as JSON escapes: one of them makes the engine abort.
_UNDRAWN = re.compile(r"(?<!\\)((?:\\\\)*)(?:\\u00[01][0-9a-f]|\\[bf])", re.IGNORECASE)
_places = threading.BoundedSemaphore(AT_ONCE)
_waiting = WaitingProcess()


@dataclass(frozen=True)
class Picture:
    """PNG and its size in CSS pixels."""

    png: bytes
    width: int
    height: int


class NoPicture(DeskError):
    """A chart could not be drawn; the message says why."""

    code = "chart_undrawable"


class _TooLong(ChildGone):
    """No answer in time."""


class Answer(BaseModel):
    """The only answer of the drawing process."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    type: str
    picture: str
    error: str


@dataclass(frozen=True)
class Drawing:
    """Program that draws one thing in a jailed process; `hint` says what to do if it takes too long or too much memory."""

    program: str
    packages: Mapping[str, str]
    noun: str
    hint: str

    def answer_to(self, frame: dict[str, Any], stop: StopFlag | None, seconds: float = SECONDS) -> str:
        """Return what the program draws of a frame. Raises NoPicture with the reason, Stopped while waiting for a slot."""
        while not _places.acquire(timeout=0.2):
            if stop is not None:
                stop.check()
        try:
            answer = self._request(frame, time.monotonic() + seconds, stop)
        finally:
            _places.release()
        if answer.error:
            raise NoPicture(f"The {self.noun} could not be drawn: {answer.error}")
        return answer.picture

    def prepare(self) -> None:
        """Start a process for the next picture in the background; from any thread."""
        _waiting.prepare(self.program, self._started)

    def _request(self, frame: dict[str, Any], deadline: float, stop: StopFlag | None) -> Answer:
        process = None
        try:
            process = _waiting.take(self.program) or self._started()
            process.send(frame)
            _next(process, deadline, stop)  # ready
            return Answer.model_validate_json(_next(process, deadline, stop))
        except OSError as fault:
            raise NoPicture(f"The {self.noun} could not be drawn: {fault}.") from fault
        except (BadFrame, ValidationError) as fault:
            raise NoPicture(f"The process that draws the {self.noun} sent an invalid answer.") from fault
        except ChildGone as fault:
            why = "it takes too long" if isinstance(fault, _TooLong) else "it takes too much memory"
            raise NoPicture(f"The {self.noun} could not be drawn: {why}.", self.hint) from fault
        finally:
            if process is not None:
                process.kill()

    def _started(self) -> ChildProcess:
        """Start a process that enters a jail with an empty folder, which is deleted with it. Raises OSError."""
        _sweep()
        folder = Path(tempfile.mkdtemp(prefix=FOLDER)).resolve()
        plan = jail_here(folder.parent).plan or {}
        uid = owner_of(folder) if plan.get("own_user") else None
        if uid is not None:
            change_owner(folder, uid)
        try:
            limits = Limits(memory=ADDRESS_SPACE, seconds=60)
            process = start_program(self.program, folder, plan, self.packages, limits)
        except OSError:
            folder.rmdir()
            raise
        # The folder lives as long as the process object, which may wait unused for its first chart.
        weakref.finalize(process, shutil.rmtree, folder, ignore_errors=True)
        try:
            process.send({"type": "jail", "folder": str(folder), "uid": uid})
        except ChildGone as fault:
            process.kill()
            raise OSError(str(fault)) from fault
        return process


_CHART = Drawing(PROGRAM, CHILD_PACKAGES, "chart", "Draw fewer rows, groups or views.")


def picture_of(
    spec: str, stop: StopFlag | None = None, seconds: float = SECONDS, theme: Theme = "light"
) -> Picture:
    """Return the picture of a Vega-Lite spec (JSON). Raises NoPicture with the reason, Stopped while waiting for a
    slot.
    """
    try:
        png = base64.b64decode(_drawn(spec, "png", stop, seconds, theme), validate=True)
    except binascii.Error:
        raise NoPicture("The process that draws the chart sent no valid picture.") from None
    return _measured(png)


def svg_of(spec: str, stop: StopFlag | None = None, seconds: float = SECONDS, theme: Theme = "light") -> str:
    """Return the picture as SVG of shapes and text. Raises as `picture_of` does, and BadInput for any other content."""
    return checked_svg(_drawn(spec, "svg", stop, seconds, theme))


def _drawn(spec: str, form: str, stop: StopFlag | None, seconds: float, theme: Theme) -> str:
    spec = _UNDRAWN.sub(r"\1 ", spec)
    config = chart_config(spec, theme)
    frame = {"type": "chart", "spec": spec, "form": form, "scale": SCALE, "config": config}
    try:
        return _CHART.answer_to(frame, stop, seconds)
    finally:
        prepare_picture()


def _measured(png: bytes) -> Picture:
    # A PNG starts with its signature and the IHDR chunk, which begins with width and height (RFC 2083, 4.1.1).
    if png[:8] != b"\x89PNG\r\n\x1a\n" or png[12:16] != b"IHDR":
        raise NoPicture("The process that draws the chart sent no PNG.")
    width, height = int.from_bytes(png[16:20]), int.from_bytes(png[20:24])
    if max(width, height) > MAX_PIXELS:
        raise NoPicture(f"The chart is too large: {int(width / SCALE):,} by {int(height / SCALE):,} pixels.")
    return Picture(png, round(width / SCALE), round(height / SCALE))


def prepare_picture() -> None:
    """Start a process for the next chart in the background; from any thread."""
    _CHART.prepare()


def _sweep() -> None:
    """Delete the empty folders of killed servers."""
    for folder in Path(tempfile.gettempdir()).glob(f"{FOLDER}*"):
        with contextlib.suppress(OSError):  # it is not empty, another user's, or deleted
            if time.time() - folder.lstat().st_mtime > LEFT_SECONDS:
                folder.rmdir()


def _next(process: ChildProcess, deadline: float, stop: StopFlag | None) -> bytes:
    """Return the next frame's body. Raises ChildGone if there is none in time, or Stopped."""
    while (body := process.reader.next()) is None:
        if stop is not None:
            stop.check()
        if process.receive():
            continue
        if not process.alive:
            raise ChildGone("it has ended")
        remaining = deadline - time.monotonic()
        if remaining <= 0:
            raise _TooLong("it takes too long")
        poller = select.poll()
        poller.register(process.sock, select.POLLIN)
        poller.poll(min(remaining, 0.5) * 1000)
    return body
