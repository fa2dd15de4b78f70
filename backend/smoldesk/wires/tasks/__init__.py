"""The tasks wire (spec/reference/tasks.md): `/tasks/*`, a run as a task that is sent, followed, answered, cancelled.

- `routes`: the addresses; `requests`: bodies and places of clients, read with patience, pure; `encoder`: updates and
  tasks and what is shown as JSON, pure.
- `input`, `subscribe`, `queries`: what requests do at the desk; `errors`: how they fail.
"""
