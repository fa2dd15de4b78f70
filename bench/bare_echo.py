"""`python -m bench.bare_echo`: a WebSocket server of the websockets library that does nothing; it prints its port."""

import asyncio
import sys
from typing import Any

from websockets.asyncio.server import serve


async def listen() -> None:
    """Serve until standard input ends."""

    async def hear(socket: Any) -> None:
        await socket.wait_closed()

    async with serve(hear, "127.0.0.1", 0, compression=None) as server:
        print(next(iter(server.sockets)).getsockname()[1], flush=True)
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(listen())
