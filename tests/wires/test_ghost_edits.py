"""Calls that draw wait for a person, who moves what they draw: what is allowed then is what runs, and nothing else."""

import json
from pathlib import Path
from typing import Any

from tests.support.desk_server import live_desk
from tests.support.scripted_model import ScriptedModel, code, text_of
from tests.support.ws_client import WsClient

ALWAYS: dict[str, Any] = {"tool_approval": {"draw_arrow": "always", "show_map": "always"}}
CELL = "print(draw_arrow('Kitchen', 'left'))\nprint(show_map('1F', text_overlays='Here:Kitchen|size=18'))"
MOVED = {"floor_id": "1F", "text_overlays": "Here:40,30|size=18"}

WRONG: list[tuple[str, Any, str]] = [
    ("draw_arrow", {"room_name": "Casino", "direction": "left"}, "no room 'Casino'"),
    ("draw_arrow", {"room_name": "Kitchen", "direction": "sideways"}, "not a direction"),
    ("draw_arrow", {"room_name": "Kitchen", "direction": "left", "code": "1"}, "no argument 'code'"),
    ("draw_arrow", MOVED, "no argument"),
    ("show_map", MOVED | {"text_overlays": "Here:9000,30"}, "outside floor 1F"),
    ("show_map", MOVED | {"text_overlays": "Here:nan,30"}, "no room 'nan,30'"),
    ("show_map", MOVED | {"text_overlays": "Here:1e999,30"}, "no room '1e999,30'"),
    ("show_map", MOVED | {"floor_id": "9F"}, "no floor '9F'"),
    ("show_map", MOVED | {"highlight_rooms": "Casino"}, "no room 'Casino'"),
    ("show_map", MOVED | {"show_names": "yes"}, "expected a boolean"),
]


def test_what_a_person_moved_is_drawn_and_remembered(tmp_path: Path) -> None:
    model = ScriptedModel([code(CELL), code("final_answer('done')")])
    with (
        live_desk(tmp_path, lambda: model, **ALWAYS) as live,
        WsClient(live.ws_url).greeted() as page,
        WsClient(live.ws_url).greeted() as stranger,
        live.client() as client,
    ):
        page.say("Draw")
        for tool, right in (("draw_arrow", {"room_name": "Room1", "direction": "up"}), ("show_map", MOVED)):
            ask = page.until("ask")["content"]
            assert ask["tool"] == tool
            for name, value, reason in WRONG:
                if name == tool:
                    page.send(type="answer", askId=ask["askId"], granted=True, value=value)
                    error = page.until("error")
                    assert (error["code"], reason in error["content"]) == ("bad_answer", True), error
            stranger.send(type="answer", askId=ask["askId"], granted=True, value=right)
            assert stranger.until("error")["code"] == "not_found", "another chat's ask"
            page.send(type="answer", askId=ask["askId"], granted=True, value=right)
            closed = page.until("ask_closed")["content"]
            assert (closed["value"], closed["by"]) == (right, "person")
        messages = page.until_closed()
        assert not [message for message in page.seen if message["type"] == "error" and "runId" in message]
        [arrow] = [message["content"] for message in page.seen if message["type"] == "arrow"]
        assert (arrow["room"], arrow["direction"]) == ("Room1", "up")
        [drawn] = [message["content"] for message in page.seen if message["type"] == "map"]
        assert drawn["overlays"][0]["position"] == {"type": "coordinate", "x": 40.0, "y": 30.0}
        remembered = text_of(model.seen[1])
        assert 'A person changed the arguments of draw_arrow: room_name="Room1", direction="up"' in remembered
        assert 'A person changed the arguments of show_map: text_overlays="Here:40,30|size=18"' in remembered
        asks = client.get(f"/api/chats/{page.chat_id}/asks").json()["asks"]
        assert {json.dumps(ask["value"], sort_keys=True) for ask in asks} == {
            json.dumps(value, sort_keys=True) for value in (MOVED, {"room_name": "Room1", "direction": "up"})
        }
        assert messages
