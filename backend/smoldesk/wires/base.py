"""Wire: one protocol that clients speak to the desk, and its routes.

`smoldesk.app` makes one object of each wire, adds its routes in the order of its list, and opens and closes it with the
server. Every wire begins with the same four files: routes (its addresses), requests (what clients send, read and checked),
encoder (what they get), models (the values between those).
"""

from collections.abc import Callable, Sequence
from typing import ClassVar, Protocol, cast

from starlette.routing import BaseRoute

from smoldesk.desk import Desk
from smoldesk.errors import BadInput
from smoldesk.plugins import Plugin, load_group, names_in


class Wire(Protocol):
    """A wire of one desk. Making it imports no protocol's library: what is heavy waits for the first request.

    It uses the services of the desk and its settings, never its store.
    """

    name: ClassVar[str]
    """What SMOLDESK_WIRES and its entry point call it."""
    desk: Desk

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def routes(self) -> Sequence[BaseRoute]:
        """Its addresses, asked for once."""
        ...

    async def open(self) -> None:
        """Begin what cannot wait for a request. Called when the desk is open, before the first request."""

    async def close(self) -> None:
        """End what `open` or a request began; the desk is still open."""


WireType = Callable[[Desk], Wire]


GROUP = "smoldesk.wires"
_METHODS = ("routes", "open", "close")


def choose_wires(builtin_wires: Sequence[type[Wire]], chosen: Sequence[str]) -> list[type[Wire]]:
    """The wires of these names, or all for none, the desk's own first and in their order.

    Raises BadInput for a name that no wire has, and for a wire of another package that cannot be loaded.
    """
    names = [wire.name for wire in builtin_wires]
    plugin_names = names_in(GROUP)
    _check_names([*names, *plugin_names], chosen)
    plugins = load_group(GROUP, chosen or None) if plugin_names else []
    for plugin in plugins:
        _check(plugin, names)
    mine = [wire for wire in builtin_wires if not chosen or wire.name in chosen]
    return [*mine, *(cast("type[Wire]", plugin.loaded) for plugin in plugins)]


def _check_names(available: Sequence[str], chosen: Sequence[str]) -> None:
    unknown = [name for name in chosen if name not in available]
    if unknown:
        raise BadInput(
            f"SMOLDESK_WIRES names wires that there are not: {', '.join(unknown)}.",
            f"Expected some of: {', '.join(available)}.",
            code="bad_settings",
        )


def _check(plugin: Plugin, names: Sequence[str]) -> None:
    """Raises BadInput for a plug-in that is no wire, or takes a name of the desk's own."""
    if plugin.name in names:
        problem = f"is called {plugin.name!r}, as one of the desk's own is"
    elif not isinstance(plugin.loaded, type):
        problem = "is no class"
    elif lacking := [name for name in _METHODS if not callable(getattr(plugin.loaded, name, None))]:
        problem = f"has no {' and no '.join(lacking)}"
    elif getattr(plugin.loaded, "name", None) != plugin.name:
        problem = f"calls itself {getattr(plugin.loaded, 'name', None)!r}"
    else:
        return
    raise BadInput(
        f"The wire {plugin.name!r} from {plugin.where} {problem}.",
        "Expected a class such as those of smoldesk.wires.base.Wire; repair that package, or uninstall it.",
        code="bad_plugin",
    )
