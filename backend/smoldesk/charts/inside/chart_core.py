"""View of a chart that its controls change, and the spec around it: panes of a facet, other layers at the same places.

Pure. Charts of several different views (`hconcat`, `repeat`), and layers along other axes, have no such view.
"""

import copy
from dataclasses import dataclass
from typing import Any, cast

from .chart_rules import Spec
from .chart_view import KINDS, channels_of, mark_of

# Parts that stay around the view of a facet.
_FACET_KEYS = frozenset(["$schema", "title", "description", "config", "background", "padding", "autosize"])
# Parts of layers besides their marks and channels.
_LAYER_KEYS = frozenset(["mark", "encoding", "name", "params"])
_MAIN = frozenset([*KINDS, "rect"])
_AXES = ("x", "y")


@dataclass(frozen=True)
class Core:
    """The view, with its rows, and what it was taken from: a `facet`, or the place `layer` among layers."""

    view: Spec
    spec: Spec
    is_facet: bool = False
    layer: int | None = None

    def spec_with(self, view: Spec) -> Spec:
        """Return the complete spec with a changed view."""
        if self.is_facet:
            # Steps within a facet would see the rows of one pane.
            outer = {key: view[key] for key in ("transform",) if key in view}
            inner = {key: view[key] for key in view if key not in ("data", "datasets", *outer)}
            return {**self.spec, **outer, "spec": inner}
        return view if self.layer is None else self._layers_with(self.layer, view)

    def _layers_with(self, place: int, view: Spec) -> Spec:
        spec = copy.deepcopy(self.spec)
        encoding: Spec = view["encoding"]
        shared: Spec = spec.get("encoding", {})
        layers: list[Spec] = spec["layer"]
        for channels in (shared, *(layer.setdefault("encoding", {}) for layer in layers)):
            channels.update({axis: encoding[axis] for axis in _AXES if axis in channels})
        main: Spec = layers[place]
        main["mark"] = view["mark"]
        for name in [name for name in main["encoding"] if name not in encoding]:
            del main["encoding"][name]
        main["encoding"] |= {
            name: channel for name, channel in encoding.items() if shared.get(name) != channel
        }
        for name in [name for name in main["encoding"] if name in _AXES and name in shared]:
            del main["encoding"][name]
        around = {key: part for key, part in view.items() if key not in ("mark", "encoding")}
        return {**{key: spec[key] for key in ("encoding",) if key in spec}, **around, "layer": layers}


def core_of(spec: Spec) -> Core | None:
    """Return the view that controls change, or None."""
    if isinstance(spec.get("layer"), list):
        return _core_of_layers(spec)
    inner: Any = spec.get("spec")
    if not isinstance(inner, dict):
        return Core(spec, spec)
    around = spec.keys() - {
        "facet",
        "columns",
        "spec",
        "data",
        "datasets",
        "resolve",
        "spacing",
        "align",
        "bounds",
    }
    if "facet" not in spec or not around <= _FACET_KEYS or "layer" in inner or "data" in inner:
        return None
    rows = {key: spec[key] for key in ("data", "datasets") if key in spec}
    return Core({**cast(Spec, inner), **rows}, spec, is_facet=True)


def _core_of_layers(spec: Spec) -> Core | None:
    """Return the only layer of marks that controls change, if all layers stand at the same places."""
    layers = cast("list[Any]", spec["layer"])
    if not all(isinstance(layer, dict) and cast(Spec, layer).keys() <= _LAYER_KEYS for layer in layers):
        return None
    shared: Any = spec.get("encoding", {})
    around = {key: part for key, part in spec.items() if key not in ("layer", "encoding")}
    views = [
        {**around, **layer, "encoding": {**shared, **layer.get("encoding", {})}}
        for layer in cast("list[Spec]", layers)
    ]
    main = [place for place, view in enumerate(views) if mark_of(view) in _MAIN]
    channels = [channels_of(view) for view in views]
    if len(main) != 1 or None in channels:
        return None
    first = cast(Spec, channels[0])
    is_same = all(cast(Spec, each).get(axis) == first.get(axis) for each in channels for axis in _AXES)
    return Core(views[main[0]], spec, layer=main[0]) if is_same else None
