"""Maps as the page draws them, in pictures without a page: complete, safe, and the same pixels."""

import base64
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from smoldesk.buildings.building import Building
from smoldesk.charts import NoPicture
from smoldesk.export import page_map
from smoldesk.export.linked_modules import linked
from smoldesk.export.map_svg import MapState
from smoldesk.messages import (
    Arrow,
    ArrowContent,
    AtRectangle,
    ClearMap,
    Closure,
    Map,
    MapContent,
    MapDefinitionContent,
    MapRectangle,
    TextOverlay,
)

pytestmark = pytest.mark.starts


def test_a_map_draws_what_was_asked_for_and_holds_no_markup_of_others() -> None:
    drawn = MapState(Building.load())
    hostile = '</text><script>alert(1)</script>\0"'
    room = MapRectangle(name="Kitchen", color="#00ff00", stroke_opacity=1, fill_opacity=0.3, value=2.5)
    text_overlay = TextOverlay(text=hostile, position=AtRectangle(name="Room1"))
    drawn.take(
        Map(content=MapContent(floor_id="1F", timestamp="", rectangles=[room], overlays=[text_overlay]))
    )
    drawn.take(Arrow(content=ArrowContent(room="Room1", direction="down")))
    drawn.closures = (
        Closure(kind="room", floor_id="1F", rooms=("Toilet",)),
        Closure(kind="link", link_id="lift"),
    )
    tree = ElementTree.fromstring(drawn.svg())
    red = [element.tag.rpartition("}")[2] for element in tree.iter() if "#b3261e" in element.attrib.values()]
    assert len(red) == 3, "a hatched room with its sign, and the sign of the lift"
    texts = [*tree.itertext()]
    assert "Kitchen" in texts and any("<script>" in text for text in texts)
    assert "#00ff00" in {element.get("fill") for element in tree.iter()}
    assert {element.tag.rpartition("}")[2] for element in tree.iter()} <= {
        "svg",
        "title",
        "defs",
        "clipPath",
        "image",
        "use",
        "text",
        "path",
    }
    addresses = [element.get("href") or "" for element in tree.iter()]
    assert all(address.startswith(("#image", "data:image/png;")) for address in addresses if address)


@pytest.mark.parametrize("turned", ["", "x", "y", "xy"])
def test_a_map_lies_as_its_image_does_whichever_way_its_axes_run(turned: str) -> None:
    left, right = (1020, 20) if "x" in turned else (20, 1020)
    top, bottom = (420, 20) if "y" in turned else (20, 420)
    first, last = {"px": left, "py": top, "x": 0, "y": 0}, {"px": right, "py": bottom, "x": 500, "y": 200}
    item = {"name": "One", "topLeft": {"x": 0, "y": 0}, "bottomRight": {"x": 100, "y": 50}}
    about = {"floorId": "T", "floorName": "T", "floorImage": "", "rectangles": [item]}
    about |= {"coordinateSystem": {"topLeft": first, "bottomRight": last}}
    drawn = MapState(Building(MapDefinitionContent.model_validate({"floors": [about], "bitmaps": []})))
    room = MapRectangle(name="One", color="#00ff00", stroke_opacity=1, fill_opacity=1)
    drawn.take(Map(content=MapContent(floor_id="T", timestamp="", rectangles=[room], overlays=[])))
    tree = ElementTree.fromstring(drawn.on_floor("T", view=(20, 20, 1000, 400)).svg())
    assert tree.get("viewBox") == "0 0 860 344", "the part of the image that was seen"
    [path, *_] = [element.get("d", "") for element in tree.iter() if element.get("fill") == "#00ff00"]
    corners = [tuple(map(float, corner.split())) for corner in re.split("[MLZ]", path) if corner]
    scale = 860 / 1000
    assert min(corners) == pytest.approx(
        (800 * scale if "x" in turned else 0, 300 * scale if "y" in turned else 0), abs=1
    )


def test_two_agents_have_numbered_layers_and_clear_their_own() -> None:
    drawn = MapState(Building.load())

    def show(*rooms: str) -> Map:
        rectangles = [MapRectangle(name=name, stroke_opacity=1, fill_opacity=0.3) for name in rooms]
        return Map(content=MapContent(floor_id="1F", timestamp="", rectangles=rectangles))

    drawn.take(show("Room1", "Kitchen"), "code")
    assert "code" not in drawn.svg()
    drawn.take(show("Kitchen"), "<painter>")
    drawn.take(Arrow(content=ArrowContent(room="Room1", direction="up")), "code")
    numbers = {agent: layer.number for agent, layer in drawn.layers.items()}
    assert numbers == {"<painter>": 2, "code": 1} and list(numbers)[-1] == "code"  # who drew last is on top
    svg = drawn.svg()
    texts = [*ElementTree.fromstring(svg).itertext()]
    assert texts.count("1") == 3 and texts.count("2") == 2, (
        "in the corners of rooms, and in the list of agents"
    )
    assert "code" in texts and "<painter>" in texts
    drawn.take(ClearMap(), "code")
    assert [room.name for room in drawn.rooms] == ["Kitchen"] and drawn.arrows == []


SCRIPT = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
LINK = '<svg xmlns="http://www.w3.org/2000/svg"><image href="https://example.com/p.png"/></svg>'


@pytest.mark.parametrize(
    ("drawing", "reason"),
    [
        ("throw new Error('broken')", "broken"),
        *((f"return {svg!r}", "invalid answer") for svg in (SCRIPT, LINK)),
    ],
)
def test_what_is_no_drawing_never_leaves_the_child(
    monkeypatch: pytest.MonkeyPatch, drawing: str, reason: str
) -> None:
    script = f"({{ equip() {{}}, pictures: () => [{{ floorId: '1F', svg: (() => {{ {drawing}; }})() }}] }})"
    monkeypatch.setattr(page_map, "_script", lambda: script)
    drawn = MapState(Building.load())
    drawn.take(Arrow(content=ArrowContent(room="Room1", direction="left")))
    for _ in range(2):
        with pytest.raises(NoPicture, match=reason):
            drawn.pictures()


def test_maps_that_are_drawn_together_have_their_own_images_and_faults(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    building = Building.load()
    floor = building.definition.floors[0]
    image = f"<image href=\"${{images['{floor.floor_image}'].href}}\"/>"
    svg = f'`<svg xmlns="http://www.w3.org/2000/svg">{image}</svg>`'
    broken = "if (commands.length > 1) throw new Error('broken')"
    body = f"{broken}; return [{{ floorId: '1F', svg: {svg} }}]"
    script = f"({{ equip() {{}}, pictures: ({{ images, commands }}) => {{ {body} }} }})"
    monkeypatch.setattr(page_map, "_script", lambda: script)

    def drawn(color: str, *rooms: str) -> MapState:
        path = tmp_path / f"{color}.png"
        Image.new("RGB", (4, 4), color).save(path)
        state = MapState(building, {floor.floor_image: path})
        for room in rooms:
            state.take(Arrow(content=ArrowContent(room=room, direction="left")))
        return state

    maps = [drawn("red", "Room1"), drawn("red", "Room1", "Kitchen"), drawn("blue", "Room1")]
    MapState.draw_ahead(maps, all_floors=False)
    for state in (maps[0], maps[2]):
        [image] = [path.read_bytes() for path in state.images.values()]
        assert base64.b64encode(image).decode() in state.svg()
    with pytest.raises(NoPicture, match="broken"):
        maps[1].svg()


def test_modules_with_other_forms_are_refused(tmp_path: Path) -> None:
    for form in ("export default 1;", 'import one from "./one.js";'):
        (tmp_path / "entry.js").write_text(f"{form}\n", "utf-8")
        with pytest.raises(ValueError, match="form of import or export"):
            linked(tmp_path / "entry.js")
