"""Model-written code at the speed of Python, in a process of its own for each chat.

`executor` is what smolagents sees, `children` keeps the processes, `cell_run` serves one cell; `inside` is
the code that runs in the child and imports nothing else of ours. `tool_host` and `cell` are the contracts
with higher rooms. The picture of processes and frames is in `spec/sandbox.md`.
"""
