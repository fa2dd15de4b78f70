"""Registry of executors: what else than the sandbox may run code at the desk (SMOLDESK_EXECUTOR), and how far from it.

`nodes` is the sandbox, too, with its processes on other machines (`smoldesk.nodes`). Another executor is smolagents'
PythonExecutor; `foreign_executor` puts the desk's gate and stop around it.
spec/guides/add_an_executor.md goes through the steps.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from smoldesk.errors import BadInput, DeskError
from smoldesk.sandbox.isolation import Isolation

SANDBOX, NODES = "sandbox", "nodes"
# Modules that interpreted code may import besides smolagents' own list of harmless ones.
IMPORTS = ["json", "numpy.*", "pandas.*", "matplotlib.*", "seaborn.*", "scipy.*", "sklearn.*"]


@dataclass(frozen=True)
class Executor:
    """Executor of smolagents as the desk registers it: `make` builds one for a run, or raises why it cannot.

    `is_local`: code runs in this process, where the desk's tools can be called. `isolation`: the page's description
    of it. `description`: instructions for a model about running code there.
    """

    make: Callable[[], Any]
    is_local: bool
    isolation: Isolation
    description: str


def _ast() -> Any:
    from smolagents.local_python_executor import LocalPythonExecutor

    # without its time limit, which runs code on a thread of its own, where no tool may be called from
    return LocalPythonExecutor(additional_authorized_imports=IMPORTS, timeout_seconds=None)


def _remote(kind: str) -> Callable[[], Any]:
    def make() -> Any:
        from smolagents import remote_executors
        from smolagents.monitoring import AgentLogger, LogLevel

        executor_class: Any = getattr(remote_executors, kind)
        return executor_class(additional_imports=[], logger=AgentLogger(level=LogLevel.OFF))

    return make


def _elsewhere(name: str) -> Isolation:
    return Isolation(
        isolated=True, label=name, reasons=[f"Code runs in {name}, away from this machine's files."]
    )


ELSEWHERE = "The code runs elsewhere: the chat's files and the other tools are not there."
EXECUTORS: dict[str, Executor] = {
    "ast": Executor(
        _ast,
        is_local=True,
        isolation=Isolation(
            isolated=False,
            label="not isolated",
            reasons=[
                "Code is interpreted inside the server by smolagents, which is not a security boundary."
            ],
        ),
        description="The code is interpreted: parts of Python are missing, and nothing is displayed but what it prints.",
    ),
    "docker": Executor(_remote("DockerExecutor"), False, _elsewhere("docker"), ELSEWHERE),
    "e2b": Executor(_remote("E2BExecutor"), False, _elsewhere("e2b"), ELSEWHERE),
}


def register(plugins: Mapping[str, object]) -> None:
    """Add executors of installed packages, by name; a name that exists is not replaced. Raises BadInput."""
    for name, executor in plugins.items():
        if not isinstance(executor, Executor):
            raise BadInput(
                f"The entry point {name!r} of smoldesk.executors is not an Executor.",
                "Expected an instance of smoldesk.sandbox.executors.Executor.",
                code="bad_plugin",
            )
        if not is_sandbox(name):
            EXECUTORS.setdefault(name, executor)


def is_sandbox(name: str) -> bool:
    """Return whether an executor runs code in the sandbox, here or at a node."""
    return name in (SANDBOX, NODES)


def executor_of(chosen: str | None, desk: str) -> str:
    """Return the executor of an agent that chose one: at a desk with nodes it may stay at the desk."""
    return chosen if chosen and desk == NODES else desk


def check_executor(name: str) -> None:
    """Raise BadInput for a name of no executor."""
    if not is_sandbox(name) and name not in EXECUTORS:
        raise BadInput(
            f"SMOLDESK_EXECUTOR names no executor of this desk: {name[:40]!r}.",
            f"Expected one of: {', '.join([SANDBOX, NODES, *EXECUTORS])}.",
            code="bad_settings",
        )


def isolation_of(name: str, jail: Isolation) -> Isolation:
    """Return how far an executor isolates code; `jail` is the sandbox's isolation."""
    return jail if is_sandbox(name) else EXECUTORS[name].isolation


def create_executor(name: str) -> Any:
    """smolagents' executor of this name. Raises DeskError: another package or a service may be missing."""
    try:
        return EXECUTORS[name].make()
    except Exception as fault:  # a missing package, a daemon that is not there, a key that is wrong
        raise DeskError(
            f"The executor {name!r} is not available: {str(fault)[:300]}.",
            "Install what it needs (see smolagents' documentation), or unset SMOLDESK_EXECUTOR.",
            code="executor_unavailable",
        ) from fault
