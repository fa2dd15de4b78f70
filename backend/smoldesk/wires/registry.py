"""Registry of wires: those a desk serves, of its own and of other packages (entry points of `smoldesk.wires`)."""

from collections.abc import Sequence
from typing import cast

from smoldesk.errors import BadInput
from smoldesk.plugins import Plugin, load_group, names_in
from smoldesk.wires.base import Wire

GROUP = "smoldesk.wires"
_METHODS = ("routes", "open", "close")


def choose_wires(own: Sequence[type[Wire]], chosen: Sequence[str]) -> list[type[Wire]]:
    """The wires of these names, or all for none, the desk's own first and in their order.

    Raises BadInput for a name that no wire has, and for a wire of another package that cannot be loaded.
    """
    names = [wire.name for wire in own]
    others = names_in(GROUP)
    _check_names([*names, *others], chosen)
    plugins = load_group(GROUP, chosen or None) if others else []
    for plugin in plugins:
        _check(plugin, names)
    mine = [wire for wire in own if not chosen or wire.name in chosen]
    return [*mine, *(cast("type[Wire]", plugin.loaded) for plugin in plugins)]


def _check_names(known: Sequence[str], chosen: Sequence[str]) -> None:
    unknown = [name for name in chosen if name not in known]
    if unknown:
        raise BadInput(
            f"SMOLDESK_WIRES names wires that there are not: {', '.join(unknown)}.",
            f"Expected some of: {', '.join(known)}.",
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
