"""A model whose library cannot be hung up on: a waiter is woken all the same, and an answer ends at its stop sequence."""

import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smoldesk.errors import Stopped
from smoldesk.models.access import NO_NAMES
from smoldesk.models.pumped import EmitDelta, PumpedModel
from smoldesk.models.transformers_model import StopSequenceFilter


class Mute(PumpedModel):
    """Never says a word; `released` ends its threads with the test."""

    def __init__(self) -> None:
        super().__init__("mute", retries=0, passing=lambda _: None, names=NO_NAMES, secrets=())
        self.released = threading.Event()

    def stream_reply(
        self, emit: EmitDelta, messages: Any, stop_sequences: list[str] | None, **kwargs: Any
    ) -> None:
        self.released.wait(60)


def test_a_model_closed_in_the_moment_a_call_begins_wakes_that_call(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Mute()
    check = model.retries.check
    first = iter([True])

    def then_close() -> None:
        check()
        if next(first, False):
            model.close()

    monkeypatch.setattr(model.retries, "check", then_close)
    ended = threading.Event()

    def call() -> None:
        with pytest.raises(Stopped):
            model.generate([])
        ended.set()

    threading.Thread(target=call, daemon=True).start()
    try:
        assert ended.wait(20)
    finally:
        model.released.set()


def told(pieces: list[str], sequences: list[str]) -> str:
    stop = StopSequenceFilter(sequences)
    displayed = "".join(stop.feed(piece) for piece in pieces)
    return displayed + stop.flush()


@given(st.lists(st.text("ab<>", max_size=4)), st.lists(st.text("ab<>", min_size=1, max_size=3), max_size=3))
def test_any_cutting_shows_what_one_piece_would(pieces: list[str], sequences: list[str]) -> None:
    text = "".join(pieces)
    ends = [at for sequence in sequences if (at := text.find(sequence)) >= 0]
    single = told([text], sequences)
    assert single == text[: min(ends, default=len(text))]
    assert not any(sequence in told(pieces, sequences) for sequence in sequences)
    if len(sequences) < 2:  # of several, the one that is complete first ends the answer
        assert told(pieces, sequences) == single


def test_nothing_comes_after_the_end() -> None:
    stop = StopSequenceFilter(["END"])
    assert [stop.feed("one E"), stop.feed("ND two"), stop.feed("three"), stop.flush()] == ["one ", "", "", ""]
    assert stop.reached
