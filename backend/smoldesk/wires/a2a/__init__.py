"""A2A 1.0, server side (spec/reference/a2a.md), over JSON-RPC, HTTP+JSON and gRPC: a task is a run.

- `routes`: the addresses, before the first request without the SDK, which takes a second to import; `sdk_app`: the same
  with it; `grpc_port`: the extra binding; `compatibility_0_3`: bounds and media types around the SDK's routes.
- `requests`: a client's message; `encoder`: what a run shows and says, in the types of the protocol; `cards`: who the
  agents are. All pure.
- `task_view`: the state of a task and its updates, with small pieces of text joined; `list_tasks`: pages of them;
  `send_message`: what a message does.
- `push`: notifications of clients at their own address (`smoldesk.http_client` checks the address).
- `handler`: the operations; `errors`: how they fail.
"""
