"""The wire of AI SDK front ends (spec/reference/ui_stream.md): `POST /stream`, `GET /stream/{chatId}/stream`, `WS /live`.

- `chunks`: every chunk this wire sends; `outgoing`: from a run's events to chunks, pure.
- `incoming`: what clients send, read with patience; pure.
- `turns`: what a request means, done at the desk; `following`: one run's events as the chunks of one response.
- `sse`, `live`, `framed`: the doors, one for each way a client comes.
"""

from smoldesk.wires.ai_sdk.routes import router

__all__ = ["router"]
