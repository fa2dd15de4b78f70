"""Model-written code at the speed of Python, in a jailed process of its own for each chat.

`executor` is what smolagents sees, `children` keeps the processes, `zygote` and `forked` make them, `cell_run`
serves one cell; `inside` is the code that runs in the child and `jail` what it is shut in with: they import
nothing else of ours. `tool_host` and `cell` are the contracts with higher rooms. The picture of processes and
frames is in `spec/reference/sandbox.md`.

This room knows no tables, plans or agents of the desk, and needs smolagents alone; in anyone's own code:
`from smoldesk import SandboxExecutor`.
"""
