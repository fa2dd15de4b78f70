"""A2A 1.0, server side (spec/reference/a2a.md), over JSON-RPC, HTTP+JSON and gRPC: a task is a run.

- `incoming`: a client's message; `parts`, `outgoing`: what a run shows and says, in the types of the protocol;
  `merging`: small pieces of text made one; `cards`: who the agents are. All pure.
- `looking`: a task as it is, and what follows; `listing`: pages of them; `sending`: what a message does.
- `push`: clients told at an address of theirs; `push_addresses`: which addresses those may be.
- `handler`: the operations; `faults`: their errors; `context`: what is known of a request beside its message.
- `shim`: bounds and media types around the SDK's routes; `serving`: all addresses; `grpc_port`: the extra binding.
- `wire`: all of it put together; `lazy`: before the first request nothing is imported, for the SDK takes a second to import.
"""

from smoldesk.wires.a2a.wire import A2A, Options

__all__ = ["A2A", "Options"]
