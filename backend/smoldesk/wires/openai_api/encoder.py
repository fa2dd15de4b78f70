"""From the events of one run to the pieces of its answers: pure, stateful, and complete by the type checker's word.

One `AnswerEncoder` folds one run from its first event on; a reader that begins later drops what came before.
"""

from collections.abc import Mapping
from typing import assert_never

from pydantic import JsonValue

from smoldesk import events as e
from smoldesk import messages as m
from smoldesk.buildings.building import Building
from smoldesk.charts import NoPicture
from smoldesk.export.cell_outputs import cell_text
from smoldesk.export.map_svg import MapState
from smoldesk.export.markdown_pages import markdown_table
from smoldesk.export.safe_markdown import fenced, literal
from smoldesk.wires.openai_api.models import (
    CALL,
    AnswerEnd,
    AnswerText,
    ClientCall,
    Piece,
    ReasoningPiece,
    call_name,
)
from smoldesk.wires.openai_api.picture_addresses import svg_address
from smoldesk.wires.serialization import file_url, json_text, table_url

FENCE = "````"
# Maximum characters of shown data.
MAX_JSON = 20_000
YES_OR_NO = "Answer *yes* or *no* (はい / いいえ)"


class AnswerEncoder:
    """Folds one run. Feed it every event of the run, in order."""

    def __init__(
        self,
        chat_id: str,
        base: str,
        building: Building,
        tools: Mapping[str, str] = {},
        form: Mapping[str, JsonValue] | None = None,
    ) -> None:
        """Create an encoder. `base` starts the addresses of the desk (http://host:port); `tools` maps the name that code
        uses to the client's. With a `form` a program reads the answer, which then has no shown items.
        """
        self._is_json = form is not None
        # Name of the tool that the client forces: the answer is its call.
        self._forced = str(form["name"]) if form is not None and form["type"] == CALL else ""
        self._chat_id = chat_id
        self._base = base
        self._tools = tools
        self._drawn = MapState(building)
        self._is_drawn = self._skips = False
        self._asks: dict[str, e.Ask] = {}
        self._fence = ""
        self._thinks = self._speaks = False
        self._streams = False
        self._tokens: list[int | None] = [None, None]

    def is_drawing(self, stored: e.StoredEvent) -> bool:
        """Check whether `take` draws the map for this event, which takes a process."""
        return self._is_drawn and isinstance(stored.event, e.StepFinished | e.RunWaiting | e.RunFinished)

    def skip(self, stored: e.StoredEvent) -> None:
        """Fold an event of an earlier answer, without drawing its map."""
        self._skips = True
        self.take(stored)
        self._skips = False
        self.begin()

    def begin(self) -> None:
        """Start an answer: earlier text and counts belong to the answer before it."""
        self._thinks = self._speaks = False
        self._tokens = [None, None]

    def take(self, stored: e.StoredEvent, picture: str | None = None) -> list[Piece]:
        """Return the pieces of an event; `picture` is the address of a shown image or chart."""
        event, at = stored.event, stored.at.timestamp()
        match event:
            case e.Delta():
                return self._delta(event)
            case e.Printed():
                return self._fenced("printed", event.text)
            case e.ToolCalled() | e.ToolFailed():
                return self._call(event)
            case e.ToolProgress():
                return self._think(event.text) if event.text else []
            case e.StepStarted():
                return self._end_fence()
            case e.Nested(event=inner):
                return self._nested(inner, picture)
            case e.StepFinished():
                self._count(event)
                return [*self._end_fence(), *self._map()]
            case e.AskOpened():
                self._asks[event.ask.id] = event.ask
                return []
            case e.AskClosed():
                self._asks.pop(event.ask_id, None)
                return []
            case e.RunWaiting():
                return self._waits(event.ask_ids, at)
            case e.Shown():
                return self._encode_message(event.message, picture)
            case e.RunFinished() if self._forced:
                call = ClientCall(call_name(stored.run_id or ""), self._forced, event.text)
                return [*self._end_fence(), call, self._end("finished", at)]
            case e.RunFinished():
                text_ = [] if self._streams else self._block(event.text)
                return [*self._end_fence(), *self._map(), *text_, self._end("finished", at)]
            case e.RunFailed():
                text_ = f"{event.message} {event.hint}".strip()
                return [*self._end_fence(), self._end("failed", at, event.code, text_)]
            case e.RunCancelled():
                return [*self._end_fence(), self._end("cancelled", at, "run_cancelled", event.reason)]
            case (
                e.RunQueued()
                | e.RunStarted()
                | e.RunResumed()
                | e.PromptProgress()
                | e.ModelCalled()
                | e.ToolReturned()
                | e.ChatFact()
            ):
                return []
            case _:
                assert_never(event)

    def is_of_client(self, ask: e.Ask) -> bool:
        """Return whether the client can do the ask's work; no other client is asked here."""
        return ask.kind != "client_tool" or ask.tool in self._tools

    def _end(self, state: str, at: float, code: str = "", message: str = "") -> AnswerEnd:
        return AnswerEnd(state, at, *self._tokens, code=code, message=message)  # pyright: ignore[reportArgumentType]

    def _count(self, step: e.StepFinished) -> None:
        for index, count in enumerate((step.input_tokens, step.output_tokens)):
            if count is not None:
                self._tokens[index] = (self._tokens[index] or 0) + count

    def _nested(self, event: e.RunEvent, picture: str | None) -> list[Piece]:
        """Return a managed agent's calls, shown items and tokens as the run's own; not its steps and texts."""
        match event:
            case e.Shown():
                return self._encode_message(event.message, picture)
            case e.ToolCalled() | e.ToolFailed():
                return self._call(event)
            case e.StepFinished():
                self._count(event)
            case _:
                pass
        return []

    # --- thoughts ------------------------------------------------------------------------------------------------------

    def _delta(self, event: e.Delta) -> list[Piece]:
        if not event.text:  # a restart alone: what was sent cannot be taken back
            return []
        match event.kind:
            case "text" | "reasoning":
                return [*self._end_fence(), *self._think(event.text)]
            case "code":
                return self._fenced("python", event.text)
            case "output":
                self._streams = self._speaks = True
                return [*self._end_fence(), AnswerText(event.text)]
            case _:
                assert_never(event.kind)

    def _think(self, text: str) -> list[Piece]:
        if not text.strip() and not self._thinks:
            return []
        self._thinks = True
        return [ReasoningPiece(text)]

    def _fenced(self, kind: str, text: str) -> list[Piece]:
        """Return a piece of a block of code, or of its output."""
        if self._fence == kind:
            return self._think(text)
        begun = f"{FENCE}{'python' if kind == 'python' else ''}\n{text}"
        ended = self._end_fence()
        block = ReasoningPiece(self._apart(begun, self._thinks))
        self._fence, self._thinks = kind, True
        return [*ended, block]

    def _end_fence(self) -> list[Piece]:
        if not self._fence:
            return []
        self._fence = ""
        return [ReasoningPiece(f"\n{FENCE}\n")]

    def _call(self, event: e.ToolCalled | e.ToolFailed) -> list[Piece]:
        what = event.error if isinstance(event, e.ToolFailed) else json_text(event.arguments)
        return self._line(f"{event.tool}: {what}")

    def _line(self, text: str) -> list[Piece]:
        line = ReasoningPiece(self._apart(f"`{text.replace('`', chr(39))}`\n", self._thinks))
        ended = self._end_fence()
        self._thinks = True
        return [*ended, line]

    # --- the answer ----------------------------------------------------------------------------------------------------

    @staticmethod
    def _apart(text: str, after: bool) -> str:
        return f"\n\n{text}" if after else text

    def _block(self, text: str) -> list[Piece]:
        """Something of the answer that stands by itself."""
        if not text.strip():
            return []
        text_ = AnswerText(self._apart(text, self._speaks))
        self._speaks = True
        return [text_]

    def _waits(self, ask_ids: list[str], at: float) -> list[Piece]:
        """End the answer if the run waits for an answer that this client can give."""
        asks = [self._asks[ask_id] for ask_id in ask_ids if ask_id in self._asks]
        mine = [ask for ask in asks if self.is_of_client(ask)]
        if not mine:
            return []
        calls = [ask for ask in mine if ask.kind == "client_tool"]
        if calls:
            made = [
                ClientCall(call_name(ask.id), self._tools[ask.tool or ""], json_text(ask.arguments))
                for ask in calls
            ]
            return [*self._end_fence(), *made, self._end("waiting", at)]
        question = self._question(mine[0], len(mine) - 1)
        return [*self._end_fence(), *self._map(), *self._block(question), self._end("waiting", at)]

    def _question(self, ask: e.Ask, more: int) -> str:
        """Return a person's question with the address of the page that asks it; it names the ask for `reply_of`."""
        lines = [f"**{literal(ask.prompt or 'Input is needed.')}**"]
        if ask.kind == "approval":
            lines.append(fenced(f"{ask.tool}: {json_text(ask.arguments)}"))
        how = "Answer with the text"
        if ask.kind == "approval" or ask.input_type == "confirmation":
            how = YES_OR_NO
        elif ask.options:
            lines.append(
                "\n".join(f"{number}. {literal(option)}" for number, option in enumerate(ask.options, 1))
            )
            how = "Answer with one of them, or its number"
        elif ask.input_type == "password":
            how = "Answer here, where it is kept as you write it"
        further = f" {more} more to answer after it." if more else ""
        page = f"{self._base}/#chat={self._chat_id}&ask={ask.id}"
        return "\n\n".join([*lines, f"{how}, or [on the desk's page]({page}).{further}"])

    def _encode_message(self, message: m.StepOutput | m.Debug, picture: str | None) -> list[Piece]:
        if self._is_json:
            return []
        match message:
            case m.Image():
                return self._block(f"![{literal(message.path or 'Picture')}]({picture})" if picture else "")
            case m.Chart(content=chart):
                return self._block(
                    f"![{literal(chart.description or chart.name)}]({picture})" if picture else ""
                )
            case m.Table(content=table):
                link = ""
                if table.row_count > len(table.rows):
                    link = f"\n\n[All rows]({self._base}{table_url(self._chat_id, table.table_id)})"
                return self._block(markdown_table(table) + link)
            case m.File(content=file):
                if not file.file_id:  # it was only spoken of
                    return []
                address = self._base + file_url(self._chat_id, file.name, file.file_id)
                return self._block(f"[{literal(file.name)}]({address})")
            case m.Json(in_text=True):
                return []
            case m.Json():
                text = cell_text(message.content)
                return self._block(fenced(text[:MAX_JSON], "json"))
            case m.Map() | m.MapFrames() | m.HighlightRoom() | m.Arrow() | m.ClearArrows() | m.ClearMap():
                self._drawn.take(message)
                self._is_drawn = True
                return []
            case (
                m.McpApp()
                | m.Text()
                | m.Code()
                | m.Error()
                | m.Debug()
                | m.Reading()
                | m.Alternatives()
                | m.Evidence()
            ):
                return []  # views of the desk's page, pieces of the answer, which comes whole, and of the agent's way there
            case _:
                assert_never(message)

    def _map(self) -> list[Piece]:
        """Return the floor with all drawings, once a step."""
        is_drawn, self._is_drawn = self._is_drawn, False
        if not is_drawn or self._skips:
            return []
        name = literal(self._drawn.floor.floor_name)
        try:
            return self._block(f"![Map of {name}]({svg_address(self._drawn.svg())})")
        except NoPicture as fault:
            return self._block(literal(fault.message))
