"""Pictures of charts: a jailed child of its own for each, with a clock, a memory and no way out.

A chart is shown only when its picture could be made: what the child cannot draw in time, a page would hang over. Loading
what draws takes far longer than drawing, so a child is loaded ahead where a chart may come; it has heard of none then.
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
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from smoldesk.charts.svg import checked_svg
from smoldesk.charts.theme import chart_config
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
# For starting the process and drawing; most take less than one.
SECONDS = 20.0
AT_ONCE = 2
FOLDER = "smoldesk-chart-"
# How old is what no process works in any more.
LEFT_SECONDS = 3600.0
SCALE = 2.0
# What the JavaScript engine reserves, of which it uses little; what it may write to is bounded in the child.
ADDRESS_SPACE = 512 * 1024 * MIB
# Of a side of the picture.
MOST_PIXELS = 10_000
# Control characters, as JSON writes them: the engine ends itself over one.
_UNDRAWN = re.compile(r"(?<!\\)((?:\\\\)*)(?:\\u00[01][0-9a-f]|\\[bf])", re.IGNORECASE)
_places = threading.BoundedSemaphore(AT_ONCE)
_waiting = WaitingProcess()


@dataclass(frozen=True)
class Picture:
    """A PNG and its size in CSS pixels."""

    png: bytes
    width: int
    height: int


class NoPicture(DeskError):
    """A chart could not be drawn; its words say why."""

    code = "chart_undrawable"


class _TooLong(ChildGone):
    """No answer in time."""


class Answer(BaseModel):
    """What the process may say, once."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    type: str
    picture: str
    error: str


def picture_of(spec: str, stop: StopFlag | None = None, seconds: float = SECONDS) -> Picture:
    """The picture of a Vega-Lite spec (JSON). Raises NoPicture with the reason, Stopped while it waits for a place."""
    try:
        png = base64.b64decode(_drawn(spec, "png", stop, seconds), validate=True)
    except binascii.Error:
        raise NoPicture("Drawing the chart gave no picture.") from None
    return _measured(png)


def svg_of(spec: str, stop: StopFlag | None = None, seconds: float = SECONDS) -> str:
    """The same as SVG: shapes and text alone. Raises as `picture_of` does, and BadInput for anything else that came."""
    return checked_svg(_drawn(spec, "svg", stop, seconds))


def _drawn(spec: str, form: str, stop: StopFlag | None, seconds: float) -> str:
    spec = _UNDRAWN.sub(r"\1 ", spec)
    while not _places.acquire(timeout=0.2):
        if stop is not None:
            stop.check()
    try:
        answer = _request_picture(spec, form, time.monotonic() + seconds, stop)
    finally:
        _places.release()
    if answer.error:
        raise NoPicture(f"The chart could not be drawn: {answer.error}")
    return answer.picture


def _measured(png: bytes) -> Picture:
    if png[:8] != b"\x89PNG\r\n\x1a\n" or png[12:16] != b"IHDR":
        raise NoPicture("Drawing the chart gave no picture.")
    width, height = int.from_bytes(png[16:20]), int.from_bytes(png[20:24])
    if max(width, height) > MOST_PIXELS:
        raise NoPicture(f"The chart is too large: {int(width / SCALE):,} by {int(height / SCALE):,} pixels.")
    return Picture(png, round(width / SCALE), round(height / SCALE))


def prepare_picture() -> None:
    """Have a process started for the picture that may be wanted next. Any thread; does not wait."""
    _waiting.prepare(PROGRAM, _started)


def _request_picture(spec: str, form: str, deadline: float, stop: StopFlag | None) -> Answer:
    try:
        process = _waiting.take(PROGRAM) or _started()
    except OSError as fault:
        raise NoPicture(f"The chart could not be drawn: {fault}.") from fault
    try:
        process.send(
            {"type": "chart", "spec": spec, "form": form, "scale": SCALE, "config": chart_config(spec)}
        )
        _next(process, deadline, stop)  # ready
        return Answer.model_validate_json(_next(process, deadline, stop))
    except (BadFrame, ValidationError) as fault:
        raise NoPicture("Drawing the chart gave an answer that makes no sense.") from fault
    except ChildGone as fault:
        why = "it takes too long" if isinstance(fault, _TooLong) else "it takes too much memory"
        hint = "Draw fewer rows, groups or views."
        raise NoPicture(f"The chart could not be drawn: {why}.", hint) from fault
    finally:
        process.kill()
        prepare_picture()


def _started() -> ChildProcess:
    """A process on its way into a jail with an empty folder, which goes with it. Raises OSError."""
    _sweep()
    folder = Path(tempfile.mkdtemp(prefix=FOLDER)).resolve()
    plan = jail_here(folder.parent).plan or {}
    uid = owner_of(folder) if plan.get("own_user") else None
    if uid is not None:
        change_owner(folder, uid)
    try:
        process = start_program(
            PROGRAM, folder, plan, CHILD_PACKAGES, Limits(memory=ADDRESS_SPACE, seconds=60)
        )
    except OSError:
        folder.rmdir()
        raise
    weakref.finalize(process, shutil.rmtree, folder, ignore_errors=True)
    try:
        process.send({"type": "jail", "folder": str(folder), "uid": uid})
    except ChildGone as fault:
        process.kill()
        raise OSError(str(fault)) from fault
    return process


def _sweep() -> None:
    """Remove the empty folders that servers left which were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{FOLDER}*"):
        with contextlib.suppress(OSError):  # it is in use, another user's, or gone
            if time.time() - folder.lstat().st_mtime > LEFT_SECONDS:
                folder.rmdir()


def _next(process: ChildProcess, deadline: float, stop: StopFlag | None) -> bytes:
    """The next frame's body; raises ChildGone when there is none in time, or Stopped."""
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
        waiting = select.poll()
        waiting.register(process.sock, select.POLLIN)
        waiting.poll(min(remaining, 0.5) * 1000)
    return body
