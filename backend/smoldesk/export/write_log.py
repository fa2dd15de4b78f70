"""Log of a chat, written line by line, up to the chat's seq at the start.

Ids are numbered in the order of their first use. So a log reveals no id of its desk, and an imported chat exports the
same log again.
"""

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from pydantic import BaseModel
from sqlalchemy import Connection

from smoldesk import __version__
from smoldesk.errors import NotFound
from smoldesk.events import AnyEvent, BuildingChosen, ModelCalled, Nested, ToolProgress, unnested
from smoldesk.export.log_format import (
    CONTROLS,
    PIECE,
    PLAIN,
    REPORTS,
    VERSION,
    End,
    Head,
    LogFile,
    LogPrompt,
    renamed,
)
from smoldesk.export.pins import Pins
from smoldesk.store import buildings, chats, event_log, files, reports, run_rows
from smoldesk.store.event_log import parsed, read_events
from smoldesk.store.prompt_messages import message_id, read_messages
from smoldesk.store.store import Store


class LogIds:
    """Ids of a log, counted from 1 for each kind."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self._counts: Counter[str] = Counter()

    def name(self, kind: str, old: str) -> str:
        """Return the log's id for one of the desk."""
        if old not in self.names:
            self._counts[kind] += 1
            self.names[old] = f"{kind}_{self._counts[kind]:024x}"
        return self.names[old]


def log_lines(store: Store, chat_id: str) -> Iterator[bytes]:
    """Yield the lines of a chat's log, with one page of events in memory at a time.

    Blocks: do not call it on the event loop. Raises NotFound at the first line.
    """

    def read_log(
        connection: Connection,
    ) -> tuple[chats.ChatInfo, int, reports.StoredReport | None, bool, bool, bool]:
        chat, report = chats.get_chat(connection, chat_id), reports.read_report(connection, chat_id)
        nested = event_log.has_event(connection, chat_id, "nested") or any(
            files.count_files(connection, chat_id, kind) for kind in files.APPS
        )
        newer = event_log.has_controls_or_versions(connection, chat_id)
        proven = event_log.has_evidence(connection, chat_id)
        return chat, len(run_rows.open_runs(connection, chat_id)), report, nested, newer, proven

    chat, open_runs, report, nested, newer, proven = store.read(read_log)
    head = Head(
        desk=f"smoldesk {__version__}",
        exported_at=datetime.now(UTC),
        title=chat.title,
        created_at=datetime.fromtimestamp(chat.created_at, UTC),
        last_seq=chat.last_seq,
        open_runs=open_runs,
    )
    newer = newer or (report is not None and Pins.model_validate_json(report.body).is_written)
    older = CONTROLS if newer else REPORTS if report or nested else PLAIN
    version = VERSION if proven else older
    yield f'{{"smoldesk_log":{version},"head":{head.model_dump_json()}}}\n'.encode()
    ids = LogIds()
    prompts: dict[str, str] = {}
    events, after, file_count = 0, 0, 0
    while page := _page(store, chat_id, after, chat.last_seq):
        for seq, run_id, at, body in page:
            # A search in the text first: only events of these types are parsed.
            if '"type":"building_chosen"' in body:
                for line in _building(store, body, ids):
                    yield line
                    file_count += line.startswith(b'{"file"')
            if '"type":"model_called"' in body and isinstance(call := unnested(parsed(body)), ModelCalled):
                yield from _prompts(store, chat_id, call, ids, prompts)
                body = _replace_event(parsed(body), _with_prompts(call, prompts))
            moment = datetime.fromtimestamp(at, UTC).isoformat()
            facts = f'"seq":{seq},"run_id":{json.dumps(run_id)},"at":"{moment}","event":'
            # Replaced in the JSON text, so that ids in any field, also in messages and code, are found.
            yield renamed(f"{{{facts}{_without_contexts(body)}}}\n", ids.name).encode()
            events, after = events + 1, seq
    if events < chat.last_seq:
        raise chats.no_such_chat(chat_id)  # deleted during the export
    if report:
        yield renamed(f'{{"report":{report.body}}}\n', ids.name).encode()
    stored_files = store.read(lambda connection: files.all_files(connection, chat_id))
    for file in stored_files:
        if file.id in ids.names:
            file_count += 1
            yield from _file(store.files.fetch(file.id), file.kind, file.name, ids.names[file.id])
    yield _line("end", End(events=events, files=file_count, prompts=len(prompts)))


def _page(store: Store, chat_id: str, after: int, last: int) -> list[tuple[int, str | None, float, str]]:
    rows = store.read(lambda connection: read_events(connection, chat_id, after))
    return [row for row in rows if row[0] <= last]


def _without_contexts(body: str) -> str:
    """Return an event without the context id of a remote agent: an imported chat must not continue its thread."""
    if '"context_id":"' not in body:
        return body
    event = parsed(body)
    progress = unnested(event)
    if not isinstance(progress, ToolProgress):
        return body
    return _replace_event(event, progress.model_copy(update={"context_id": None}))


def _replace_event(event: AnyEvent, changed: ModelCalled | ToolProgress) -> str:
    """Return the JSON of a changed event, within its Nested event if it is a managed agent's."""
    if isinstance(event, Nested):
        return event.model_copy(update={"event": changed}).model_dump_json()
    return changed.model_dump_json()


def _prompts(
    store: Store, chat_id: str, call: ModelCalled, ids: LogIds, names: dict[str, str]
) -> Iterator[bytes]:
    """Yield the prompt messages that this call is the first to refer to, and note their new hashes in `names`."""
    for prompt_id in [*call.then, *([call.response] if call.response else [])]:
        if prompt_id in names:
            continue
        message = store.read(partial(read_messages, chat_id=chat_id, ids=[prompt_id])).get(prompt_id)
        if message is not None:
            text = renamed(message, ids.name)
            names[prompt_id] = message_id(text)
            yield _line("prompt", LogPrompt(id=names[prompt_id], text=text))


def _with_prompts(call: ModelCalled, names: Mapping[str, str]) -> ModelCalled:
    then = [names.get(prompt_id, prompt_id) for prompt_id in call.then]
    return call.model_copy(update={"then": then, "response": names.get(call.response or "", call.response)})


def _building(store: Store, body: str, ids: LogIds) -> Iterator[bytes]:
    """Yield a building with its images at its first mention; nothing if it was deleted."""
    event = parsed(body)
    assert isinstance(event, BuildingChosen)
    building_id = event.building_id
    if building_id is None or building_id in ids.names:
        return
    try:
        definition = store.read(lambda connection: buildings.definition_text(connection, building_id))
        images = store.read(lambda connection: buildings.images_of(connection, building_id))
    except NotFound:
        return
    text = json.dumps({"id": building_id, "name": event.name, "images": list(images)}, ensure_ascii=False)
    yield renamed(f'{{"building":{text[:-1]},"definition":{definition}}}}}\n', ids.name).encode()
    for name, image in images.items():
        yield from _file(store.files.fetch(image.file_id), "floor", name, ids.name("f", image.file_id))


def _file(path: Path, kind: str, name: str, log_id: str) -> Iterator[bytes]:
    """Yield a file's facts, then its pieces. Stored bytes never change, so the hash fits the pieces read later."""
    facts = {"id": log_id, "kind": kind, "name": name}
    try:
        stream = path.open("rb")
    except OSError:
        yield _line("file", LogFile.model_validate(facts | {"size": 0, "is_missing": True}))
        return
    with stream as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        size = file.tell()
        yield _line("file", LogFile.model_validate(facts | {"size": size, "sha256": digest}))
        file.seek(0)
        while piece := file.read(PIECE):
            yield b'{"piece":"' + base64.b64encode(piece) + b'"}\n'


def _line(name: str, part: BaseModel) -> bytes:
    return f'{{"{name}":{part.model_dump_json(exclude_defaults=True)}}}\n'.encode()
