"""Turns of requests that send one upload: one at a time. The newest wins, because the client of an older one may be
gone.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass, field

from smoldesk.errors import BadInput, Conflict

# Seconds that a request may be silent.
SILENCE_SECONDS = 30.0


@dataclass
class Turn:
    """The requests for one upload; `waited` runs while the one that is served waits for bytes."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    requests: int = 0
    waited: asyncio.Timeout | None = None

    async def next(self, chunks: AsyncIterator[bytes]) -> bytes:
        """Return the next bytes, b"" at the end.

        Raises Conflict if another request takes over, BadInput after SILENCE_SECONDS without bytes.
        """
        try:
            while self.requests < 2:
                async with asyncio.timeout(SILENCE_SECONDS) as self.waited:
                    chunk = await anext(chunks, None)
                if chunk is None:
                    return b""
                if chunk:
                    return chunk
        except TimeoutError:
            if self.requests < 2:
                message = f"No data arrived for {SILENCE_SECONDS:g} s."
                raise BadInput(message, "Continue from the upload's offset.", code="upload_silent") from None
        finally:
            self.waited = None
        raise Conflict(
            "Another request continues this upload.", "Get its offset with HEAD.", code="upload_busy"
        )


class Turns:
    """The uploads for which there are requests."""

    def __init__(self) -> None:
        self._of: dict[str, Turn] = {}

    @contextlib.asynccontextmanager
    async def alone(self, upload_id: str) -> AsyncGenerator[Turn]:
        """Serve one request of an upload at a time; a request that waits for bytes gives way to a newer one."""
        turn = self._of.setdefault(upload_id, Turn())
        turn.requests += 1
        if turn.waited is not None:
            with contextlib.suppress(RuntimeError):  # its bytes came just now: it looks before it waits again
                turn.waited.reschedule(0)
        try:
            async with turn.lock:
                yield turn
        finally:
            turn.requests -= 1
            if not turn.requests:
                self._of.pop(upload_id, None)
