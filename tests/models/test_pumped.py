"""A model whose library cannot be hung up on: whoever waits for it is woken all the same."""

import threading
from typing import Any

import pytest

from smoldesk.errors import Stopped
from smoldesk.models.access import TRANSFORMERS
from smoldesk.models.pumped import PumpedModel, Say


class Mute(PumpedModel):
    """Never says a word; `released` ends its threads with the test."""

    def __init__(self) -> None:
        super().__init__("mute", retries=0, passing=lambda _: None, names=TRANSFORMERS, secrets=())
        self.released = threading.Event()

    def speak(self, say: Say, messages: Any, stop_sequences: list[str] | None, **kwargs: Any) -> None:
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
