"""Agents that a person names on the command line: a Python file, or a folder written by smolagents' `agent.save()`.

Their code runs in the server, so nothing else than the command line leads here, and files of the data directory, where
code of agents writes, are refused.
"""

import importlib.util
import json
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, get_type_hints

from smolagents import MultiStepAgent
from smolagents.agents import AGENT_REGISTRY

from smoldesk.agents.supplied.agent_source import LOADER
from smoldesk.errors import BadInput
from smoldesk.stopping import start_thread

# Names of functions that make agents, where no annotation tells.
MAKERS = ("agent", "make_agent", "create_agent", "build_agent", "get_agent")
SAVED = "agent.json"
CODE = "bad_agent_file"


def load_agent(spec: str, data_dir: Path, seconds: float) -> tuple[Any, str]:
    """Load `my_agent.py`, `my_agent.py:name` or a folder; return an agent or a function that makes one, and a name.

    Raises BadInput for what cannot be loaded within `seconds`.
    """
    path, name = _parts(spec)
    inside = path.resolve()
    if inside.is_relative_to(data_dir.resolve()):
        raise BadInput(
            f"{path} is in the data directory, where code of agents writes.", "Move it elsewhere.", code=CODE
        )
    if inside.is_dir():
        return _saved(inside, path, seconds), inside.name
    module = _imported(inside, path, seconds)
    return (_named(module, name, path) if name else _only_agent(module, path)), inside.stem


def _parts(spec: str) -> tuple[Path, str]:
    path, colon, name = spec.rpartition(":")
    return (
        (Path(path), name) if colon and name.isidentifier() and not Path(spec).exists() else (Path(spec), "")
    )


def _imported(file: Path, shown: Path, seconds: float) -> ModuleType:
    if file.suffix != ".py" or not file.is_file():
        raise BadInput(
            f"{shown} is not a Python file.",
            "Expected a .py file with an agent, or a folder written by agent.save().",
            code=CODE,
        )
    name = f"smoldesk_agent_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # smolagents looks a tool's source up by its module
    sys.path.append(str(file.parent))  # modules beside the file; last, so they replace none of Python's
    loader = spec.loader
    _within(seconds, lambda: loader.exec_module(module), file, shown)
    return module


def _saved(folder: Path, shown: Path, seconds: float) -> Callable[[], Any]:
    """Return the function that reads a saved agent; it makes one for each chat."""
    try:
        kind = json.loads((folder / SAVED).read_text("utf-8"))["class"]
    except (OSError, ValueError, KeyError, TypeError) as fault:
        raise BadInput(
            f"The folder {shown} has no readable {SAVED}.",
            "Expected a folder written by agent.save().",
            code=CODE,
        ) from fault
    agent_class = AGENT_REGISTRY.get(kind)
    if agent_class is None:
        raise BadInput(
            f"The agent in {shown} is of the class {kind!r}, which smolagents does not load.",
            f"Expected one of: {', '.join(AGENT_REGISTRY)}. Serve the Python file that makes the agent instead.",
            code=CODE,
        )

    def make() -> Any:
        return agent_class.from_folder(folder)

    _within(seconds, make, folder, shown)
    return make


def _within(seconds: float, load: Callable[[], object], path: Path, shown: Path) -> None:
    """Run a person's code on a thread, so that one that never returns can be left. Raises BadInput."""
    loading = start_thread(load, LOADER)
    try:
        loading.result(seconds)
    except (Exception, SystemExit) as fault:  # a person's own code may raise anything
        if not loading.done():
            raise BadInput(
                f"{shown} was not loaded within {seconds:g} s.",
                "Put what runs for long, such as launch(), under `if __name__ == '__main__':`, "
                "or raise SMOLDESK_AGENT_LOAD_SECONDS.",
                code=CODE,
            ) from None
        raise BadInput(
            f"{_place(path, shown, fault)} cannot be loaded: {type(fault).__name__}: {str(fault)[:500]}",
            "Mend it, and start again.",
            code=CODE,
        ) from fault


def _place(path: Path, shown: Path, fault: BaseException) -> str:
    if isinstance(fault, SyntaxError) and fault.filename == str(path):
        return f"{shown}:{fault.lineno}"
    frames = traceback.extract_tb(fault.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    return f"{shown}:{lines[-1]}" if lines else str(shown)


def _named(module: ModuleType, name: str, shown: Path) -> Any:
    value = getattr(module, name, None)
    if isinstance(value, MultiStepAgent) or callable(value):
        return value
    what = "has nothing of the name" if value is None else "has no agent and no function under"
    raise BadInput(f"{shown} {what} {name!r}.", "Expected an agent, or a function that makes one.", code=CODE)


def _only_agent(module: ModuleType, shown: Path) -> Any:
    """Return the one agent of a module that no other one manages, else its one function that makes agents."""
    found: dict[str, Any] = {
        name: value for name, value in vars(module).items() if isinstance(value, MultiStepAgent)
    }
    managed = {id(member) for agent in found.values() for member in agent.managed_agents.values()}
    agents = {name: agent for name, agent in found.items() if id(agent) not in managed}
    candidates = agents or {
        name: value
        for name, value in vars(module).items()
        if callable(value)
        and getattr(value, "__module__", "") == module.__name__
        and _makes_agents(name, value)
    }
    if len({id(value) for value in candidates.values()}) == 1:
        return next(iter(candidates.values()))
    if candidates:
        raise BadInput(
            f"{shown} defines several agents: {', '.join(candidates)}.",
            f"Choose one, for example {shown}:{next(iter(candidates))}",
            code=CODE,
        )
    raise BadInput(
        f"{shown} defines no agent.",
        "Expected a smolagents agent at the top level, or a function make_agent() that returns one.",
        code=CODE,
    )


def _makes_agents(name: str, value: Any) -> bool:
    if name in MAKERS:
        return True
    try:
        returned = get_type_hints(value).get("return")
    except Exception:  # hints may name what is not there at run time
        return False
    return isinstance(returned, type) and issubclass(returned, MultiStepAgent)
