"""The wire of AI SDK front ends (spec/reference/ui_stream.md): `POST /stream`, `GET /stream/{chatId}/stream`
and `/messages`, `WS /live`.

- `routes`: the addresses; `requests`: parsing of client input, pure; `encoder`: from a run's events to stream parts,
  pure; `models`: every part that this wire sends.
- `answers`: answers to asks in client messages; `request_handling`: execution of requests; `run_stream`: one run's
  events as the parts of one response.
- `chat_history`, `ui_messages`: earlier turns as UI messages.
- `live`, `dialects`, `client_frames`: the socket and its two dialects.
"""
