"""The three floors of the demo building: walls, doors, windows and furniture, a module each.

Rooms lie where `building.json` says; their names and outlines are drawn by the page. The middle of a room is
kept calm, since names, arrows and icons go there.
"""

from drawing.floor_1f import first
from drawing.floor_2f import second
from drawing.floor_b1 import basement

FLOORS = {"floor_1f.png": first, "floor_2f.png": second, "floor_b1.png": basement}
"""File name -> drawing; the names are those of `building.json`."""
