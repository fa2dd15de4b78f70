"""The part of the plane a floor covers, in its virtual coordinates. Pure."""

from dataclasses import dataclass

from smoldesk.messages import CoordinateSystem


@dataclass(frozen=True)
class Bounds:
    """The virtual coordinates a floor covers; y may grow in either direction."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def of(cls, system: CoordinateSystem) -> "Bounds":
        """Return the bounds of a floor's image."""
        return cls(system.top_left.x, system.top_left.y, system.bottom_right.x, system.bottom_right.y)

    def holds(self, x: float, y: float) -> bool:
        """Return whether the point lies on the floor, edges included; False for NaN."""
        return min(self.left, self.right) <= x <= max(self.left, self.right) and min(
            self.top, self.bottom
        ) <= y <= max(self.top, self.bottom)

    def __str__(self) -> str:
        return f"x {self.left:g}..{self.right:g}, y {self.top:g}..{self.bottom:g}"
