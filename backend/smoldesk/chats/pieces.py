"""Files that are made while they are sent: in pieces, a few ahead of the one who reads them."""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Callable, Generator

from smoldesk.stopping import StopFlag

PIECES_AHEAD = 3
# Produces the pieces until the flag is set.
Take = Callable[[StopFlag], Generator[bytes]]


async def stream_pieces(take: Take) -> AsyncIterator[bytes]:
    """Return the pieces after waiting for the first. Raises what `take` raises before it."""
    pieces = _Pieces(take)
    first = await pieces.next()

    async def all_pieces() -> AsyncIterator[bytes]:
        piece = first
        try:
            while piece:
                yield piece
                piece = await pieces.next()
        finally:
            pieces.close()

    return all_pieces()


class _Pieces:
    """The pieces of a file that a thread of its own takes from a child, a few ahead of the one who reads them."""

    def __init__(self, take: Take) -> None:
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[bytes | BaseException] = asyncio.Queue(PIECES_AHEAD)
        self._stop = StopFlag()
        self._thread = threading.Thread(target=self._run, args=(take,), daemon=True)
        self._thread.start()

    async def next(self) -> bytes:
        """Return the next piece, empty at the end. Raises the error of the producer."""
        try:
            piece = await self._queue.get()
        except BaseException:
            self.close()
            raise
        if isinstance(piece, BaseException):
            raise piece
        return piece

    def close(self) -> None:
        """Stop the producer: there is no reader any more."""
        self._stop.set("its reader is gone")

    def _run(self, take: Take) -> None:
        last: bytes | BaseException = b""
        try:
            with contextlib.closing(take(self._stop)) as pieces:
                for piece in pieces:
                    if not self._put(piece):
                        break
        except Exception as fault:  # raised where the file is read
            last = fault
        self._put(last)
        self._stop.close()

    def _put(self, piece: bytes | BaseException) -> bool:
        """Wait until there is room for a piece; return False if the reader is gone."""
        with contextlib.suppress(RuntimeError):  # the loop is closed
            put = asyncio.run_coroutine_threadsafe(self._queue.put(piece), self._loop)
            while not self._stop.is_set:
                with contextlib.suppress(TimeoutError):
                    put.result(timeout=0.5)
                    return True
            put.cancel()
        return False
