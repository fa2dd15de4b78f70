"""Closures as state of a chat: changed on the page and by agents, told to every follower, and kept in the log."""

from pathlib import Path
from typing import Any

from smoldesk.messages import MAX_SCENARIOS
from tests.support.desk_server import live_desk
from tests.support.scripted_model import ScriptedModel, code
from tests.support.ws_client import WsClient

DOOR = {"kind": "door", "floorId": "1F", "rooms": ["Hallway", "Kitchen"], "at": {"x": 395.0, "y": 100.0}}
LIFT = {"kind": "link", "linkId": "lift", "rooms": []}
# Parts that the building does not have.
FOREIGN: list[dict[str, Any]] = [
    {"kind": "door", "floorId": "1F", "at": {"x": 395, "y": 100}},
    {"kind": "door", "floorId": "1F", "rooms": ["Level1"], "at": {"x": 7, "y": 7}},
    {"kind": "door", "floorId": "1F", "rooms": ["Hallway", "Kitchen"]},
    {"kind": "room", "floorId": "1F", "rooms": ["Hallway", "Kitchen"]},
    {"kind": "room", "floorId": "1F"},
    {"kind": "link"},
    {"kind": "floor", "floorId": "x" * 9000},
]
NOWHERE = {"kind": "room", "floorId": "1F", "rooms": ["Casino"]}
CELL = "close_passage('lift')\nprint(find_route('Hallway', 'Kitchen'))\nfinal_answer('done')"


def test_people_and_agents_close_parts_of_the_same_building(tmp_path: Path) -> None:
    with (
        live_desk(tmp_path, lambda: ScriptedModel([code(CELL)])) as live,
        WsClient(live.ws_url).greeted() as page,
    ):
        noise = {"linkId": "x" * 9000}
        page.send(type="closures", close=[DOOR | noise, DOOR | {"rooms": ["Kitchen", "Hallway"]}])
        assert page.until("closures")["content"] == {"closures": [DOOR], "scenarios": []}
        messages = page.ask("Close the lift. Which way?")
        [changed] = [message["content"] for message in messages if message["type"] == "closures"]
        assert changed["closures"] == [DOOR, LIFT]
        printed = "".join(message["content"] for message in messages if message["type"] == "printed")
        assert "Closed: the door between Hallway and Kitchen (1F), the lift." in printed

        page.send(type="closures", close=[LIFT, NOWHERE])
        error = page.until("error")
        assert error["code"] == "unknown_room" and "Casino (1F)" in error["content"]
        for at in ({"x": "inf", "y": 2}, {"x": "395", "y": 100}):
            page.send(type="closures", close=[DOOR | {"at": at}])
            assert page.until("error")["code"] == "wrong_type", "null in the log, which nothing reads"
        for part in FOREIGN:
            page.send(type="closures", close=[part])
            assert page.until("error")["code"] == "unknown_room"
        page.send(type="closures", close=[{"kind": "wall"}])
        assert page.until("error")["code"] == "wrong_type"

        run_id = next(message["runId"] for message in messages if "runId" in message)
        page.send(type="branch", runId=run_id, message="And with the lift?")
        branch = page.until("branch")["content"]["chatId"]
        with WsClient(live.ws_url, f"?chat={branch}&after=0").greeted() as other:
            assert other.until("closures")["content"]["closures"] == [DOOR], "as before that turn"

        with WsClient(live.ws_url, f"?chat={page.chat_id}&after=0").greeted() as later:
            assert later.until("closures")["content"]["closures"] == [DOOR]
            assert later.until("closures")["content"]["closures"] == [DOOR, LIFT]
            later.send(type="closures", reopen=[DOOR, LIFT])
            assert later.until("closures")["content"]["closures"] == []
        assert page.until("closures")["content"]["closures"] == []


def test_doors_of_a_room_can_be_closed_as_they_are_listed(tmp_path: Path) -> None:
    with live_desk(tmp_path) as live, WsClient(live.ws_url).greeted() as page, live.client() as client:
        path = f"/api/chats/{page.chat_id}/doors"
        listed = client.get(path, params={"floorId": "1F", "room": "Kitchen"}).json()["doors"]
        assert DOOR in listed
        page.send(type="closures", close=listed)
        assert page.until("closures")["content"]["closures"] == listed
        refused = client.get(path, params={"floorId": "1F", "room": "Casino"})
        assert (refused.status_code, refused.json()["error"]["code"]) == (404, "not_found")


def test_scenarios_are_saved_compared_applied_and_deleted(tmp_path: Path) -> None:
    with live_desk(tmp_path) as live, WsClient(live.ws_url).greeted() as page, live.client() as client:
        path = f"/api/chats/{page.chat_id}/scenarios"

        def change(**body: Any) -> tuple[int, str]:
            answer = client.post(path, json=body)
            return answer.status_code, "" if answer.status_code == 204 else answer.json()["error"]["code"]

        assert change(action="save", name="Night") == (400, "nothing_closed")
        page.send(type="closures", close=[LIFT])
        page.until("closures")
        assert change(action="save", name="Night") == (204, "")
        state = page.until("closures")["content"]
        assert state["scenarios"] == [{"name": "Night", "closures": [LIFT]}]
        assert change(action="save", name="Works", closures=[DOOR]) == (204, "")
        page.until("closures")
        assert change(action="save", name="Gone", closures=[NOWHERE]) == (400, "unknown_room")
        assert change(action="save", name="  ")[0] == 400
        assert change(action="apply", name="Gone") == (404, "not_found")
        params = {"start": "Hallway", "goal": "Kitchen"}
        compared = client.get(f"{path}/comparison", params=params).json()
        assert [row["name"] for row in compared["scenarios"]] == [None, "Night", "Works"]
        assert compared["scenarios"][0]["withSteps"], "the lift is the only way without steps"
        works = compared["scenarios"][2]
        assert works["after"] is None or works["after"] > works["before"]
        assert client.get(f"{path}/comparison", params={"start": "Casino"}).status_code == 404
        assert client.get(f"{path}/comparison", params={"profile": "horse"}).status_code == 400
        assert change(action="apply", name="works") == (204, "")
        assert page.until("closures")["content"]["closures"] == [DOOR]
        assert change(action="delete", name="Night") == (204, "")
        assert [kept["name"] for kept in page.until("closures")["content"]["scenarios"]] == ["Works"]


def test_renaming_a_scenario_never_loses_one(tmp_path: Path) -> None:
    with live_desk(tmp_path) as live, WsClient(live.ws_url).greeted() as page, live.client() as client:

        def change(action: str, name: str, **more: Any) -> tuple[int, dict[str, str]]:
            body = {"action": action, "name": name, **more}
            answer = client.post(f"/api/chats/{page.chat_id}/scenarios", json=body)
            return answer.status_code, {} if answer.status_code == 204 else answer.json()["error"]

        saved = ["Straße", "Works", *(f"Night {at}" for at in range(MAX_SCENARIOS - 2))]
        for name in saved:
            assert change("save", name, closures=[DOOR if name == "Works" else LIFT])[0] == 204
            page.until("closures")
        status, error = change("rename", "Straße", to="works")
        assert (status, error["code"]) == (409, "conflict") and "'Works' already" in error["message"]
        assert change("rename", "Gone", to="New")[0] == 404
        assert change("rename", "Works", to=" ")[0] == change("rename", "Works")[0] == 400
        assert change("rename", "Works", to="Day")[0] == 204, "also with as many scenarios as there can be"
        page.until("closures")
        assert change("rename", "Straße", to="STRASSE")[0] == 204
        scenarios = page.until("closures")["content"]["scenarios"]
        assert [kept["name"] for kept in scenarios] == ["STRASSE", "Day", *saved[2:]]
        assert [kept["closures"] for kept in scenarios[:2]] == [[LIFT], [DOOR]]
