"""What is tried again, how long is waited, and that a stop wakes the wait."""

import threading

import httpx2
import openai
import pytest

from smoldesk.errors import Stopped
from smoldesk.models.retries import Retries


def failure(status: int, headers: dict[str, str]) -> openai.APIStatusError:
    request = httpx2.Request("POST", "http://127.0.0.1/v1/chat/completions")
    response = httpx2.Response(status, headers=headers, request=request)
    return openai.APIStatusError("scripted", response=response, body=None)


class Flaky:
    """Fails with the given errors in turn, then returns 42."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.calls = 0

    def __call__(self) -> int:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return 42


def test_closing_wakes_a_call_that_waits_to_try_again() -> None:
    failed = threading.Event()
    ends: list[BaseException] = []
    retries = Retries(3)

    def limited() -> None:
        failed.set()
        raise failure(429, {"retry-after": "50"})

    def call() -> None:
        try:
            retries(limited)
        except Stopped as end:
            ends.append(end)

    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    assert failed.wait(10)
    retries.close()
    thread.join(10)
    assert not thread.is_alive()
    assert len(ends) == 1


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503])
def test_a_passing_fault_is_tried_again(status: int) -> None:
    flaky = Flaky(failure(status, {"retry-after-ms": "1"}))
    assert Retries(1)(flaky) == 42


@pytest.mark.parametrize(
    ("status", "headers"),
    [(400, {}), (429, {"x-should-retry": "false"}), (503, {"retry-after": "61"})],
    ids=["the request is at fault", "the server says no", "the pause would be too long"],
)
def test_a_lasting_fault_is_not_tried_again(status: int, headers: dict[str, str]) -> None:
    flaky = Flaky(failure(status, headers))
    with pytest.raises(openai.APIStatusError):
        Retries(5)(flaky)
    assert flaky.calls == 1


def test_a_server_may_ask_for_another_try() -> None:
    flaky = Flaky(failure(400, {"x-should-retry": "true", "retry-after-ms": "1"}))
    assert Retries(1)(flaky) == 42


def test_a_lost_connection_is_tried_again() -> None:
    assert Retries(1)(Flaky(httpx2.RemoteProtocolError("cut off"))) == 42


@pytest.mark.long
def test_a_nonsense_retry_after_falls_back_to_our_own_pause() -> None:
    assert Retries(1)(Flaky(failure(500, {"retry-after": "soon"}))) == 42
    assert Retries(1)(Flaky(failure(500, {"retry-after": "-5"}))) == 42


def test_an_error_of_our_own_is_nothing_to_try_again() -> None:
    flaky = Flaky(KeyError("ours"))
    with pytest.raises(KeyError):
        Retries(5)(flaky)
    assert flaky.calls == 1
