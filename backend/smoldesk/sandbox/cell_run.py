"""One cell, served to its end by the run's own thread: prints, tool calls, shown things, stopping.

The thread waits on the child's socket and the stop flag together. The child's frames are checked here; a
child that breaks the protocol is killed, and the cell ends with an error. The server is unaffected.
"""

import contextlib
import logging
import re
import secrets
import select
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, assert_never

from smoldesk.errors import NotFound, Stopped
from smoldesk.folders import size_inside
from smoldesk.sandbox import frames
from smoldesk.sandbox.cell import (
    AnswerPart,
    CellAlternative,
    CellChart,
    CellError,
    CellResult,
    CellTable,
    OutputItem,
    ProducedFile,
)
from smoldesk.sandbox.child import Child
from smoldesk.sandbox.frames import BadFrame
from smoldesk.sandbox.losses import loss
from smoldesk.sandbox.process import ChildGone, ChildProcess
from smoldesk.sandbox.slots import Slot
from smoldesk.sandbox.termination import TerminationSteps, Why
from smoldesk.sandbox.tool_host import ToolHost, ToolRequest
from smoldesk.stopping import StopFlag

if TYPE_CHECKING:
    from pydantic import JsonValue

log = logging.getLogger(__name__)

TICK_SECONDS = 0.5
MAX_PRINTED = 2 * 1024 * 1024
MAX_OUTPUT_ITEMS = 400
# Bytes of shown items, mostly first rows of tables; further tables come without rows, which are read from their file.
MAX_PREVIEWS = 8 * 1024 * 1024
MAX_CALLS = 10_000
# Maximum number of alternative answers of one cell.
MAX_ALTERNATIVES = 5
# Maximum number of progress frames that one cell may send.
MAX_WORK = 10_000
# Line ends of Python source. `splitlines` has more (U+2028, form feeds) and would count other lines than the traceback.
LINE_ENDS = re.compile(r"\r\n|\r|\n")


class CellRun:
    """Runs one cell in a ready process that nothing else uses, with the processor slot `place`.

    `tools` are the names that may be called.
    """

    def __init__(
        self,
        child: Child,
        process: ChildProcess,
        host: ToolHost,
        stop: StopFlag,
        tools: frozenset[str],
        place: Slot,
    ) -> None:
        self._child = child
        self._process = process
        self._host = host
        self._stop = stop
        self._tools = tools
        # Unguessable, so that a thread which an earlier cell left cannot end this one in its name.
        self._cell = secrets.token_hex(8)
        self._lines: list[str] = []
        self._ladder = TerminationSteps(child.cell_seconds, child.grace_seconds)
        self._watch = process.watch(child.folder, child.limits)
        self._place = place
        self._stop_reason = ""
        self._printed: list[str] = []
        self._printed_size = 0
        self._calls = 0
        self._work_frames = 0
        self._works: dict[int, frames.Work] = {}
        self._previews = 0
        self._output_items: list[frames.FileItem | frames.TableItem | frames.ChartItem] = []
        self._alternatives: list[tuple[frames.AlternativeAnswer, int]] = []
        """Each with the number of items that were shown when it ended."""
        self._answer: frames.Answer | frames.AlternativeAnswer | None = None
        self._done: frames.Done | None = None

    def run(self, code: str, is_answer: bool = False) -> CellResult:
        """Run `code` and return what became of it, however it ended; only a failing host makes this raise.

        With `is_answer` the last value is an answer, too.
        """
        result = self._ran(code, is_answer)
        self._end_work()
        return result

    def _ran(self, code: str, is_answer: bool) -> CellResult:
        self._lines = LINE_ENDS.split(code)
        try:
            self._begin(code, is_answer)
            while self._done is None:
                self._serve()
            self._process.collect(self._child.folder, self._stop)
            self._check_folder_size(at_once=True)  # a short cell may have written much
        except BadFrame as fault:
            return self._lost("ProtocolError", f"The Python process sent {fault}")
        except ChildGone as fault:
            return self._lost("ProcessEnded", f"The Python process ended ({fault})")
        except _Killed:
            return self._lost("ProcessEnded", "The Python process did not stop when asked and was ended")
        except _FarTooFull:
            self._ladder.begin("full")
            return self._lost("OSError", "The chat's folder is full")
        except BaseException:
            self._end("the run was cut off")  # no thread is left to serve the cell
            raise
        return self._finished(self._done)

    # --- the conversation -----------------------------------------------------------------------------------

    def _begin(self, code: str, is_answer: bool) -> None:
        self._process.cells += 1
        number, sent = self._process.cells, self._process.interrupts
        cell = {"type": "cell", "cell": self._cell, "number": number, "code": code, "is_answer": is_answer}
        self._process.send(cell | {"interrupts": sent})

    def _serve(self) -> None:
        """Handle one frame, or wait for one, the stop flag or the clock."""
        if self._stop.is_set:
            self._make_end("stop")
        if self._ladder.remaining_seconds() <= 0:
            if self._ladder.ending:
                raise _Killed
            self._make_end("deadline")
        self._check_folder_size()
        body = self._process.reader.next()
        if body is not None:
            self._handle(frames.parse(body), len(body))
        elif not self._process.receive():
            self._wait()

    def _wait(self) -> None:
        waiting = select.poll()
        waiting.register(self._process.sock, select.POLLIN)
        if not self._ladder.ending:
            # The flag stays set: polled while the cell ends, it would make this a busy loop.
            waiting.register(self._stop, select.POLLIN)
        # At most a tick, since the folder's size has to be checked while the child is silent.
        if waiting.poll(min(self._ladder.remaining_seconds(), TICK_SECONDS) * 1000) or self._process.alive:
            return
        # a forked grandchild may hold the socket open; what the child had sent before it died still counts
        if not self._process.receive():
            raise ChildGone(self._process.how_it_ended())

    def _check_folder_size(self, at_once: bool = False) -> None:
        state = self._watch.state(at_once)
        if state == "far too full":
            raise _FarTooFull
        if state == "full" and self._done is None:
            self._make_end("full")

    def _make_end(self, why: Why) -> None:
        if self._ladder.begin(why):
            self._stop_reason = self._stop_reason or self._stop.reason
            self._process.interrupt()

    def _handle(self, frame: frames.ChildFrame, size: int) -> None:
        if isinstance(frame, frames.Ready) or frame.cell != self._cell:
            raise BadFrame("a frame of another cell")
        match frame:
            case frames.Printed():
                self._printed_size += len(frame.text)
                if self._printed_size > MAX_PRINTED:
                    raise BadFrame("more output than one cell may print")
                self._printed.append(frame.text)
                self._host.printed(frame.text)
            case frames.Display():
                if len(self._output_items) >= MAX_OUTPUT_ITEMS:
                    raise BadFrame("more things to show than one cell may")
                self._previews += size
                item = frame.item
                full = self._previews > MAX_PREVIEWS
                self._output_items.append(
                    replace(item, rows=[]) if full and isinstance(item, frames.TableItem) else item
                )
            case frames.Work():
                self._work(frame)
            case frames.Answer():
                self._answer = self._answer or frame
            case frames.AlternativeAnswer():
                if len(self._alternatives) >= MAX_ALTERNATIVES:
                    raise BadFrame("more alternatives than one cell may have")
                self._alternatives.append((frame, len(self._output_items)))
                self._answer = self._answer or (frame if frame.parts else None)
            case frames.Call(tool=name) if name in self._child.services:
                self._serve_call(frame)
            case frames.Call():
                self._reply(frame)
            case frames.Done():
                self._done = frame
            case _:
                assert_never(frame)

    def _work(self, work: frames.Work) -> None:
        self._work_frames += 1
        if self._work_frames > MAX_WORK:
            raise BadFrame("more reports about its work than one cell may send")
        if work.state == "running":
            self._works[work.id] = work
        elif self._works.pop(work.id, None) is None:
            raise BadFrame("the end of work that never started")
        with contextlib.suppress(Stopped):  # the cell is stopped anyway
            self._host.worked(work)

    def _end_work(self) -> None:
        """However the cell ended, none of its work goes on."""
        for work in self._works.values():
            with contextlib.suppress(Stopped):
                self._host.worked(replace(work, state="failed", words="the cell ended"))

    # --- tool calls -----------------------------------------------------------------------------------------

    def _reply(self, call: frames.Call) -> None:
        """Have the host run the call. Meanwhile the child and its clock are stopped, and its processor slot is free."""
        started = time.monotonic()
        self._process.pause()
        self._child.waiting = True
        self._place.give_back()
        try:
            self._process.collect(self._child.folder, self._stop)
            reply = self._called(call)
            self._process.deliver(self._child.folder, self._stop)
            self._take_place_again()
        finally:
            self._child.waiting = False
        self._process.resume()
        self._ladder.pause(time.monotonic() - started)
        try:
            data = frames.encode({**reply, "id": call.id})
        # json.dumps raises each of these; `encode` also raises ValueError for a frame that is too large.
        except (TypeError, ValueError, RecursionError) as fault:
            text = f"the result of {call.tool} cannot be passed to the cell: {fault}"
            data = frames.encode({"type": "raised", "id": call.id, "name": "ValueError", "message": text})
        self._process.send_bytes(data)

    def _serve_call(self, call: frames.Call) -> None:
        """Answer a call of a service. Its clock stands and its processor slot is free, but the child goes on: such calls
        come often, and from any of its threads.
        """
        started = time.monotonic()
        self._place.give_back()
        if self._stop.is_set or self._ladder.ending:
            reply = _stopped(self._stop.reason)
        else:
            try:
                value = self._child.services[call.tool](call.kwargs, self._stop)
                reply = {"type": "returned", "result": {"kind": "json", "value": value}}
            except Stopped as stop:
                reply = _stopped(stop.message)
            except Exception as fault:  # as for a tool
                reply = _raised(type(fault).__name__, str(fault)[:4_000])
        self._take_place_again()
        self._ladder.pause(time.monotonic() - started)
        self._process.send_bytes(frames.encode({**reply, "id": call.id}))

    def _called(self, call: frames.Call) -> dict[str, Any]:
        """Have the host run the tool; its exception becomes one in the cell."""
        # Code may catch the interrupt and call again: after a stop no tool may start.
        if self._stop.is_set or self._ladder.ending:
            return _stopped(self._stop.reason)
        self._calls += 1
        if call.tool not in self._tools:
            return _raised("NameError", f"there is no tool named {call.tool!r}")
        if self._calls > MAX_CALLS:
            return _raised("RuntimeError", f"a cell may call tools {MAX_CALLS:,} times")
        request = ToolRequest(
            # Not the child's number: approvals and events of all chats are found by this id.
            call_id=secrets.token_hex(8),
            tool=call.tool,
            args=call.args,
            kwargs=call.kwargs,
            line=call.line if call.line and call.line <= len(self._lines) else None,
            source=self._source(call.line),
        )
        try:
            return {"type": "returned", "result": self._host.call(request)}
        except Stopped as stop:
            self._stop_reason = stop.message
            self._make_end("stop")
            return _stopped(stop.message)
        except Exception as fault:  # a tool may raise anything: the cell gets it, by name, as its own
            return _raised(type(fault).__name__, str(fault)[:4_000])

    def _source(self, line: int | None) -> str | None:
        """Return that line of the code the host sent, not of what the child reports."""
        return self._lines[line - 1].strip() if line and line <= len(self._lines) else None

    def _take_place_again(self) -> None:
        """After a call; a cell that is to end needs no place for that."""
        with contextlib.suppress(Stopped):
            if not self._ladder.ending:
                # A process that was killed during the call must not queue for a processor.
                self._place.take(lambda: not self._process.alive)

    # --- the end --------------------------------------------------------------------------------------------

    def _finished(self, done: frames.Done) -> CellResult:
        """Return the result of a cell that ended by itself, perhaps after a request."""
        result = self._result()
        if self._answer is None:
            error = done.error and self._error(done.error)
            result = replace(result, output=done.output or "", value=done.value, error=error)
        return result

    def _error(self, fault: frames.Fault) -> CellError:
        name, message, traceback = fault.name, fault.message, fault.traceback
        code = "code_memory" if name == "MemoryError" else "code_error"
        if self._ladder.why in ("deadline", "full"):
            name, message, code = self._why()
            traceback = f"{traceback.rstrip()}\n{name}: {message}"  # it ends with the interrupt alone
        return CellError(name, message, traceback, fault.line, self._source(fault.line), code)

    def _lost(self, name: str, message: str) -> CellResult:
        """Return the result of a cell whose process is gone or has to go; the next cell starts a new one."""
        code = "process_ended"
        if self._ladder.why in ("deadline", "full"):
            name, message, code = self._why()
        # The closed socket is only the effect: the thread that killed the process left the cause here.
        elif self._child.ending:
            message = f"The Python process was ended: {self._child.ending}"
        reason = {"stop": loss("stopped"), "deadline": loss("deadline"), "full": loss("full")}
        files_note = "what it wrote is lost with it" if self._process.loss else "its files are kept"
        if removed := self._end(reason.get(self._ladder.why, message[0].lower() + message[1:])):
            name, message, code = "OSError", self._full(), "folder_full"
            files_note = f"{removed:,} files it had written were removed"
        result = replace(self._result(), variables_intact=False)
        if self._answer is None:
            message = f"{message}; its variables are gone, {files_note}; the next cell starts a new one."
            result = replace(result, error=CellError(name, message, f"{name}: {message}", code=code))
        return result

    def _end(self, reason: str) -> int:
        """End the process, and remove what the cell wrote when that is far too much; returns how many files.

        Checked after every end, so a cell that dies between two checks cannot leave more than others.
        """
        self._child.end(reason)
        removed = self._watch.sweep() if self._watch.state(at_once=True) == "far too full" else 0
        if removed:
            self._output_items.clear()
            log.warning("a chat's folder was far too full: %d files of the last cell were removed", removed)
        return removed

    def _why(self) -> tuple[str, str, str]:
        """Return name, message and code of the error of a terminated cell, also if the code caught the interrupt."""
        if self._ladder.why == "deadline":
            seconds = self._child.cell_seconds
            return "TimeoutError", f"The code ran longer than {seconds:g} s and was stopped", "code_timeout"
        return "OSError", f"{self._full()} and the code was stopped", "folder_full"

    def _full(self) -> str:
        limits = self._child.limits
        return (
            f"The chat's folder is full (at most {limits.folder // 1024**2:,} MiB or {limits.files:,} files)"
        )

    def _result(self) -> CellResult:
        items = [self._checked(item) for item in self._output_items]
        answered = self._answer or self._done
        result = CellResult(
            printed="".join(self._printed),
            parts=[_part(part, items) for part in answered.parts] if answered else [],
            output_items=[item for item in items if item is not None],
            alternatives=list(self._alternative_answers(items)),
            stopped=self._ladder.why == "stop" or self._stop.is_set,
        )
        if self._answer is not None:
            answer = self._answer
            result = replace(result, output=answer.output, value=answer.value, is_final_answer=True)
        return result

    def _alternative_answers(self, items: "list[OutputItem | None]") -> Iterator[CellAlternative]:
        begin = 0
        for answer, end in self._alternatives:
            shown = [item for item in items[begin:end] if item is not None]
            yield CellAlternative(
                answer.sentence, [_part(part, items) for part in answer.parts], shown, answer.error
            )
            begin = end

    @property
    def stop_reason(self) -> str:
        return self._stop_reason or self._stop.reason

    def _checked(self, item: frames.FileItem | frames.TableItem | frames.ChartItem) -> OutputItem | None:
        """Return the item with facts that the host measured itself; None if the file is not in this chat's folder."""
        try:
            size = size_inside(self._child.folder, item.path)
        except NotFound:
            log.warning("a child reported a file that is not in its folder")
            return None
        if isinstance(item, frames.FileItem):
            return ProducedFile(item.path, size, item.kind)
        if isinstance(item, frames.ChartItem):
            at = (item.at[0], item.at[1]) if len(item.at) == 2 else None
            facts = (item.name, item.title, item.path, item.rows, item.shown, item.reduced)
            return CellChart(*facts, item.changes, at)
        columns: list[dict[str, JsonValue]] = [
            {
                "name": column.name,
                "kind": column.kind,
                "type": column.type,
                **({"as_text": True} if column.as_text else {}),
            }
            for column in item.columns
        ]
        rows: list[list[JsonValue]] = [[*row] for row in item.rows]
        # `frames` checks the type of each value, but not that the rows have as many as there are columns.
        if any(len(row) != len(columns) for row in rows):
            return None
        return CellTable(item.name, item.path, columns, rows, item.row_count)


def _part(part: frames.PartItem, items: "list[OutputItem | None]") -> AnswerPart:
    item = items[part.item] if 0 <= part.item < len(items) else None
    return AnswerPart(part.kind, part.caption, part.text, part.value, item)


class _Killed(Exception):
    """The grace is over."""


class _FarTooFull(Exception):
    """The folder holds more than can be waited for."""


def _stopped(reason: str) -> dict[str, Any]:
    return {"type": "stopped", "reason": reason}


def _raised(name: str, message: str) -> dict[str, Any]:
    return {"type": "raised", "name": name, "message": message}
