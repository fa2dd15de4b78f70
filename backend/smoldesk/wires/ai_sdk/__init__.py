"""The wire of AI SDK front ends (spec/reference/ui_stream.md): `POST /stream`, `GET /stream/{chatId}/stream`
and `/messages`, `WS /live`.

- `routes`: the addresses; `requests`: what clients send, read with patience, pure; `encoder`: from a run's events to
  stream parts, pure; `models`: every part this wire sends.
- `answers`: what messages answer; `request_handling`: what they ask for anew, and what a request means, done
  at the desk; `run_stream`: one run's events as the parts of one response.
- `chat_history`, `ui_messages`: earlier turns as the messages a client would hold.
- `live`, `dialects`, `client_frames`: the socket, and the two ways clients speak on it.
"""
