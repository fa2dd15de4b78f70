"""Output of one socket: messages of the log and of the wire, in the client's protocol."""

import asyncio
import base64
import contextlib
from collections.abc import AsyncGenerator
from functools import lru_cache
from typing import Any, Protocol

from smoldesk import messages as m
from smoldesk.chats import BuildingView, Files
from smoldesk.events import (
    AskClosed,
    AskOpened,
    RunQueued,
    StoredEvent,
)
from smoldesk.markdown import highlight, to_html
from smoldesk.runs import AskRecord
from smoldesk.runs.asks import OpenAsks
from smoldesk.wires.four_pane.encoder import encode_event
from smoldesk.wires.four_pane.protocol_1_2 import Questions, format_ask, to_1_2
from smoldesk.wires.serialization import file_url, json_text, table_url, time_text

# Messages of one frame.
MAX_LINES = 100
# Characters after which a frame is sent.
MAX_CHARACTERS = 250_000
# Longest text whose HTML is made on the event loop: that takes a quarter of a millisecond, a thread for it more.
INLINE_CHARACTERS = 100

# Longest prompt in the list of open asks.
PROMPT_CHARACTERS = 300


@lru_cache(maxsize=4)
def open_asks_text(now: OpenAsks) -> str:
    """Return the frame of a snapshot. The cache compares snapshots by identity, so each is encoded once for all clients."""
    content = m.OpenAsksContent(asks=[_line(record) for record in now.asks], count=now.count)
    return m.OpenAsks(content=content).model_dump_json(exclude_none=True)


def _line(record: AskRecord) -> m.OpenAsk:
    ask = record.ask
    assert ask.kind != "client_tool", "client tools are not in the list"
    prompt = ask.prompt
    if len(prompt) > PROMPT_CHARACTERS:
        prompt = prompt[: PROMPT_CHARACTERS - 1] + "…"
    return m.OpenAsk(
        ask_id=ask.id,
        chat_id=record.chat_id,
        chat_title=record.chat_title,
        kind=ask.kind,
        tool=ask.tool,
        prompt=prompt,
        expires_at=time_text(ask.expires_at),
    )


class TextSink(Protocol):
    """Target of messages: a socket, or the lines of a replay."""

    async def send_text(self, data: str) -> None: ...


class SocketWriter:
    """Writer for one client; `is_2_0` is its protocol, False until it shows that it speaks 2.0."""

    def __init__(self, socket: TextSink, files: Files, is_2_0: bool, lines: bool = False) -> None:
        self.is_2_0 = is_2_0
        self.questions = Questions()
        self._socket = socket
        self._files = files
        # A browser takes longer for a frame than for the messages in it, so a client can ask for several in one.
        self._takes_lines = lines
        self._lines: list[str] | None = None
        self._characters = 0

    @contextlib.asynccontextmanager
    async def together(self) -> AsyncGenerator[None]:
        """Collect what is sent meanwhile; it goes out as lines of few frames if the client takes them."""
        self._lines = [] if self._takes_lines else None
        yield
        await self._flush()
        self._lines = None

    async def _flush(self) -> None:
        """Send the collected messages."""
        while self._lines:
            text, self._lines, self._characters = "\n".join(self._lines), [], 0
            await self._socket.send_text(text)

    async def _send_text(self, text: str) -> None:
        if self._lines is None:
            await self._socket.send_text(text)
            return
        self._lines.append(text)
        self._characters += len(text)
        if len(self._lines) == MAX_LINES or self._characters > MAX_CHARACTERS:
            await self._flush()

    async def send_event(self, stored: StoredEvent) -> None:
        """Send the message of an event."""
        message = encode_event(stored.event, stored.run_id)
        if message is None:
            return
        facts: dict[str, Any] = {"seq": stored.seq, "timestamp": time_text(stored.at)}
        if stored.run_id is not None:
            facts["runId"] = stored.run_id
        data: dict[str, Any] | None = m.as_json(message) | facts
        await self._complete(stored.chat_id, message, data)
        if not self.is_2_0:
            data = to_1_2(data)
        if data is not None:
            await self._send_text(json_text(data))
        await self._put_questions(stored)
        # Runs that start at once go straight to `running`, so only waiting ones are reported as queued.
        if isinstance(stored.event, RunQueued) and stored.event.ahead and stored.run_id:
            await self.send(m.Run(content=m.RunContent(run_id=stored.run_id, state="queued")))

    async def _put_questions(self, stored: StoredEvent) -> None:
        """Send an ask to a client of 1.2 as text. Asks are also noted for 2.0, since the protocol can change later."""
        match stored.event:
            case AskOpened():
                ask = self.questions.add(stored.event.ask)
            case AskClosed():
                ask = self.questions.remove(stored.event.ask_id)
            case _:
                return
        if ask is not None and not self.is_2_0:
            question = m.Text(content=format_ask(ask), tone="notice")
            data = m.as_json(question) | {"runId": stored.run_id}
            await self._complete(stored.chat_id, question, data)
            await self._send_text(json_text(data))

    async def _complete(self, chat_id: str, message: m.Message, data: dict[str, Any]) -> None:
        """Add what the log lacks: addresses of files, HTML of text and code, and base64 for protocol 1.2."""
        match message:
            case m.Image():
                if self.is_2_0:
                    data["url"] = file_url(chat_id, message.path or message.file_id, message.file_id)
                else:
                    # Another server of the database has it on its disk.
                    with contextlib.suppress(FileNotFoundError):
                        path = await self._files.fetch(message.file_id)
                        data["content"] = await asyncio.to_thread(
                            lambda: base64.b64encode(path.read_bytes()).decode()
                        )
            case m.Chart(content=chart):
                data["url"] = file_url(chat_id, chart.name + ".json", chart.spec_id)
                data["imageUrl"] = file_url(chat_id, chart.name + ".png", chart.image_id)
                if not self.is_2_0:
                    with contextlib.suppress(FileNotFoundError):
                        path = await self._files.fetch(chart.image_id)
                        data["image"] = await asyncio.to_thread(
                            lambda: base64.b64encode(path.read_bytes()).decode()
                        )
            case m.ChartChanged(content=content):
                data["url"] = file_url(chat_id, content.chart.name + ".json", content.chart.spec_id)
                data["imageUrl"] = file_url(chat_id, content.chart.name + ".png", content.chart.image_id)
                if content.code is not None:
                    await self._complete(chat_id, content.code, data["content"]["code"])
            case m.McpApp(content=app):
                data["url"] = file_url(chat_id, f"{app.tool}.json", app.facts_id)
                if app.result_id is not None:
                    data["resultUrl"] = file_url(chat_id, f"{app.tool}-result.json", app.result_id)
            case m.File() if message.content.file_id:  # without an id it was only mentioned
                data["url"] = file_url(chat_id, message.content.name, message.content.file_id)
            case m.Table():
                data["url"] = table_url(chat_id, message.content.table_id)
            case m.Text():
                is_short = len(message.content) <= INLINE_CHARACTERS
                data["html"] = (
                    _html(message.content) if is_short else await asyncio.to_thread(_html, message.content)
                )
            case m.Code():
                data["html"] = await asyncio.to_thread(_highlighted, message.content, message.language)
            case m.Alternatives(content=content):
                await self._complete(chat_id, content.declined, data["content"]["declined"])
                for alternative, fields in zip(
                    content.alternatives, data["content"]["alternatives"], strict=True
                ):
                    for output, output_data in zip(alternative.outputs, fields["outputs"], strict=True):
                        await self._complete(chat_id, output, output_data)
            case m.Nested():
                await self._complete(chat_id, message.content.message, data["content"]["message"])
            case _:
                pass

    async def send_open_asks(self, now: OpenAsks) -> None:
        """Send the list of open asks. Clients of 1.2 cannot show asks of other chats."""
        if self.is_2_0:
            await self._send_text(open_asks_text(now))

    async def send_building(self, building: BuildingView) -> None:
        """Send the building."""
        # A building can have megabytes of JSON, so its text is not made again for each client of 2.0.
        if self.is_2_0:
            await self._send_text(f'{{"type":"map_definition","content":{building.text}}}')
            return
        data = to_1_2({"type": "map_definition", "content": building.definition})
        if data is not None:
            await self._send_text(await asyncio.to_thread(json_text, data))

    async def send(self, message: m.Message) -> None:
        """Send a message."""
        data: dict[str, Any] | None = m.as_json(message)
        if not self.is_2_0:
            data = to_1_2(data)
        if data is not None:
            await self._send_text(json_text(data))


@lru_cache(maxsize=512)
# Several clients of a chat, and every replay, need the same HTML.
def _html(content: str) -> str:
    return to_html(content)


@lru_cache(maxsize=512)
def _highlighted(content: str, language: str) -> str:
    return highlight(content, language)
