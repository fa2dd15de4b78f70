"""IFC files for tests: boxes as extruded rectangles, with the meshes that a library makes of them."""

import numpy as np

from smoldesk.buildings.importers.inside.ifc_site import Mesh

# Corners of a unit box, and its twelve triangles.
CORNERS = np.array([(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)], dtype=float)
TRIANGLES = np.array(
    [(0, 1, 3), (0, 3, 2), (4, 5, 7), (4, 7, 6), (0, 1, 5), (0, 5, 4), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4),
     (1, 3, 7), (1, 7, 5)]
)  # fmt: skip
Box = tuple[float, float, float, float, float, float]


class IfcText:
    """A file in millimetres with one site, one building and storeys; boxes are (x1, y1, z1, x2, y2, z2) in metres."""

    def __init__(self, schema: str = "IFC4", place: str = "(35,40,30),(139,46,2)") -> None:
        self.schema = schema
        self.meshes: dict[int, Mesh] = {}
        self._lines: list[str] = []
        self._unit = self.add("IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.)")
        units = self.add(f"IFCUNITASSIGNMENT((#{self._unit}))")
        origin = self.add("IFCCARTESIANPOINT((0.,0.,0.))")
        self._axes = self.add(f"IFCAXIS2PLACEMENT3D(#{origin},$,$)")
        self._context = self.add(f"IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-5,#{self._axes},$)")
        project = self.add(f"IFCPROJECT('p',$,'P-1',$,$,'Annex',$,(#{self._context}),#{units})")
        placement = self.add(f"IFCLOCALPLACEMENT($,#{self._axes})")
        self._site = self.add(f"IFCSITE('s',$,'Site',$,$,#{placement},$,$,.ELEMENT.,{place},$,$,$)")
        self.relate(project, [self._site])
        self.building = self.add_building("Annex")

    def add(self, entity: str) -> int:
        """Add a record and return its number."""
        self._lines.append(entity)
        return len(self._lines)

    def relate(self, parent: int, parts: list[int]) -> None:
        listed = ",".join(f"#{part}" for part in parts)
        self.add(f"IFCRELAGGREGATES('r',$,$,$,#{parent},({listed}))")

    def add_building(self, name: str) -> int:
        number = self.add(f"IFCBUILDING('b',$,'{name}',$,$,$,$,$,.ELEMENT.,$,$,$)")
        self.relate(self._site, [number])
        return number

    def storey(self, name: str, height: float, building: int | None = None) -> int:
        place = self._placement(0, 0, height)
        number = self.add(f"IFCBUILDINGSTOREY('f',$,'{name}',$,$,#{place},$,$,.ELEMENT.,{height * 1000})")
        self.relate(building or self.building, [number])
        return number

    def space(self, storey: int, name: str, long_name: str, box: Box, kind: str = "INTERNAL") -> int:
        place, shape = self._placed(box)
        text = f"'{long_name}'" if long_name else "$"
        number = self.add(f"IFCSPACE('x',$,'{name}',$,$,#{place},#{shape},{text},.ELEMENT.,.{kind}.,$)")
        self.relate(storey, [number])
        return self._meshed(number, box)

    def element(self, kind: str, storey: int, name: str, box: Box, end: str = "$") -> int:
        place, shape = self._placed(box)
        number = self.add(f"{kind}('e',$,'{name}',$,$,#{place},#{shape},$,{end})")
        self.add(f"IFCRELCONTAINEDINSPATIALSTRUCTURE('c',$,$,$,(#{number}),#{storey})")
        return self._meshed(number, box)

    def door(self, storey: int, name: str, box: Box) -> int:
        """Add a wall's hole of this size and a door that stands open in it."""
        wall = self.add("IFCWALL('w',$,'Wall',$,$,$,$,$,$)")
        hole = self.hole(wall, box)
        x1, y1, z1, x2, _, z2 = box
        door = self.element("IFCDOOR", storey, name, (x1, y1, z1, x2, y1 + 0.9, z2), "2100.,900.,.DOOR.,$,$")
        self.add(f"IFCRELFILLSELEMENT('f',$,$,$,#{hole},#{door})")
        return door

    def hole(self, wall: int, box: Box) -> int:
        place, shape = self._placed(box)
        number = self.add(f"IFCOPENINGELEMENT('o',$,$,$,$,#{place},#{shape},$,.OPENING.)")
        self.add(f"IFCRELVOIDSELEMENT('v',$,$,$,#{wall},#{number})")
        return self._meshed(number, box)

    def data(self) -> bytes:
        records = "".join(f"#{number}={entity};\n" for number, entity in enumerate(self._lines, 1))
        head = "HEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\n"
        head = f"ISO-10303-21;\n{head}FILE_SCHEMA(('{self.schema}'));\nENDSEC;\nDATA;\n"
        return (head + records + "ENDSEC;\nEND-ISO-10303-21;\n").encode()

    def _meshed(self, number: int, box: Box) -> int:
        low, high = np.array(box[:3]), np.array(box[3:])
        self.meshes[number] = Mesh(CORNERS * (high - low) + low, TRIANGLES)
        return number

    def _placement(self, *point: float) -> int:
        values = ",".join(str(float(value) * 1000) for value in point)
        axes = self.add(f"IFCAXIS2PLACEMENT3D(#{self.add(f'IFCCARTESIANPOINT(({values}))')},$,$)")
        return self.add(f"IFCLOCALPLACEMENT($,#{axes})")

    def _placed(self, box: Box) -> tuple[int, int]:
        x1, y1, z1, x2, y2, z2 = (value * 1000 for value in box)
        middle = self.add(f"IFCCARTESIANPOINT(({(x2 - x1) / 2},{(y2 - y1) / 2}))")
        at = self.add(f"IFCAXIS2PLACEMENT2D(#{middle},$)")
        profile = self.add(f"IFCRECTANGLEPROFILEDEF(.AREA.,$,#{at},{x2 - x1},{y2 - y1})")
        up = self.add("IFCDIRECTION((0.,0.,1.))")
        solid = self.add(f"IFCEXTRUDEDAREASOLID(#{profile},#{self._axes},#{up},{z2 - z1})")
        body = self.add(f"IFCSHAPEREPRESENTATION(#{self._context},'Body','SweptSolid',(#{solid}))")
        return self._placement(*box[:3]), self.add(f"IFCPRODUCTDEFINITIONSHAPE($,$,(#{body}))")


def house() -> IfcText:
    """Two storeys: a hall and an office with a door, a way out, stairs, a lift, a lobby of it, and a balcony door."""
    text = IfcText()
    ground, upper, roof = (
        text.storey("Ground floor", 0),
        text.storey("Upper floor", 3),
        text.storey("Roof", 6),
    )
    assert roof
    text.space(ground, "101", "Hall", (0, 0, 0, 6, 4, 2.7))
    text.space(ground, "102", "", (0, 4.2, 0, 6, 8, 2.7))
    text.space(upper, "201", "Gallery", (0, 0, 3, 6, 4, 5.7))
    text.space(ground, "103", "Lift", (6.2, 0, 0, 8, 2, 2.7))
    text.space(upper, "203", "Lift", (6.2, 0, 3, 8, 2, 5.7))
    text.space(upper, "204", "Lift lobby", (6.2, 2.2, 3, 8, 4, 5.7))
    text.door(ground, "D1", (2, 4, 0, 2.9, 4.2, 2.1))
    text.door(ground, "D2", (4, -0.3, 0, 4.9, 0, 2.1))
    text.door(upper, "D3", (4, -0.3, 3, 4.9, 0, 5.1))
    text.element("IFCSTAIR", ground, "Main stairs", (0, 0, 0, 1, 3, 2.8), ".STRAIGHT_RUN_STAIR.")
    return text
