"""One claimed run: what it says goes into the log, in order, on its own thread only."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from pathlib import Path

from pydantic import JsonValue

from smoldesk.errors import BadInput, Conflict, DeskError, Stopped
from smoldesk.events import (
    Ask,
    ClosingEvent,
    Delta,
    Nested,
    Printed,
    RunEvent,
    StepFinished,
    StoredEvent,
    ToolProgress,
)
from smoldesk.evidence import EarlierAnswer, EvidenceCollector
from smoldesk.messages import Evidence
from smoldesk.runs.asking import RunAskPort, log_asks_closed
from smoldesk.runs.asks import ApprovalGate, AskRules, Asks
from smoldesk.runs.asks.answers import is_deeper
from smoldesk.runs.earlier_runs import RunHistory, continued
from smoldesk.runs.open_calls import OpenEnds
from smoldesk.runs.stored_prompts import PromptRecorder
from smoldesk.sandbox.limits import Limits
from smoldesk.stopping import StopFlag
from smoldesk.store import event_log, run_queue
from smoldesk.store.asks import Answer, deny_open
from smoldesk.store.chat_choices import DEEPEST_SHARED, DESK_PARTS, MAX_SHARED, merge_state
from smoldesk.store.fault_causes import cause_of, store_fault
from smoldesk.store.files import (
    FileKind,
    StoredFile,
    add_file,
    count_files,
    media_type_of,
)
from smoldesk.store.prompt_messages import keep_messages, stored_ids
from smoldesk.store.run_options import RunOptions
from smoldesk.store.store import Store
from smoldesk.store.transaction import Tx


class RunUsage:
    """Steps and tokens of one run, tokens also of its managed agents; only where the provider counts them."""

    def __init__(self) -> None:
        self._steps = 0
        self._tokens: dict[str, int] = {}

    def note(self, events: Iterable[RunEvent]) -> None:
        """Take in events, in order."""
        for event in events:
            self._steps += isinstance(event, StepFinished)
            step = event.event if isinstance(event, Nested) else event
            if isinstance(step, StepFinished):
                for name, count in (("tokens_in", step.input_tokens), ("tokens_out", step.output_tokens)):
                    if count is not None:
                        self._tokens[name] = self._tokens.get(name, 0) + count

    def facts(self) -> dict[str, float | None]:
        """Return the figures by their names in the log."""
        return {"steps": self._steps, **self._tokens}


# Bytes of a shown table: the limit of a file that the chat's code writes.
TABLE_LIMIT = Limits().file


class ClaimedRun:
    """Implements RunContext (tools/run_context.py) for one run that this server has claimed."""

    def __init__(
        self,
        store: Store,
        asks: Asks,
        claim: run_queue.Claim,
        stop: StopFlag,
        *,
        file_limit: int,
        history: RunHistory,
        ask_rules: AskRules,
        hide: Callable[[str], str] = str,
        on_closed: Callable[[], None] = lambda: None,
    ) -> None:
        """`hide` takes the desk's secrets out of a text; `on_closed` is called once the end of the run is committed."""
        self.chat_id = claim.run.chat_id
        self.run_id = claim.run.id
        self.folder: Path = store.data_dir.chat_folder(self.chat_id)
        self.stop = stop
        self.notes = claim.notes
        self.attachments = claim.attachments
        self.selection = claim.selection
        self.about = claim.about
        self.shared_state = claim.shared_state
        self._asking = RunAskPort(store, asks, self)
        self.gate = ApprovalGate(self._asking, ask_rules)
        self._run = claim.run
        self._epoch = claim.epoch
        self._store = store
        self._file_limit = file_limit
        self._history = history
        self._on_closed = on_closed
        self._fault: BaseException | None = None
        self._ends = OpenEnds()
        self.usage = RunUsage()
        self._evidence = EvidenceCollector(
            claim.run.message, is_code=bool(RunOptions.read(claim.run.options).is_code)
        )
        self._files: list[StoredFile] = []
        self._prompts = PromptRecorder(
            self.run_id, lambda: store.read(lambda c: stored_ids(c, self.chat_id), snapshot=False), hide
        )
        self._figures: int | None = None

    def emit(self, *events: RunEvent) -> None:
        """Append events in one transaction (not waited for); raises Stopped when the run was closed from outside."""
        self._prompts.note(events)
        messages = self._prompts.drain()
        if messages:
            self._submit(list(events), lambda tx: keep_messages(tx, self.chat_id, messages))
        elif self._files:
            self._submit(list(events))
        else:
            self._soon(events)

    def emit_soon(self, event: Delta | Printed | ToolProgress | Nested) -> None:
        """Append a piece, joined with its neighbours."""
        self._soon([event])

    def settle(self) -> None:
        """Wait until everything emitted is committed."""
        self._store.submit(
            lambda tx: None, self.run_id
        ).result()  # takes along, and so waits for, all before it
        self._check()

    def ask(self, ask: Ask) -> Answer:
        """Open an ask, wait, close it. Raises Stopped when the run was stopped meanwhile."""
        return self._asking.ask(ask)

    def write(self, events: list[RunEvent], *also: Callable[[Tx], None]) -> None:
        """Append events and do more in the same transaction; returns when it is committed."""
        self._submit(events, *also)
        self.settle()

    def keep_file(self, relative: str, kind: FileKind, name: str | None = None) -> StoredFile:
        """Store a copy of a file of the chat's folder; its row is written with the next events."""
        limit = max(self._file_limit, TABLE_LIMIT) if kind == "table" else self._file_limit
        file_id, size = self._store.files.keep(self.folder, relative, limit)
        return self._add_file(file_id, size, kind, name or relative)

    def keep_bytes(self, data: bytes, kind: FileKind, name: str) -> StoredFile:
        """Store bytes that came in a text; their row is written with the next events."""
        return self._add_file(self._store.files.keep_bytes(data, self._file_limit), len(data), kind, name)

    def _add_file(self, file_id: str, size: int, kind: FileKind, name: str) -> StoredFile:
        file = StoredFile(file_id, self.chat_id, kind, name, size, media_type_of(name))
        self._files.append(file)
        return file

    def keep_message(self, text: str, is_answer: bool = False) -> str:
        """Keep one message of a prompt, once in its chat; its row is written with the next events."""
        return self._prompts.keep(text, is_answer)

    def share_state(self, changes: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        """Merge changes into the state that front ends share with the chat, notify its followers, and return the stored
        state.
        """
        reserved = [name for name in changes if name in DESK_PARTS]
        if reserved or is_deeper(dict(changes), DEEPEST_SHARED):
            raise BadInput(
                f"The desk keeps {reserved[0]!r} itself."
                if reserved
                else "These changes are nested too deeply.",
                f"Any names but {', '.join(DESK_PARTS)}, and at most {DEEPEST_SHARED} levels.",
                code="bad_state",
            )
        stored_states: list[dict[str, JsonValue] | None] = []
        self.write([], lambda tx: stored_states.append(merge_state(tx, self.chat_id, changes, self._epoch)))
        if (state := stored_states[-1]) is None:  # a transaction may be done again
            raise BadInput(
                "The state would be too long.", f"At most {MAX_SHARED} characters.", code="too_large"
            )
        return state

    def next_figure(self) -> int:
        """Return the number for the next figure without a name, counted per chat from 1."""
        if self._figures is None:
            self._figures = self._store.read(lambda c: count_files(c, self.chat_id, "figure"))
        self._figures += 1
        return self._figures

    def changing_folder(self) -> AbstractContextManager[Path]:
        """Bring the chat's folder up to date with other servers, and what changes in it meanwhile to them."""
        return self._store.folders.changing(self.chat_id)

    def stored_path(self, file_id: str) -> Path:
        """Return the path of a stored file."""
        return self._store.files.fetch(file_id)

    def history(self) -> list[StoredEvent]:
        """Return the starts and steps of the previous runs and the readings that a person kept, oldest first.

        For another version of a turn, those before its first one.
        """
        if not self._history.runs:
            return []
        if turn := RunOptions.read(self._run.options).version_of:
            before = self._store.read(lambda c: self._history.read_before(c, self.chat_id, turn))
            return [*continued(before)]
        events, newest_step = self._store.read(lambda c: self._history.read(c, self.chat_id), snapshot=False)
        if newest_step:
            self._prompts.note_step(newest_step.run_id, newest_step.step, newest_step.body)
        return [*continued(stored for stored in events if stored.run_id != self.run_id)]

    def evidence(self, answer: str) -> Evidence | None:
        """Return the evidence of the run's answer; None if it has no figures."""

        def earlier() -> list[EarlierAnswer]:
            rows = self._store.read(lambda c: event_log.read_evidence(c, self.chat_id, self.run_id))
            return [EarlierAnswer(*row) for row in rows]

        return self._evidence.evidence(
            answer, earlier, lambda file_id: self.stored_path(file_id).read_bytes()
        )

    def close(self, event: ClosingEvent, *before: RunEvent) -> None:
        """Close the run: what is still open, then `before`, then the one closing event; waits for the commit."""
        reason = self.stop.reason or "The run ended"
        unheard = self._ends.asks()
        ends = self._ends.closing(reason, "stop")
        last = [*ends, *before, event]
        files, self._files = self._files, []
        messages = self._prompts.drain(is_over=True)

        # In one go with the last ones: an append of its own would change the chat's row once more.
        events = [*self._store.writer.take_lingering(self.run_id), *last]

        def job(tx: Tx) -> None:
            for file in files:
                add_file(tx, file)
            keep_messages(tx, self.chat_id, messages)
            if unheard:  # every row of an ask that is open has its event
                deny_open(tx, self.run_id, reason, "stop", unheard)
            run_queue.close_run(tx, self._run, self._epoch, events)

        self._store.writer.stamp(self.run_id, last)
        future = self._store.submit(job)
        future.add_done_callback(lambda done: None if done.exception() else self._on_closed())
        future.result()
        log_asks_closed(self._run, self._ends, ends)

    def _submit(self, events: list[RunEvent], *also: Callable[[Tx], None]) -> None:
        self._check()
        self._ends.note(events)
        self.usage.note(events)
        self._evidence.note(events)
        files, self._files = self._files, []

        def job(tx: Tx) -> None:
            for file in files:
                add_file(tx, file)
            for change in also:
                change(tx)
            tx.append(self.chat_id, events, self.run_id, self._epoch)

        self._store.writer.stamp(self.run_id, events)
        self._store.submit(job, self.run_id).add_done_callback(self._done)

    def _soon(self, events: Sequence[RunEvent]) -> None:
        self._check()
        self._ends.note(events)
        self.usage.note(events)
        self._evidence.note(events)
        self._store.writer.append_soon(self.chat_id, self.run_id, self._epoch, events, self._refused)

    def _done(self, future: "Future[None]") -> None:
        fault = future.exception()
        if fault is not None:
            self._refused(fault)

    def _refused(self, fault: BaseException) -> None:
        self._fault = self._fault or fault

    def _check(self) -> None:
        if self._fault is None:
            return
        if isinstance(self._fault, Conflict):
            raise Stopped("The run was closed from outside.")
        if cause_of(self._fault):
            raise store_fault(self._fault) from self._fault
        raise DeskError(
            "The log could not be written.", str(self._fault), code="log_unwritable"
        ) from self._fault
