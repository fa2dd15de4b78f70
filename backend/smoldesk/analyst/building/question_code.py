"""Code that answers a question about the building by one tool call, in the language of the request.

In English the tool's text is the answer. In Japanese it is built from the drawing next to the text, which contains the same
as data: in the generated code, or by `answer_of` for an agent that calls the tool.
"""

import json
from typing import Any, cast

from smoldesk.analyst.building.intents import BuildingQuestion
from smoldesk.analyst.catalogue import Catalogue
from smoldesk.analyst.cell import Cell, call_code, literal
from smoldesk.analyst.language import Language
from smoldesk.buildings.routing.japanese import LINKS, STEPS, places_in_japanese, route_in_japanese

_DRAWN = "MAP_COMMAND: "
_FAILED = "調べられませんでした。"


def write_building_question(question: BuildingQuestion, catalogue: Catalogue, language: Language) -> Cell:
    """Return the cell that calls the tool and answers."""
    cell = Cell()
    call = call_code(question).splitlines()
    cell.add(f"found = {call[0]}", *call[1:])
    if question.tool == "list_rooms":
        cell.answer("found" if language == "en" else literal(_rooms(question, catalogue)))
        return cell
    if language == "en":
        cell.answer(f'found.rpartition("\\n{_DRAWN}")[0] or found.removeprefix("Error: ")')
        return cell
    failed = f'{literal(_FAILED)} + found.removeprefix("Error: ")'
    cell.add('if found.startswith("Error"):', f"    final_answer({failed})")
    cell.add(f'drawn = json.loads(found.rpartition("{_DRAWN}")[2])')
    cell.add(f"floors = {_dict(catalogue.floor_names)}")
    if question.tool == "where_is":
        cell.add(
            "shown = [",
            '    (floors.get(room.get("floorId", drawn["floorId"])), room["name"], room.get("value") or 0)',
            '    for room in drawn["rectangles"]',
            "]",
        )
        line = "{room}は{floor}にあります。広さは{size:,.10g}（図面の縮尺による）です。"
        cell.answer(f'"\\n".join(f"{line}" for floor, room, size in shown)')
        return cell
    cell.add(f"links = {_dict(LINKS)}", "words = {")
    cell.add(*(f"    {literal(action)}: {literal(template)}," for action, template in STEPS.items()), "}")
    cell.gap()
    cell.add('route = drawn["overlays"][0]', "lines = []")
    cell.add(
        'for number, step in enumerate(route["steps"], start=1):',
        f"    walk = {_WALK_CODE}",
        '    link, floor = links.get(step.get("kind")), floors.get(step.get("toFloorId"))',
        '    sentence = words[step["action"]].format(walk=walk, link=link, floor=floor, room=step.get("room"))',
    )
    cell.add('    lines.append(f"{number}. {sentence}")', f"far = {_FAR_CODE}")
    cell.answer("f\"{route['start']}から{route['goal']}まで{far}です。\\n\" + \"\\n\".join(lines)")
    return cell


_WALK_CODE = "f\"{step['length']:.0f}{route['unit'] and ' m'}進み、\" if step.get(\"length\") else \"\""
_FAR_CODE = (
    "f\"{route['length']:.0f} m、約{max(1, round(route['seconds'] / 60))}分\""
    ' if route["unit"] else f"{route[\'length\']:.0f}"'
)


def answer_of(question: BuildingQuestion, tool_output: str, catalogue: Catalogue, language: Language) -> str:
    """Return the answer from the output of the tool that an agent called."""
    if question.tool == "list_rooms":
        return tool_output.strip() if language == "en" else _rooms(question, catalogue)
    text, _, drawn = tool_output.rpartition(_DRAWN)
    if language == "en":
        return text.strip() or tool_output.strip()
    try:
        content = cast("dict[str, Any]", json.loads(drawn.strip().splitlines()[0]))
        spelled = places_in_japanese if question.tool == "where_is" else route_in_japanese
        return spelled(content, catalogue.floor_names)
    except (ValueError, KeyError, IndexError, TypeError):  # truncated output, or another tool with this name
        return text.strip() or tool_output.strip()


def _rooms(question: BuildingQuestion, catalogue: Catalogue) -> str:
    requested = str(dict(question.arguments)["floor"])
    floors = [requested] if requested else list(catalogue.rooms)
    named = [(catalogue.floor_names.get(floor, floor), catalogue.rooms[floor]) for floor in floors]
    return "\n".join(f"{name}の部屋は{len(rooms)}室です: {'、'.join(rooms)}" for name, rooms in named)


def _dict(pairs: dict[str, str]) -> str:
    return "{" + ", ".join(f"{literal(name)}: {literal(value)}" for name, value in pairs.items()) + "}"
