"""The body of a request, read up to a limit, so that nobody fills the memory. Each wire refuses in words of its own."""

from collections.abc import Callable

from fastapi import Request

from smoldesk.errors import BadInput


def body_too_large(limit: int) -> BadInput:
    return BadInput("The body is too large.", f"At most {limit} bytes.", code="too_large")


async def read_bounded(
    request: Request, limit: int, refusal: Callable[[int], BadInput] = body_too_large
) -> bytes:
    """At most `limit` bytes; raises the refusal as soon as there are more."""
    pieces: list[bytes] = []
    size = 0
    async for piece in request.stream():
        size += len(piece)
        if size > limit:
            raise refusal(limit)
        pieces.append(piece)
    return b"".join(pieces)
