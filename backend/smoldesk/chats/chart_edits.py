"""Changes of charts by their controls: each draws the chart again and is an event of the chat's log.

A change is stored as a small set of values (charts/inside/chart_changes.py), never as a spec of the client. The event has
the new chart and the code of its cell with the changes, so pages, exports and reports show the same.
"""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection

from smoldesk.charts import ChangedSpec, Control, changed_spec, is_place, picture_of, with_changes
from smoldesk.charts.inside.chart_rules import MAX_BYTES
from smoldesk.errors import BadInput, NotFound
from smoldesk.events import ChartChanged, Shown
from smoldesk.messages import Chart, ChartContent, Code, outputs_in
from smoldesk.stopping import shielded
from smoldesk.store import chats, event_log, files
from smoldesk.store.files import FileKind, StoredFile, media_type_of
from smoldesk.store.store import Store
from smoldesk.store.transaction import Tx

# Each change stores a spec with its rows and a picture.
MAX_CHANGES = 200


@dataclass(frozen=True)
class _ShownChart:
    """Chart as it was first shown and as it is now, its code, and the other changed charts of that code."""

    first: ChartContent
    now: ChartContent
    code: Code | None
    code_seq: int | None
    neighbours: list[ChartContent]
    change_count: int


class ChartChanges:
    """Controls of the charts of all chats. Methods raise NotFound for an unknown chart."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._one_at_a_time = asyncio.Lock()
        """One of the two places for drawing stays free for runs."""

    async def controls(self, chat_id: str, spec_id: str) -> list[Control]:
        """Return the controls of a chart; `spec_id` is that of the chart as it was first shown."""
        shown = await self._store.aread(lambda connection: _read_chart(connection, chat_id, spec_id))
        changed = await asyncio.to_thread(self._changed, shown, shown.now.changes or {}, ())
        return changed.controls

    async def change(self, chat_id: str, spec_id: str, changes: Mapping[str, str]) -> list[Control]:
        """Set controls of a chart and return all of them. Raises BadInput for an invalid value, NoPicture."""
        async with self._one_at_a_time:
            shown = await self._store.aread(lambda connection: _read_chart(connection, chat_id, spec_id))
            if shown.change_count >= MAX_CHANGES:
                raise BadInput(
                    f"This chart was changed {MAX_CHANGES} times already.",
                    "Ask for a new chart.",
                    code="bad_chart_change",
                )
            return await shielded(self._make(chat_id, spec_id, shown, changes))

    async def _make(
        self, chat_id: str, spec_id: str, shown: _ShownChart, changes: Mapping[str, str]
    ) -> list[Control]:
        merged = {**(shown.now.changes or {}), **changes}
        stored: list[StoredFile] = []

        try:
            changed, chart = await asyncio.to_thread(
                self._drawn, chat_id, shown, merged, tuple(changes), stored
            )
            event = ChartChanged(
                spec_id=spec_id, chart=chart, code=_changed_code(shown, chart), code_seq=shown.code_seq
            )

            def job(tx: Tx) -> None:
                chats.get_chat(tx.connection, chat_id)
                for file in stored:
                    files.add_file(tx, file)
                tx.append(chat_id, [event])

            await self._store.do(job)
        except BaseException:
            for file in stored:
                await asyncio.to_thread(self._store.files.discard, file.id)
            raise
        return changed.controls

    def _changed(
        self, shown: _ShownChart, changes: Mapping[str, object], newest: tuple[str, ...]
    ) -> ChangedSpec:
        base = self._store.files.existing_path(shown.now.base_id or shown.now.spec_id)
        return changed_spec(base.read_bytes(), changes, newest)

    def _drawn(
        self,
        chat_id: str,
        shown: _ShownChart,
        changes: Mapping[str, object],
        newest: tuple[str, ...],
        stored: list[StoredFile],
    ) -> tuple[ChangedSpec, ChartContent]:
        """Draw the chart and add its spec and its picture to `stored`."""
        changed = self._changed(shown, changes, newest)
        picture = picture_of(changed.spec)
        stored.append(self._keep(chat_id, changed.spec.encode(), "chart", f"{shown.now.name}.json"))
        stored.append(self._keep(chat_id, picture.png, "figure", f"{shown.now.name}.png"))
        content = shown.now.model_copy(
            update={
                "spec_id": stored[0].id,
                "image_id": stored[1].id,
                "width": picture.width,
                "height": picture.height,
                "base_id": shown.now.base_id or shown.now.spec_id,
                "changes": changed.changes,
            }
        )
        return changed, content

    def _keep(self, chat_id: str, data: bytes, kind: FileKind, name: str) -> StoredFile:
        file_id = self._store.files.keep_bytes(data, max(MAX_BYTES, len(data)))
        return StoredFile(file_id, chat_id, kind, name, len(data), media_type_of(name))


def _read_chart(connection: Connection, chat_id: str, spec_id: str) -> _ShownChart:
    chats.get_chat(connection, chat_id)
    first, seq, run_id = _first(connection, chat_id, spec_id)
    changes = [
        event
        for _, _, body in _all_events(connection, chat_id, "chart_changed")
        if isinstance(event := event_log.parsed(body), ChartChanged)
    ]
    now = {event.spec_id: event for event in changes}
    own = now.pop(spec_id, None)
    code, code_seq = _code(connection, chat_id, run_id, seq, first)
    neighbours = [event.chart for event in now.values() if event.code_seq == code_seq is not None]
    count = sum(event.spec_id == spec_id for event in changes)
    return _ShownChart(first, own.chart if own else first, code, code_seq, neighbours, count)


def _all_events(
    connection: Connection, chat_id: str, kind: str, run_id: str | None = None
) -> Iterator[tuple[int, str | None, str]]:
    """Yield (seq, run id, JSON), with one page in memory at a time."""
    seq = 0
    while page := event_log.read_events(connection, chat_id, seq, types=[kind], run_id=run_id):
        for seq, found_run_id, _, body in page:
            yield seq, found_run_id, body


def _first(connection: Connection, chat_id: str, spec_id: str) -> tuple[ChartContent, int, str | None]:
    for seq, run_id, body in _all_events(connection, chat_id, "shown"):
        for chart in _charts_of(body) if spec_id in body else ():
            if chart.spec_id == spec_id and chart.code_at:
                return chart, seq, run_id
    raise NotFound(f"There is no chart {spec_id[:80]!r} with controls in this chat.")


def _charts_of(body: str) -> list[ChartContent]:
    event = event_log.parsed(body)
    messages = outputs_in(event.message) if isinstance(event, Shown) else ()
    return [message.content for message in messages if isinstance(message, Chart)]


def _code(
    connection: Connection, chat_id: str, run_id: str | None, seq: int, chart: ChartContent
) -> tuple[Code | None, int | None]:
    """Return the code that the chart's place is in: the last one of a step before it that has a call there.

    There is none if that call shows other charts, too, as in a loop: their changes cannot all stand in it.
    """
    begin, end = chart.code_at or (0, 0)
    place = f'"codeAt":[{begin},{end}]'
    result: tuple[Code | None, int | None] = None, None
    charts = 0
    for code_seq, _, body in _all_events(connection, chat_id, "shown", run_id):
        if place in body:
            charts += sum(each.code_at == chart.code_at for each in _charts_of(body))
        event = event_log.parsed(body) if '"type":"code"' in body else None
        message = event.message if isinstance(event, Shown) else None
        if not isinstance(message, Code) or message.step is None:
            continue
        if code_seq > seq:
            break
        if is_place(message.content, begin, end):
            result, charts = (message, code_seq), 0
    return result if charts == 1 else (None, None)


def _changed_code(shown: _ShownChart, chart: ChartContent) -> Code | None:
    """Return the code with the changes of all its charts; the last place first, so that the others stay where they are."""
    if shown.code is None:
        return None
    code = shown.code.content
    for each in sorted([chart, *shown.neighbours], key=lambda each: each.code_at or [], reverse=True):
        begin, end = each.code_at or (0, 0)
        code = with_changes(code, begin, end, each.changes or {})
    return shown.code.model_copy(update={"content": code})
