"""Results of a run as a tool result: text, images and the map as content, everything as structured content."""

import asyncio
import base64
import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from mcp_types import (
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
)
from pydantic import JsonValue

from smoldesk import messages as m
from smoldesk.charts import NoPicture
from smoldesk.desk import Desk
from smoldesk.events import Ask
from smoldesk.export.map_svg import MapState, pictured_arrow
from smoldesk.markdown.answer_forms import Language, first_rows, language_of
from smoldesk.messages import StepOutput
from smoldesk.wires.mcp.analyst_models import (
    AnalystAnswer,
    AnswerArrow,
    AnswerChart,
    AnswerColumn,
    AnswerFile,
    AnswerMap,
    AnswerRoom,
    AnswerState,
    AnswerTable,
    WaitingFor,
)
from smoldesk.wires.mcp.run_watch import RunWatch
from smoldesk.wires.serialization import alternatives_json, file_url, image_type, table_url, time_text
from smoldesk.wires.task_projection import RUN_STATES, StatusUpdate, is_part_of_answer

# Limits of one result, which goes into a model's context.
MAX_PICTURES = 8
MAX_PICTURE_BYTES = 1_000_000
MAX_SPEC_BYTES = 256_000
MAX_ROWS = 50
# Maximum overlays of a map as data, and maximum marked places; the image has all of them.
MAX_DRAWN = 200
SVG = "image/svg+xml"
# Image types that models accept.
RASTER = ("image/png", "image/jpeg", "image/gif", "image/webp")
ANSWER_HINTS = {
    "password": "A person enters it on the desk's page.",
    "client_tool": "A page of this chat does it; answer_ask with its result as JSON does instead.",
}
DEFAULT_HINT = "Ask the person, then call answer_ask with this ask_id."


class AnswerContent:
    """Builder of tool results; files are read in threads."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def result(self, watch: RunWatch) -> CallToolResult:
        """Return the result of a run so far. A failed or cancelled run is a tool error."""
        status, outputs, chat_id = watch.status, watch.outputs(), watch.record.chat_id
        pictures: list[ContentBlock] = []
        language = language_of(watch.record.message)
        answer = AnalystAnswer(
            chat_id=chat_id,
            run_id=watch.record.id,
            state=_state(status),
            text="\n\n".join(block for output in outputs if (block := _as_markdown(output, language))),
            error=_error(status, outputs),
            asks=[open_ask(ask) for ask in watch.asks],
            evidence=m.as_json(status.evidence) if status is not None and status.evidence else None,
        )
        for message in outputs:
            await self._add(answer, pictures, message, chat_id)
        if any(isinstance(output, m.Map | m.MapFrames | m.HighlightRoom | m.Arrow) for output in outputs):
            drawn = await asyncio.to_thread(self._desk.exports.map_now, chat_id)
            answer.map = map_of(drawn, chat_id)
            with suppress(NoPicture):  # the answer has the map as data
                svg = await asyncio.to_thread(drawn.svg)
                resource = TextResourceContents(uri=answer.map.uri, mime_type=SVG, text=svg)
                pictures.append(EmbeddedResource(resource=resource))
        paragraphs = [answer.text or answer.error or "", *(_describe_ask(ask) for ask in answer.asks)]
        # Links after the text, for clients that ignore structured content.
        links: list[ContentBlock] = [
            ResourceLink(uri=table.uri, name=table.name, mime_type="application/json")
            for table in answer.tables
        ]
        text = TextContent(text="\n\n".join(part for part in paragraphs if part) or "The run has no answer.")
        return CallToolResult(
            content=[text, *pictures, *links],
            structured_content=answer.model_dump(mode="json"),
            is_error=answer.state in ("failed", "cancelled"),
        )

    async def _add(
        self, answer: AnalystAnswer, pictures: list[ContentBlock], message: StepOutput, chat_id: str
    ) -> None:
        match message:
            case m.Table(content=table):
                answer.tables.append(_table(table, chat_id))
            case m.Chart(content=chart):
                picture = f"{chart.name}.png"
                answer.charts.append(
                    AnswerChart(
                        name=chart.name,
                        description=chart.description,
                        spec=await asyncio.to_thread(_spec, await self._desk.files.fetch(chart.spec_id)),
                        url=file_url(chat_id, f"{chart.name}.json", chart.spec_id),
                        image_url=file_url(chat_id, picture, chart.image_id),
                    )
                )
                await self._show(pictures, chart.image_id, "image/png")
            case m.Image():
                name, kind = message.path or f"{message.file_id}.{message.format}", image_type(message.format)
                url = file_url(chat_id, name, message.file_id)
                answer.images.append(AnswerFile(name=name, media_type=kind, url=url))
                await self._show(pictures, message.file_id, kind)
            case m.File(content=file) if file.file_id:
                url = file_url(chat_id, file.name, file.file_id)
                answer.files.append(AnswerFile(name=file.name, media_type=file.media_type, url=url))
            case m.Alternatives(content=content):
                answer.alternatives = alternatives_json(content, chat_id)["alternatives"]
            case _:
                pass

    async def _show(self, pictures: list[ContentBlock], file_id: str, kind: str) -> None:
        """Add an image for the model; large ones are left out, since the answer has their address."""
        if kind not in RASTER or len(pictures) >= MAX_PICTURES:
            return
        data = await asyncio.to_thread(_read_bytes, await self._desk.files.fetch(file_id), MAX_PICTURE_BYTES)
        if data:
            pictures.append(ImageContent(data=base64.b64encode(data).decode(), mime_type=kind))


def map_of(drawn: MapState, chat_id: str) -> AnswerMap:
    """Return a map as data, with the agent of each drawing if several drew."""
    several = len(drawn.layers) > 1
    layers = [(agent if several else None, layer) for agent, layer in drawn.layers.items()]
    return AnswerMap(
        floor_id=drawn.floor.floor_id,
        floor=drawn.floor.floor_name,
        rooms=[
            AnswerRoom(name=room.name, color=room.color, value=room.value, agent=agent)
            for agent, layer in layers
            for room in layer.rooms
        ],
        arrows=[
            AnswerArrow(room=arrow.room, direction=arrow.direction, agent=agent)
            for agent, layer in layers
            for arrow in [*filter(None, map(pictured_arrow, layer.overlays)), *layer.arrows]
        ],
        overlays=_first_of(
            (agent, overlay)
            for agent, layer in layers
            for overlay in layer.overlays
            if pictured_arrow(overlay) is None
        ),
        points=_first_of((agent, point) for agent, layer in layers for point in layer.points),
        layers=[*drawn.layers],
        uri=f"smoldesk://chats/{chat_id}/map",
    )


def _first_of(drawn: Iterable[tuple[str | None, m.Shape]]) -> list[dict[str, JsonValue]]:
    """Return the first MAX_DRAWN shapes as JSON, each with its agent."""
    return [m.as_json(shape) | {"agent": agent} for agent, shape in islice(drawn, MAX_DRAWN)]


def open_ask(ask: Ask) -> WaitingFor:
    """Return an ask with instructions for its answer."""
    kind = ask.input_type if ask.kind == "input" else ask.kind
    return WaitingFor(
        ask_id=ask.id,
        kind=ask.kind,
        prompt=ask.prompt,
        tool=ask.tool,
        arguments=ask.arguments if ask.tool else {},
        input_type=ask.input_type,
        options=ask.options,
        expires_at=time_text(ask.expires_at),
        how=ANSWER_HINTS.get(kind, DEFAULT_HINT),
    )


def _describe_ask(ask: WaitingFor) -> str:
    what = ask.prompt or f"{ask.tool} with {json.dumps(ask.arguments, ensure_ascii=False)}"
    return f"Open until {ask.expires_at} ({ask.ask_id}, {ask.kind}): {what}. {ask.how}"


def _state(status: StatusUpdate | None) -> AnswerState:
    states: dict[str, AnswerState] = {"finished": "finished", "failed": "failed", "cancelled": "cancelled"}
    return states.get(RUN_STATES[status.state] if status else "", "waiting")


def _error(status: StatusUpdate | None, outputs: Sequence[StepOutput]) -> str | None:
    if status is not None and status.failure is not None:
        return f"{status.failure.code}: {status.failure.message} {status.failure.hint}".strip()
    return status.reason if status is not None else None


def _as_markdown(message: StepOutput, language: Language) -> str:
    """Return a part of the answer as Markdown, "" for anything else."""
    if isinstance(message, m.Table):
        return first_rows(message.content, language) if message.is_answer else ""
    if isinstance(message, m.Alternatives):
        return message.content.note
    if not is_part_of_answer(message):
        return ""
    return (
        message.content if isinstance(message, m.Text) else f"```{message.language}\n{message.content}\n```"
    )


def _table(table: m.TableContent, chat_id: str) -> AnswerTable:
    return AnswerTable(
        id=table.table_id,
        name=table.name,
        columns=[AnswerColumn(name=column.name, kind=column.kind) for column in table.columns],
        rows=table.rows[:MAX_ROWS],
        row_count=table.row_count,
        url=table_url(chat_id, table.table_id),
        uri=f"smoldesk://chats/{chat_id}/tables/{table.table_id}",
    )


def _read_bytes(path: Path, most: int) -> bytes | None:
    """Return the bytes of a stored file, or None if it is absent or larger."""
    try:
        return path.read_bytes() if path.stat().st_size <= most else None
    except OSError:
        return None


def _spec(path: Path) -> dict[str, Any] | None:
    """Return a chart's spec with its rows, or None if it is too large or absent."""
    data = _read_bytes(path, MAX_SPEC_BYTES)
    try:
        return json.loads(data) if data else None
    except ValueError:
        return None
