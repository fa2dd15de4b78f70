"""A desk for data-analysis agents: the names that others may build on; everything else may change.

- `DeskUI(agent).launch()`: a desk for a smolagents agent of your own.
- `create_app(Settings())`: the web app of a desk, for any ASGI server.
- `SandboxExecutor()`: an executor for anyone's smolagents CodeAgent, which runs its code in a jailed process.
- `DeskTool`: a smolagents Tool with a policy: where it runs, and whether a person is asked before it does.

"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from smoldesk.app import create_app
    from smoldesk.launch.desk_ui import DeskUI
    from smoldesk.sandbox.executor import SandboxExecutor
    from smoldesk.settings import Settings
    from smoldesk.tools.policy import DeskTool

__version__ = "0.3.0"
__all__ = ["DeskTool", "DeskUI", "SandboxExecutor", "Settings", "__version__", "create_app"]

_MODULES = {
    "create_app": "smoldesk.app",
    "DeskUI": "smoldesk.launch.desk_ui",
    "Settings": "smoldesk.settings",
    "SandboxExecutor": "smoldesk.sandbox.executor",
    "DeskTool": "smoldesk.tools.policy",
}


def __getattr__(name: str) -> Any:
    """Import a public name on first access: the sandbox alone needs no server code."""
    if name in _MODULES:
        return getattr(importlib.import_module(_MODULES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
