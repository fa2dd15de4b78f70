"""Cancellation of work when the client of a request disconnects."""

import asyncio
from concurrent.futures import Future
from typing import TypeVar

from fastapi import Request

from smoldesk.stopping import StopFlag, shielded

T = TypeVar("T")


async def while_connected(request: Request, stop: StopFlag, future: "Future[T]") -> T:
    """Return the future's result; set `stop` if the client disconnects first. The body must have been read."""
    future.add_done_callback(lambda _: stop.close())
    gone = asyncio.ensure_future(client_gone(request))
    work = asyncio.wrap_future(future)
    try:
        await asyncio.wait({gone, work}, return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            stop.set("the client has disconnected")
        # The work ends by itself once `stop` is set. Cancelling the wrapper would not stop its thread.
        return await shielded(work)
    except asyncio.CancelledError:
        stop.set("the client has disconnected")
        raise
    finally:
        gone.cancel()


async def client_gone(request: Request) -> None:
    """Wait until the client disconnects. The body must have been read."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
