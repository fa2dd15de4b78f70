"""Names of IMDF units: their own, those of the occupants at their anchors, and those of amenities that they are."""

from collections.abc import Callable
from dataclasses import dataclass, field

from .imdf_features import ImdfFeature
from .imdf_kinds import kind_of_category, words_of_categories

FeaturesOf = Callable[[str], list[ImdfFeature]]


@dataclass
class UnitLabels:
    """A main name, names by language, and aliases in the order in which they were found."""

    name: str = ""
    labels: dict[str, str] = field(default_factory=dict[str, str])
    aliases: list[str] = field(default_factory=list[str])
    kinds: list[str] = field(default_factory=list[str])
    """Words of the categories of the unit and of its occupants."""

    def add(self, labels: dict[str, str], language: str) -> None:
        """Take labels as the name if there is none yet, else as aliases."""
        if not self.name:
            self.name = main_name(labels, language)
            self.labels = {key: label for key, label in labels.items() if key}
        else:
            self.add_aliases(labels)

    def add_aliases(self, labels: dict[str, str]) -> None:
        names = {self.name, *self.labels.values(), *self.aliases}
        self.aliases += [label for label in dict.fromkeys(labels.values()) if label not in names]


def main_name(labels: dict[str, str], language: str) -> str:
    """Return the label of the archive's language, else the English one, else the first; "" if there is none."""
    for tag in (language, language.partition("-")[0], "", "en"):
        for key, label in labels.items():
            if key == tag or (tag and key.partition("-")[0] == tag):
                return label
    return next(iter(labels.values()), "")


class UnitNames:
    """Names by the ids of units."""

    def __init__(self, features_of: FeaturesOf, language: str) -> None:
        self._language = language
        unit_of_anchor = {anchor.id: anchor.text("unit_id") for anchor in features_of("anchor") if anchor.id}
        self._occupants: dict[str, list[ImdfFeature]] = {}
        for occupant in features_of("occupant"):
            unit = unit_of_anchor.get(occupant.text("anchor_id")) or occupant.text("unit_id")
            if unit:
                self._occupants.setdefault(unit, []).append(occupant)
        self._amenities: dict[str, list[ImdfFeature]] = {}
        for amenity in features_of("amenity"):
            units = amenity.ids("unit_ids")
            if len(units) == 1:
                self._amenities.setdefault(units[0], []).append(amenity)

    def of_unit(self, unit: ImdfFeature) -> UnitLabels:
        """Return the names of a unit: an occupant names one without a name, and is an alias of another."""
        names = UnitLabels()
        kind = kind_of_category(unit.text("category"))
        amenities = [
            amenity
            for amenity in self._amenities.get(unit.id, [])
            if kind_of_category(amenity.text("category")) == kind
        ]
        features = [unit, *self._occupants.get(unit.id, []), *amenities]
        for feature in features:
            names.add(feature.labels("name"), self._language)
        for feature in features:
            for property_ in ("alt_name", "short_name", "shortName"):
                names.add_aliases(feature.labels(property_))
        names.kinds = words_of_categories([feature.text("category") for feature in features])
        return names
