"""Model-written code at the speed of Python, in a jailed process of its own for each chat.

`executor` is what smolagents sees, `children` keeps the processes, `zygote` and `forked` make them, `cell_run`
serves one cell; `inside` is the code that runs in the child and `jail` what it is shut in with: they import
nothing else of ours. `tool_host` and `cell` are the contracts with higher rooms. The picture of processes and
frames is in `spec/reference/sandbox.md`.

In anyone's own smolagents code: `from smoldesk.sandbox import SandboxExecutor`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from smoldesk.sandbox.executor import SandboxExecutor

__all__ = ["SandboxExecutor"]


def __getattr__(name: str) -> Any:
    """The executor is imported when asked for: it brings smolagents, which most of this package does without."""
    if name == "SandboxExecutor":
        from smoldesk.sandbox.executor import SandboxExecutor

        return SandboxExecutor
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
