"""Import statements of cells, limited to the modules that a run's agent authorizes.

The limit keeps the promise of the agent's prompt, as smolagents' interpreter does. The jail isolates, not this.
"""

import builtins
from typing import Any


def builtins_of(authorized: "list[str] | None") -> Any:
    """Return the `__builtins__` of cells: Python's own, or a copy whose import statement checks `authorized`."""
    if authorized is None:
        return builtins

    # The parameters are those of Python's own __import__, which the statement calls by position.
    def guarded(
        name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
    ) -> Any:
        if not level and not is_authorized(name, authorized):
            raise ImportError(f"Import of {name} is not allowed. Authorized imports are: {authorized}")
        return builtins.__import__(name, globals, locals, fromlist, level)

    return {**vars(builtins), "__import__": guarded}


def is_authorized(name: str, authorized: list[str]) -> bool:
    """Return whether a pattern (`os.path`, `numpy.*`) names the module or a module inside of it, as in smolagents."""
    return any(_matches(name.split("."), pattern.split(".")) for pattern in authorized)


def _matches(parts: list[str], pattern: list[str]) -> bool:
    for part, expected in zip(parts, pattern, strict=False):
        if expected == "*":
            return True
        if part != expected:
            return False
    return len(parts) <= len(pattern)
