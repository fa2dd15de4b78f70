"""The wire of AG-UI front ends (spec/reference/agui.md): `POST /agui`, `/agui/connect`, `/agui/stop/{threadId}`.

- `routes`: the addresses; `requests`: what clients send, pure; `models`: the values between those.
- `encoder`: from a run's events to the protocol's, pure; of it `prose`, `code_call`, `ask_interrupts`, `shared_state`
  with `map_layers`.
- `client_state`: what a client says in the state that it sends back.
- `thread`: the messages of a thread, for clients that come anew.
- `request_handling`: what a request means, done at the desk; `run_stream`: one run's events as one response.
"""
