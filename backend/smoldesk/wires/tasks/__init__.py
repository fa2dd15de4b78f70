"""The tasks wire (spec/reference/tasks.md): `/tasks/*`, a run as a task that is sent, followed, answered, cancelled.

- `incoming`: bodies and places of clients, read with patience; pure.
- `artifacts`: what is shown, as artifacts; pure.
- `shapes`: the JSON of updates and tasks; `sse`: events as text, and a response that lasts.
- `sending`, `giving`, `following`, `reading`: what requests do at the desk; `routes`, `faults`: the doors.
"""

from smoldesk.wires.tasks.routes import router

__all__ = ["router"]
