"""Random buildings for tests: floors of rooms in rows, doors where rooms touch, stairs and lifts between floors."""

from typing import Any

from hypothesis import strategies as st

from smoldesk.messages import MapDefinitionContent

SIDE = 10.0


@st.composite
def buildings(draw: st.DrawFn) -> MapDefinitionContent:
    """One to three floors of up to 20 rooms; not every room has a door, not every floor a link."""
    floors: list[dict[str, Any]] = []
    sizes = draw(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 4)), min_size=1, max_size=3))
    for number, (across, down) in enumerate(sizes):
        rooms = [
            {
                "name": f"R{x}{y}",
                "topLeft": {"x": x * SIDE, "y": y * SIDE},
                "bottomRight": {"x": (x + 1) * SIDE, "y": (y + 1) * SIDE},
            }
            for x in range(across)
            for y in range(down)
        ]
        doors: list[dict[str, Any]] = []
        for x in range(across):
            for y in range(down):
                if x + 1 < across:
                    doors += draw(_doors(f"R{x}{y}", f"R{x + 1}{y}", (x + 1) * SIDE, y * SIDE, upright=True))
                if y + 1 < down:
                    doors += draw(_doors(f"R{x}{y}", f"R{x}{y + 1}", x * SIDE, (y + 1) * SIDE, upright=False))
        doors.append({"rooms": ["R00"], "at": {"x": 0, "y": 1}})  # so that none are assumed
        wide, high = across * SIDE, down * SIDE
        floors.append({
            "floorId": f"F{number}",
            "floorName": f"Floor {number}",
            "floorImage": "",
            "ordinal": number,
            "metresPerUnit": 0.5,
            "coordinateSystem": {
                "topLeft": {"px": 0, "py": 0, "x": 0, "y": 0},
                "bottomRight": {"px": wide, "py": high, "x": wide, "y": high},
            },
            "rectangles": rooms,
            "doors": doors,
        })  # fmt: skip
    links = (
        [draw(_link(number, sizes)) for number in range(draw(st.integers(0, 3)))] if len(sizes) > 1 else []
    )
    return MapDefinitionContent.model_validate({"floors": floors, "bitmaps": [], "links": links})


@st.composite
def _doors(draw: st.DrawFn, one: str, other: str, x: float, y: float, upright: bool) -> list[dict[str, Any]]:
    """None, one or two doors in the wall that begins at (x, y)."""
    found: list[dict[str, Any]] = []
    for _ in range(draw(st.sampled_from((0, 1, 1, 1, 2)))):
        along = draw(st.integers(1, 9))
        at = {"x": x, "y": y + along} if upright else {"x": x + along, "y": y}
        if any(door["at"] == at for door in found):
            continue
        name = f"{one}-{other}-{along}"
        found.append({"rooms": [one, other], "at": at, "doorId": name, "accessible": draw(st.booleans())})
    return found


@st.composite
def _link(draw: st.DrawFn, number: int, sizes: list[tuple[int, int]]) -> dict[str, Any]:
    floors = draw(st.lists(st.integers(0, len(sizes) - 1), min_size=2, max_size=3, unique=True))
    stops: list[dict[str, Any]] = []
    for floor in floors:
        across, down = sizes[floor]
        x, y = draw(st.integers(0, across - 1)), draw(st.integers(0, down - 1))
        at = {"x": x * SIDE + draw(st.integers(1, 9)), "y": y * SIDE + draw(st.integers(1, 9))}
        stops.append({"floorId": f"F{floor}", "room": f"R{x}{y}", "at": at})
    return {
        "linkId": f"L{number}",
        "kind": draw(st.sampled_from(("stairs", "lift", "escalator", "ramp"))),
        "name": f"Link {number}",
        "stops": stops,
        "waitSeconds": draw(st.integers(0, 40)),
    }
