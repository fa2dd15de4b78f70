"""Parts of a report: its pins and the content each shows, found in the chat's log."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from pydantic import Field

from smoldesk import messages as m
from smoldesk.errors import BadInput
from smoldesk.events import ArrowsCleared, BuildingChosen, ClosuresChanged, Nested, RunStarted, Shown
from smoldesk.export.chat_source import ChatSource, InputFile
from smoldesk.export.map_svg import MapState
from smoldesk.export.repeated_tables import without_repeated
from smoldesk.export.turns import Step, Turn, steps_of

MAX_PINS = 100
MAX_TITLE = 200
# Characters of one free text.
MAX_TEXT = 20_000
# JavaScript represents integers up to here exactly.
MAX_SEQ = 2**53


# These numbers go into the `viewBox` of an SVG, which has no NaN or infinity.
_Pixels = Annotated[float, Field(ge=-1e6, le=1e6, allow_inf_nan=False, strict=True)]
_Extent = Annotated[float, Field(ge=1, le=1e6, allow_inf_nan=False, strict=True)]


class Pin(m.Shape):
    """Pinned part of a report: content shown by the event at `seq`, or the map as it was then, on the visible floor; or
    free text in Markdown, for which `seq` is only a number that no other text of the report has.
    """

    kind: Literal["answer", "table", "chart", "image", "map", "text"]
    seq: Annotated[int, Field(ge=1, le=MAX_SEQ, strict=True)]
    caption: Annotated[str, Field(max_length=1000)] = ""
    floor_id: Annotated[str | None, Field(max_length=200)] = None
    view: tuple[_Pixels, _Pixels, _Extent, _Extent] | None = None
    """Visible part of a map: left, top, width and height in pixels of the floor's image; None for all of it."""
    text: Annotated[str, Field(max_length=MAX_TEXT)] = ""

    @property
    def key(self) -> "Key":
        """Identity of the pin within its report."""
        return self.kind, self.seq, self.floor_id, self.view


Key = tuple[str, int, str | None, tuple[float, float, float, float] | None]


class Pins(m.Shape):
    """Stored report: its parts in order, and its title, by default the chat's."""

    pins: Annotated[list[Pin], Field(max_length=MAX_PINS)]
    title: Annotated[str, Field(max_length=MAX_TITLE)] = ""

    @property
    def is_written(self) -> bool:
        """Check whether a person wrote a title or text, which older desks do not read."""
        return bool(self.title) or any(pin.kind == "text" for pin in self.pins)


Content = str | m.Table | m.Chart | m.Image | MapState


@dataclass(frozen=True)
class Part:
    """Pin with its content; `turn` and `step` produced it (no step for an answer or a map). `note` appears below it."""

    pin: Pin
    content: Content
    turn: Turn | None = None
    step: Step | None = None
    note: str = ""


@dataclass(frozen=True)
class Report:
    """Parts of one chat, in order, for a document. `inputs` replace those of the chat.

    `ran_again` is true for a report on other files, whose code did not produce the outputs in the chat's log.
    """

    source: ChatSource
    parts: Sequence[Part]
    inputs: Sequence[InputFile]
    note: str = ""
    ran_again: bool = False
    title: str = ""

    def turns(self) -> Iterator[Turn]:
        """Yield the turns up to the last one that produced a part."""
        run_ids = {part.turn.run_id for part in self.parts if part.turn is not None}
        for turn in self.source.turns():
            if not run_ids:
                return
            yield turn
            run_ids.discard(turn.run_id)


def parts_of(source: ChatSource, pins: Sequence[Pin], skip: bool = False) -> list[Part]:
    """Return the content of pins, in order.

    Raises BadInput for a pin without content in this chat, or a repeated one. With `skip` such pins are dropped,
    since an imported log may have them.
    """
    if skip:
        pins = list({pin.key: pin for pin in pins}.values())
    if len({pin.key for pin in pins}) < len(pins):
        raise BadInput("The report contains a part twice.", "Pin each part once.", code="bad_pin")
    if not pins:
        return []
    pin_keys = {(pin.kind, pin.seq) for pin in pins if pin.kind not in ("map", "text")}
    contents: dict[tuple[str, int], tuple[Content, Turn, Step | None]] = {}
    for turn in source.turns() if pin_keys else ():
        for step in steps_of(turn):
            for piece, seq in zip(step.pieces, step.seqs, strict=True):
                if (piece.type, seq) in pin_keys and isinstance(piece, m.Table | m.Chart | m.Image):
                    contents[piece.type, seq] = piece, turn, step
        for seq in turn.answer_seqs:
            if ("answer", seq) in pin_keys and turn.answer:
                contents["answer", seq] = turn.answer, turn, None
    maps = _maps(source, [pin for pin in pins if pin.kind == "map"])
    parts: list[Part] = []
    for pin in pins:
        if pin.kind == "text":
            parts.append(Part(pin, pin.text))
            continue
        content = maps.get(pin.key) or contents.get((pin.kind, pin.seq))
        if content is None and skip:
            continue
        if content is None:
            raise BadInput(
                f"There is no {pin.kind} at {pin.seq} in this chat.",
                "Expected the `seq` of a message of this chat that shows one.",
                code="bad_pin",
            )
        parts.append(Part(pin, content) if isinstance(content, MapState) else Part(pin, *content))
    return parts


def shown_parts(report: Report) -> Iterator[Part]:
    """Yield the parts as documents show them: answers without the tables of their turn that are parts, too."""
    for part in report.parts:
        if part.pin.kind != "answer" or not isinstance(part.content, str) or part.turn is None:
            yield part
            continue
        run_id = part.turn.run_id
        tables = [
            other.content.content
            for other in report.parts
            if isinstance(other.content, m.Table) and other.turn is not None and other.turn.run_id == run_id
        ]
        text = without_repeated(part.content, tables)
        if text or part.pin.caption or part.note:
            yield replace(part, content=text)


def _maps(source: ChatSource, pins: Sequence[Pin]) -> dict[Key, MapState]:
    """Return the maps as they were at the seqs of pins."""
    # Latest first, so that `pop` takes the earliest pin.
    open_pins = sorted(
        (pin for pin in pins if pin.seq <= source.chat.last_seq), key=lambda pin: pin.seq, reverse=True
    )
    map_states: dict[Key, MapState] = {}
    if not open_pins:
        return map_states
    for seq, map_state in _maps_before(source):
        while open_pins and seq > open_pins[-1].seq:
            pin = open_pins.pop()
            map_states[pin.key] = map_state.on_floor(pin.floor_id, pin.view)
    return map_states


def map_at_the_end(source: ChatSource) -> MapState:
    """Return the chat's map after its last event."""
    return deque(_maps_before(source), maxlen=1)[0][1]


def _maps_before(source: ChatSource) -> Iterator[tuple[int, MapState]]:
    """Yield the chat's map before each event and after the last. The yielded object changes in place."""
    map_state, agent = source.empty_map(1), ""
    for stored in source.events():
        yield stored.seq, map_state
        match stored.event:
            case BuildingChosen():
                map_state = source.empty_map(stored.seq)
            case ClosuresChanged(state=state):
                map_state.closures = state.closures
            case RunStarted():
                agent = stored.event.agent or ""
            case Shown(message=message):
                map_state.take_any(message, agent)
            case Nested(agent=managed, event=Shown(message=message)):
                map_state.take_any(message, managed)
            case ArrowsCleared():
                map_state.layers.clear()  # a person's Clear takes everything off
            case _:
                pass
    yield source.chat.last_seq + 1, map_state
