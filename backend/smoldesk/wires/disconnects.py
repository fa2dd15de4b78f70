"""Requests whose client goes away: what was begun for them is stopped."""

import asyncio
from concurrent.futures import Future
from typing import TypeVar

from fastapi import Request

from smoldesk.stopping import StopFlag, shielded

T = TypeVar("T")


async def while_connected(request: Request, stop: StopFlag, future: "Future[T]") -> T:
    """What the future ends with; `stop` is set when the client goes first. The body of the request was read already."""
    future.add_done_callback(lambda _: stop.close())
    gone = asyncio.ensure_future(client_gone(request))
    work = asyncio.wrap_future(future)
    try:
        await asyncio.wait({gone, work}, return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            stop.set("nobody waits for it any more")
        return await shielded(work)
    except asyncio.CancelledError:
        stop.set("nobody waits for it any more")
        raise
    finally:
        gone.cancel()


async def client_gone(request: Request) -> None:
    """Returns when the client has left. The body of the request was read already."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
