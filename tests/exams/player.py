"""Plays cases through a real agent: the desk's own AgentWrapper, its catalogue and profiles, code in a real child.

There is one chat, and so one child, for each table; each case begins with an empty history, so talks do not mix, and
what a case saved is removed after it. Only the log is ours: events are kept in a list instead of the store.
"""

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import pandas as pd
from pydantic import JsonValue

from smoldesk.analyst.catalogue import Catalogue
from smoldesk.cli.run import give
from smoldesk.desk import Desk, build_desk
from smoldesk.errors import DeskError
from smoldesk.events import (
    Ask,
    RunEvent,
    RunFinished,
    RunStarted,
    Shown,
    StepFinished,
    StoredEvent,
    ToolCalled,
)
from smoldesk.messages import RoomRef, as_json
from smoldesk.sandbox.inside.tables import column
from smoldesk.stopping import StopFlag
from smoldesk.store import chats
from smoldesk.store.asks import Answer as AskAnswer
from smoldesk.store.files import FileKind, StoredFile, media_type_of
from smoldesk.tools.gate import CheckedCall, PendingCall
from tests.exams.answer import Answer, Grid
from tests.exams.case import Case
from tests.support.aio import run_async
from tests.support.desk_server import settings_for

AgentKind = Literal["code", "tools"]


class OpenGate:
    """Lets every call pass: nothing the analyst calls needs a person."""

    def begin_step(self) -> None: ...

    def passed(self, calls: Sequence[PendingCall]) -> Iterator[CheckedCall]:
        for call in calls:
            yield CheckedCall(call, call.arguments)


class TalkContext:
    """Implements tools.run_context.RunContext for one turn; `history` are the turns before it."""

    def __init__(
        self, chat_id: str, folder: Path, stored: Path, earlier: list[StoredEvent], pick: int | None = 0
    ) -> None:
        """`pick` is which of what is offered is chosen; None: nothing is."""
        self.pick, self.offered = pick, list[str]()
        self.chat_id, self.folder = chat_id, folder
        self.run_id = f"turn-{len(earlier)}"
        self.stop = StopFlag()
        self.notes: list[str] = []
        self.selection: list[RoomRef] = []
        self.attachments: list[str] = []
        self.about = None
        self.shared_state = None
        self.gate = OpenGate()
        self.events: list[RunEvent] = []
        self.names: dict[str, str] = {}
        self._store_folder, self._earlier, self._figures = stored, earlier, 0

    def emit(self, *events: RunEvent) -> None:
        self.events += events

    def emit_soon(self, event: RunEvent) -> None:
        self.events.append(event)

    def settle(self) -> None: ...

    def ask(self, ask: Ask) -> AskAnswer:
        assert ask.kind == "input" and ask.options, f"the analyst asked for {ask.tool or ask.kind}"
        self.offered = ask.options
        if self.pick is None:
            return AskAnswer(granted=False, reason="the exam chooses nothing", by="person")
        return AskAnswer(granted=True, value=ask.options[min(self.pick, len(ask.options) - 1)], by="person")

    def keep_file(self, relative: str, kind: FileKind, name: str | None = None) -> StoredFile:
        return self.keep_bytes((self.folder / relative).read_bytes(), kind, name or relative)

    def keep_bytes(self, data: bytes, kind: FileKind, name: str) -> StoredFile:
        file_id = f"file{len(self.names)}"
        self.names[file_id] = name
        self.stored_path(file_id).write_bytes(data)
        return StoredFile(file_id, self.chat_id, kind, name, len(data), media_type_of(name))

    def keep_message(self, text: str, is_answer: bool = False) -> str:
        return ""

    def share_state(self, changes: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        raise AssertionError("no front end shares a state")

    def next_figure(self) -> int:
        self._figures += 1
        return self._figures

    def changing_folder(self) -> AbstractContextManager[Path]:
        return nullcontext(self.folder)

    def stored_path(self, file_id: str) -> Path:
        return self._store_folder / file_id

    def history(self) -> list[StoredEvent]:
        return self._earlier


class Player:
    """A desk and one chat per table. Close it when done."""

    def __init__(self, folder: Path, kind: AgentKind = "code", preload: Sequence[str] | None = None) -> None:
        ready = ["numpy", "pandas", "matplotlib.pyplot", "seaborn"] if preload is None else list(preload)
        settings = settings_for(folder / "desk", agent=kind, max_steps=4, sandbox_preload=ready)
        self._desk: Desk = build_desk(settings)
        self._folder = folder
        self._chats: dict[str, str] = {}

    def __enter__(self) -> "Player":
        return self

    def __exit__(self, *fault: object) -> None:
        self._desk.close()

    def play(self, case: Case, pick: int | None = None) -> Answer:
        """The answer to the case's last turn; `pick` is chosen of what it offers."""
        chat_id = self._chat(case)
        folder = self._desk.data_dir.chat_folder(chat_id)
        before = set(folder.iterdir())
        talk: list[StoredEvent] = []
        stored = self._folder / "kept"
        answer = Answer()
        for number, turn in enumerate(case.turns, start=1):
            shutil.rmtree(stored, ignore_errors=True)
            stored.mkdir()
            chosen = pick if number == len(case.turns) else 0
            answer = self._turn(turn, TalkContext(chat_id, folder, stored, list(talk), chosen), talk)
        for created in set(folder.iterdir()) - before:
            if created.is_file():
                created.unlink()
        return answer

    def catalogue(self, case: Case) -> Catalogue:
        """What the desk tells the analyst in the chat of a case's table."""
        return self._desk.agents.catalogue(self._chat(case))

    def _turn(self, turn: str, ctx: TalkContext, talk: list[StoredEvent]) -> Answer:
        fault = text = ""
        try:
            text = self._desk.agents.build(ctx.chat_id, ctx.stop).run(turn, ctx)
        except DeskError as failed:
            fault = f"{failed.code}: {failed.message}"
        finally:
            ctx.stop.close()
        done = [event for event in ctx.events if isinstance(event, StepFinished)]
        for event in (RunStarted(message=turn), *done, RunFinished(text=text)):
            stored = StoredEvent(
                chat_id=ctx.chat_id, seq=len(talk) + 1, run_id=ctx.run_id, at=datetime.now(UTC), event=event
            )
            talk.append(stored)
        return answer_of(text, fault, ctx)

    def _chat(self, case: Case) -> str:
        """The chat of the case's table, made when first needed."""
        text = case.text()
        name = case.called if text else ""
        key = case.table or text
        if key not in self._chats:
            chat_id = self._desk.store.submit(lambda tx: chats.new_chat(tx)).result().id
            if name:
                path = self._folder / f"{name}.csv"
                path.write_text(text, encoding="utf-8", newline="")
                run_async(give(self._desk, chat_id, path))
            self._chats[key] = chat_id
        return self._chats[key]


def answer_of(text: str, fault: str, ctx: TalkContext) -> Answer:
    """What a person sees of a turn's events."""
    answer = Answer(text=text, fault=fault, offered=ctx.offered)
    for event in ctx.events:
        if isinstance(event, ToolCalled) and event.tool != "final_answer":
            answer.code += json.dumps(event.arguments, ensure_ascii=False) + "\n"
        if isinstance(event, Shown):
            _show(answer, as_json(event.message), ctx)
    return answer


def _show(answer: Answer, message: dict[str, Any], ctx: TalkContext) -> None:
    """Add a message to an answer."""
    answer.messages.append(message)
    content: Any = message.get("content")
    match message["type"]:
        case "code":
            answer.code += f"{content}\n"
        case "table":
            answer.tables.append(_table(content, ctx))
        case "file":
            file = _file(ctx.stored_path(content["fileId"]), content["name"])
            answer.files.append((content["name"], file))
        case "error" if not answer.fault:
            answer.fault = str(content)
        case "alternatives":
            answer.is_unsure = True
            answer.text = answer.text.removesuffix(f"\n\n{content['note']}")
            answer.others = [_folded(entry, answer.code, ctx) for entry in content["alternatives"][1:]]
        case _:
            pass


def _folded(entry: dict[str, Any], code: str, ctx: TalkContext) -> Answer:
    """A folded answer, as a person sees it who opens it."""
    outputs = entry["outputs"]
    text = "\n\n".join(output["content"] for output in outputs if output["type"] == "text")
    other = Answer(text=text, code=code, fault=entry.get("error", ""))
    for output in outputs:
        _show(other, output, ctx)
    return other


def _table(content: dict[str, Any], ctx: TalkContext) -> Grid:
    """All rows of a shown table; the message has only the first ones."""
    rows = read_rows(ctx.stored_path(content["tableId"]))
    columns = [column["name"] for column in content["columns"]]
    return Grid(columns, rows if len(rows) >= content["rowCount"] else content["rows"])


def read_rows(path: Path) -> list[list[Any]]:
    """All rows of a stored table, as pages of it have them."""
    frame = pd.read_parquet(path)
    return [
        list(row) for row in zip(*(column(frame.iloc[:, n])[1] for n in range(frame.shape[1])), strict=True)
    ]


READERS: dict[str, Callable[[Path], pd.DataFrame]] = {
    "csv": pd.read_csv,
    "xlsx": lambda path: pd.read_excel(path, engine="openpyxl"),
}


def _file(path: Path, name: str) -> Grid | None:
    reader = READERS.get(name.rpartition(".")[2].lower())
    if reader is None:
        return None
    frame = reader(path)
    return Grid([str(column) for column in frame.columns], frame.astype(object).values.tolist())
