"""Wire: one protocol between clients and the desk, with its routes.

`smoldesk.app` creates one object of each wire, adds its routes in the order of its list, and opens and closes it with the
server. Every wire has the same four files: routes (addresses), requests (parsing of client input), encoder (output) and
models (the values between them).
"""

from collections.abc import Callable, Sequence
from typing import ClassVar, Protocol, cast

from starlette.routing import BaseRoute

from smoldesk.desk import Desk
from smoldesk.errors import BadInput
from smoldesk.plugins import Plugin, load_group, names_in


class Wire(Protocol):
    """Wire of one desk.

    Creating it must not import a protocol's library: heavy imports wait for the first request. It uses the desk's services
    and settings, never its store.
    """

    name: ClassVar[str]
    """Name in SMOLDESK_WIRES and of its entry point."""
    desk: Desk

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def routes(self) -> Sequence[BaseRoute]:
        """Return the routes of this wire. Called once."""
        ...

    async def open(self) -> None:
        """Start background work. Called after the desk has opened, before the first request."""

    async def close(self) -> None:
        """Stop what `open` or a request started. The desk is still open."""


WireType = Callable[[Desk], Wire]


GROUP = "smoldesk.wires"
_METHODS = ("routes", "open", "close")


def choose_wires(builtin_wires: Sequence[type[Wire]], chosen: Sequence[str]) -> list[type[Wire]]:
    """Return the wires with the chosen names, or all: built-in ones in their order, then plug-ins.

    Raises BadInput for an unknown name and for a plug-in that cannot be loaded.
    """
    names = [wire.name for wire in builtin_wires]
    plugin_names = names_in(GROUP)
    _check_names([*names, *plugin_names], chosen)
    # Loading imports other packages, so it is skipped when no entry point exists.
    plugins = load_group(GROUP, chosen or None) if plugin_names else []
    for plugin in plugins:
        _check(plugin, names)
    mine = [wire for wire in builtin_wires if not chosen or wire.name in chosen]
    return [*mine, *(cast("type[Wire]", plugin.loaded) for plugin in plugins)]


def _check_names(available: Sequence[str], chosen: Sequence[str]) -> None:
    unknown = [name for name in chosen if name not in available]
    if unknown:
        raise BadInput(
            f"SMOLDESK_WIRES names unknown wires: {', '.join(unknown)}.",
            f"Expected some of: {', '.join(available)}.",
            code="bad_settings",
        )


def _check(plugin: Plugin, names: Sequence[str]) -> None:
    """Raise BadInput if a plug-in is not a wire or has the name of a built-in one."""
    if plugin.name in names:
        problem = f"has the name of the built-in wire {plugin.name!r}"
    elif not isinstance(plugin.loaded, type):
        problem = "is not a class"
    elif lacking := [name for name in _METHODS if not callable(getattr(plugin.loaded, name, None))]:
        problem = f"has no {' and no '.join(lacking)}"
    elif getattr(plugin.loaded, "name", None) != plugin.name:
        problem = f"has the name attribute {getattr(plugin.loaded, 'name', None)!r}"
    else:
        return
    raise BadInput(
        f"The wire {plugin.name!r} from {plugin.where} {problem}.",
        "Expected a class like smoldesk.wires.base.Wire; repair that package, or uninstall it.",
        code="bad_plugin",
    )
