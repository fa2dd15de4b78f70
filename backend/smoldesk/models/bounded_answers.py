"""Answers of a model's server that have an end: what it sends is counted as it comes, and never unpacked.

A server that is wrong, or means harm, sends one line for ever, or little that unpacks to much; either would take the desk's
memory before anybody saw a word of it.
"""

from collections.abc import Iterator

import httpx2

from smoldesk.errors import ModelFault

MOST_BYTES = 64_000_000
"""Of one answer as it is sent: a piece of a stream has some 200 bytes for a token."""
UNPACKED = {"Accept-Encoding": "identity"}
"""What every request asks for."""


def bound(response: httpx2.Response) -> None:
    """An httpx response hook: the answer ends at MOST_BYTES. Raises ModelFault for one that is packed."""
    if response.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise ModelFault(
            "The model's server sent a packed answer, which was not asked for.", code="model_error"
        )
    assert isinstance(response.stream, httpx2.SyncByteStream)
    response.stream = _Counted(response.stream)


class _Counted(httpx2.SyncByteStream):
    def __init__(self, stream: httpx2.SyncByteStream) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        count = 0
        for piece in self._stream:
            count += len(piece)
            if count > MOST_BYTES:
                words = f"The model's server sent more than {MOST_BYTES // 1_000_000} MB for one answer."
                raise ModelFault(words, "Stop it there, or choose another model.", code="model_error")
            yield piece

    def close(self) -> None:
        self._stream.close()
