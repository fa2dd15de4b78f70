"""Projects and conversations over plain HTTP: what people may see and do, and what they may not."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from smoldesk.conversations import sessions
from smoldesk.logs.lines import TextLine
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.inside_desk import InsideDesk, inside_desk
from tests.support.talking_desk import Json, Talks
from tests.support.waiting import come_true


@pytest.fixture(scope="module", autouse=True)
def quick_passkeys() -> Iterator[None]:
    """Hashes that cost nothing: most tests log several agents in."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sessions, "COST", 2)
        yield


@pytest.fixture(scope="module")
def inside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InsideDesk]:
    with inside_desk(tmp_path_factory.mktemp("inside"), lambda message, ctx: "") as desk:
        yield desk


@pytest.fixture
def talks(inside: InsideDesk) -> Iterator[Talks]:
    talks = Talks(inside)
    yield talks
    talks.http.close()


@pytest.fixture
def live_talks(desk: LiveDesk) -> Iterator[Talks]:
    """For streams: of a desk that is served."""
    talks = Talks(desk)
    yield talks
    talks.http.close()


def code_of(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


def events(desk: LiveDesk, path: str, expected: int, **headers: str) -> list[tuple[str, Any, str]]:
    """The first events of a stream: name, data, id."""
    results: list[tuple[str, Any, str]] = []
    with httpx.stream("GET", f"{desk.url}/api{path}", headers=headers, timeout=30) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        event: dict[str, str] = {}
        for line in answer.iter_lines():
            if line:
                name, _, value = line.partition(": ")
                event[name] = value
                continue
            if "data" in event:
                results.append((event["event"], json.loads(event["data"]), event.get("id", "")))
            event = {}
            if len(results) == expected:
                break
    return results


# --- projects ----------------------------------------------------------------------------------------------------


def test_a_project_is_made_listed_shown_and_removed(talks: Talks) -> None:
    created = talks.post(f"/projects/{talks.id}/agents", {"name": "Planner", "kind": "ai"})
    assert created.keys() == {"id", "passkey"}
    person = talks.post(f"/projects/{talks.id}/agents", {"name": "直子", "kind": "human"})
    displayed = talks.get(f"/projects/{talks.id}")
    assert (displayed["name"], displayed["agents"], displayed["live"], displayed["conversations"]) == (
        "Quarterly report",
        2,
        0,
        0,
    )
    members = [(member["id"], member["name"], member["kind"]) for member in displayed["members"]]
    assert members == [(created["id"], "Planner", "ai"), (person["id"], "直子", "human")]
    assert talks.id in [project["id"] for project in talks.get("/projects")["projects"]]

    assert talks.http.delete(f"/projects/{talks.id}/agents/{person['id']}").status_code == 204
    after = talks.get(f"/projects/{talks.id}")
    assert after["agents"] == 1
    assert [member["name"] for member in after["members"] if "removedAt" in member] == ["直子"]
    assert talks.http.delete(f"/projects/{talks.id}").status_code == 204
    assert code_of(talks.http.get(f"/projects/{talks.id}")) == (404, "project_not_found")
    assert code_of(talks.http.delete(f"/projects/{talks.id}")) == (404, "project_not_found")


def test_an_agent_is_in_several_projects_with_one_passkey(talks: Talks, inside: InsideDesk) -> None:
    planner = talks.agent("Planner")
    second = Talks(inside, "Second")
    joined = second.http.put(f"/projects/{second.id}/agents/{planner.id}")
    assert (joined.status_code, joined.json()["name"]) == (200, "Planner")
    assert "passkey" not in joined.text
    assert [member["id"] for member in second.get(f"/projects/{second.id}")["members"]] == [planner.id]
    assert code_of(second.http.put(f"/projects/{second.id}/agents/m_nobody")) == (404, "agent_not_found")


def test_a_passkey_is_in_one_answer_and_nowhere_else(
    talks: Talks, inside: InsideDesk, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    answer = talks.http.post(f"/projects/{talks.id}/agents", json={"name": "Planner", "kind": "ai"})
    passkey = answer.json()["passkey"]
    assert len(passkey) >= 24
    assert answer.headers["cache-control"] == "no-store"
    texts = [
        talks.http.get(path).text
        for path in ("/projects", f"/projects/{talks.id}", f"/projects/{talks.id}/conversations")
    ]
    assert all(passkey not in text for text in [*texts, caplog.text])
    lines = [TextLine().format(record) for record in caplog.records]
    assert all(passkey not in line for line in lines)
    stored = b"".join(file.read_bytes() for file in inside.desk.data_dir.root.rglob("*") if file.is_file())
    assert b"Planner" in stored
    assert passkey.encode() not in stored


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": ""},
        {"name": "x" * 201},
        {"name": 3},
        {"name": "a", "id": "p_1"},
        ["a"],
    ],
)
def test_a_project_without_a_proper_name_is_refused(talks: Talks, body: Any) -> None:
    assert code_of(talks.http.post("/projects", json=body)) == (422, "bad_input")


@pytest.mark.parametrize("body", [{"name": "a", "kind": "robot"}, {"name": "a"}, {"kind": "ai"}])
def test_an_agent_without_a_name_or_a_kind_is_refused(talks: Talks, body: Json) -> None:
    assert code_of(talks.http.post(f"/projects/{talks.id}/agents", json=body)) == (422, "bad_input")


def test_a_name_of_blanks_is_refused_in_words(talks: Talks) -> None:
    assert code_of(talks.http.post("/projects", json={"name": " \t "})) == (400, "bad_name")


# --- conversations -----------------------------------------------------------------------------------------------


def test_people_read_who_talks_to_whom_about_what(talks: Talks) -> None:
    planner, reviewer = talks.agent("Planner"), talks.agent("Reviewer")
    conversation = talks.conversation(planner, reviewer, "しりとり", "りんご", "ごりら", "らっぱ")

    [listing] = talks.get(f"/projects/{talks.id}/conversations")["conversations"]
    assert (listing["id"], listing["state"], listing["purpose"]) == (conversation, "active", "しりとり")
    assert (listing["initiator"]["name"], listing["participant"]["name"]) == ("Planner", "Reviewer")
    assert listing["messageCount"] == 3
    displayed = talks.get(f"/conversations/{conversation}")
    assert displayed["conversation"] == listing
    assert [(item["fromAgentId"], item["content"]) for item in displayed["messages"]] == [
        (planner.id, "りんご"),
        (reviewer.id, "ごりら"),
        (planner.id, "らっぱ"),
    ]
    assert (displayed["earlier"], displayed["later"]) == (False, False)
    second = displayed["messages"][1]["seq"]
    after = talks.get(f"/conversations/{conversation}", after=second)
    assert [item["content"] for item in after["messages"]] == ["らっぱ"]
    before = talks.get(f"/conversations/{conversation}", before=second)
    assert [item["content"] for item in before["messages"]] == ["りんご"]


def test_a_long_transcript_comes_in_pages_from_its_end(talks: Talks) -> None:
    one, other = talks.agent("One"), talks.agent("Other")
    conversation = talks.conversation(one, other, None, *(f"word {at}" for at in range(150)))
    last = talks.get(f"/conversations/{conversation}")
    assert [message["content"] for message in last["messages"]] == [f"word {at}" for at in range(50, 150)]
    assert (last["earlier"], last["later"]) == (True, False)
    first = talks.get(f"/conversations/{conversation}", before=last["messages"][0]["seq"])
    assert [message["content"] for message in first["messages"]] == [f"word {at}" for at in range(50)]
    assert (first["earlier"], first["later"]) == (False, True)
    forward = talks.get(f"/conversations/{conversation}", after=0)
    assert [message["content"] for message in forward["messages"]] == [f"word {at}" for at in range(100)]
    assert (forward["earlier"], forward["later"]) == (False, True)


def test_the_list_comes_in_pages_and_by_state(talks: Talks) -> None:
    one, other = talks.agent("One"), talks.agent("Other")
    started: list[str] = []
    for _ in range(52):
        started.append(one.start(other))
        talks.post(f"/conversations/{started[-1]}/end")
    started.append(one.start(other))
    path = f"/projects/{talks.id}/conversations"
    page = talks.get(path)
    assert [listing["id"] for listing in page["conversations"]] == started[:2:-1]
    assert page["more"] is True
    remaining = talks.get(path, before=page["conversations"][-1]["id"])
    assert ([listing["id"] for listing in remaining["conversations"]], remaining["more"]) == (
        started[2::-1],
        False,
    )
    for state in ("pending", "live"):
        assert [listing["id"] for listing in talks.get(path, state=state)["conversations"]] == started[-1:]
    assert talks.get(path, state="active")["conversations"] == []
    assert code_of(talks.http.get(path, params={"state": "asleep"})) == (422, "bad_input")
    assert code_of(talks.http.get(path, params={"before": "conv_x"})) == (404, "conversation_not_found")


def test_a_person_ends_a_conversation_once_and_both_agents_are_told(talks: Talks) -> None:
    one, other = talks.agent("One"), talks.agent("Other")
    conversation = talks.conversation(one, other, "forever", "a", "b")
    ended = talks.post(f"/conversations/{conversation}/end")
    assert (ended["state"], ended["reason"]) == ("ended", "person_ended")
    assert ended["endedBy"] is None
    assert code_of(talks.http.post(f"/conversations/{conversation}/end")) == (409, "conversation_over")
    assert (one.hear(), other.hear()) == ("conversation_ended", "conversation_ended")
    assert len(talks.get(f"/conversations/{conversation}")["messages"]) == 2


def test_who_is_removed_ends_its_conversation_which_stays(talks: Talks) -> None:
    one, other = talks.agent("One"), talks.agent("Other")
    conversation = talks.conversation(one, other, "work", "a")
    assert talks.http.delete(f"/projects/{talks.id}/agents/{other.id}").status_code == 204
    displayed = talks.get(f"/conversations/{conversation}")
    assert (displayed["conversation"]["state"], displayed["conversation"]["reason"]) == (
        "ended",
        "agent_removed",
    )
    assert displayed["conversation"]["participant"] == {"id": other.id, "name": "Other", "removed": True}
    assert [message["content"] for message in displayed["messages"]] == ["a"]


def test_a_project_lists_no_conversation_of_another(talks: Talks, inside: InsideDesk) -> None:
    second = Talks(inside, "Second")
    conversation = talks.conversation(talks.agent("One"), talks.agent("Other"), "ours")
    assert second.get(f"/projects/{second.id}/conversations")["conversations"] == []
    page = talks.get(f"/projects/{talks.id}/conversations")
    assert [listing["id"] for listing in page["conversations"]] == [conversation]


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize("path", ["", "/messages", "/events"])
def test_nobody_speaks_in_an_agents_name(talks: Talks, method: str, path: str) -> None:
    one, other = talks.agent("One"), talks.agent("Other")
    conversation = talks.conversation(one, other, "private", "a")
    body = {"content": "forged", "fromAgentId": one.id, "from_agent_id": one.id}
    answer = talks.http.request(method, f"/conversations/{conversation}{path}", json=body)
    assert answer.status_code in (404, 405)
    assert [message["content"] for message in talks.get(f"/conversations/{conversation}")["messages"]] == [
        "a"
    ]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/projects/p_x"),
        ("DELETE", "/projects/p_x"),
        ("POST", "/projects/p_x/agents"),
        ("GET", "/projects/p_x/conversations"),
        ("GET", "/projects/p_x/events"),
        ("GET", "/conversations/c_x"),
        ("POST", "/conversations/c_x/end"),
        ("GET", "/conversations/c_x/events"),
    ],
)
def test_what_is_not_there_is_not_found(talks: Talks, method: str, path: str) -> None:
    body = {"name": "a", "kind": "ai"} if path.endswith("agents") else None
    status, code = code_of(talks.http.request(method, path, json=body))
    assert status == 404
    assert code in ("project_not_found", "conversation_not_found")


def test_a_place_that_is_none_is_refused_and_two_say_what_is_between(talks: Talks) -> None:
    one, other = talks.agent("One"), talks.agent("Other")
    conversation = talks.conversation(one, other, None, "a", "b", "c")
    first, _, last = [message["seq"] for message in talks.get(f"/conversations/{conversation}")["messages"]]
    between = talks.get(f"/conversations/{conversation}", after=first, before=last)
    assert [message["content"] for message in between["messages"]] == ["b"]
    assert (between["earlier"], between["later"]) == (True, True)
    for wrong in ("-1", "x", "1e3"):
        answer = talks.http.get(f"/conversations/{conversation}", params={"after": wrong})
        assert code_of(answer) == (422, "bad_input")


def test_another_page_may_not_end_anything(talks: Talks) -> None:
    conversation = talks.conversation(talks.agent("One"), talks.agent("Other"))
    for headers in ({"Origin": "https://evil.example"}, {"Host": "evil.example"}):
        answer = talks.http.post(f"/conversations/{conversation}/end", headers=headers)
        assert answer.status_code in (403, 421)
    assert talks.get(f"/conversations/{conversation}")["conversation"]["state"] == "active"


# --- live --------------------------------------------------------------------------------------------------------


def test_a_conversation_is_followed_from_a_place_to_its_end(live_talks: Talks, desk: LiveDesk) -> None:
    one, other = live_talks.agent("One"), live_talks.agent("Other")
    conversation = live_talks.conversation(one, other, "counting", "1", "2")
    path = f"/conversations/{conversation}/events"
    report = events(desk, path, 3)
    assert [(name, data.get("content")) for name, data, _ in report] == [
        ("message", "1"),
        ("message", "2"),
        ("conversation", None),
    ]
    assert [id for _, _, id in report] == [str(report[0][1]["seq"]), str(report[1][1]["seq"]), ""]
    one.say(other, "3")
    one.end(conversation)
    assert other.hear() == "conversation_ended"
    remaining = events(desk, path, 2, **{"Last-Event-ID": report[1][2]})
    assert remaining[0][1]["content"] == "3"
    assert remaining[1][1]["state"] == "ended"
    over = httpx.get(f"{desk.url}/api{path}", headers={"Last-Event-ID": remaining[0][2]}, timeout=30)
    assert over.status_code == 204


def test_a_follower_hears_what_is_said_while_it_listens(live_talks: Talks, desk: LiveDesk) -> None:
    one, other = live_talks.agent("One"), live_talks.agent("Other")
    conversation = one.start(other, "live")
    received: list[tuple[str, str]] = []
    url = f"{desk.url}/api/conversations/{conversation}/events"
    with httpx.stream("GET", url, timeout=30) as answer:
        name = ""
        for line in answer.iter_lines():
            if line.startswith("event: "):
                name = line[7:]
            if not line.startswith("data: "):
                continue
            data = json.loads(line[6:])
            received.append((name, data.get("content") or data.get("state")))
            if received == [("conversation", "pending")]:
                assert other.hear() == "conversation_request"
            elif received[-1] == ("conversation", "active") and len(received) == 2:
                one.say(other, "hello")
            elif received[-1] == ("message", "hello"):
                live_talks.post(f"/conversations/{conversation}/end")
    assert received[:3] == [("conversation", "pending"), ("conversation", "active"), ("message", "hello")]
    assert received[-1] == ("conversation", "ended"), "the stream ends with it"


def test_a_project_is_followed(live_talks: Talks, desk: LiveDesk) -> None:
    one, other = live_talks.agent("One"), live_talks.agent("Other")
    url = f"{desk.url}/api/projects/{live_talks.id}/events"
    states: list[str] = []
    with httpx.stream("GET", url, timeout=30) as answer:
        name = conversation = ""
        for line in answer.iter_lines():
            if line.startswith("event: "):
                name = line[7:]
            if not line.startswith("data: "):
                continue
            data = json.loads(line[6:])
            if name == "project" and not conversation:
                assert [member["name"] for member in data["members"]] == ["One", "Other"]
                conversation = one.start(other, "seen")
            elif name == "conversation":
                assert data["id"] == conversation
                states.append(data["state"])
                if data["state"] == "pending":
                    live_talks.post(f"/conversations/{conversation}/end")
                else:
                    break
    assert states == ["pending", "ended"]


def test_followers_that_leave_are_let_go(live_talks: Talks, desk: LiveDesk) -> None:
    conversation = live_talks.conversation(live_talks.agent("One"), live_talks.agent("Other"))
    followers = desk.desk.conversations.followers
    urls = {
        conversation: f"{desk.url}/api/conversations/{conversation}/events",
        live_talks.id: f"{desk.url}/api/projects/{live_talks.id}/events",
    }
    for id, url in urls.items():
        for _ in range(10):
            with httpx.stream("GET", url, timeout=30) as answer:
                lines = answer.iter_lines()
                while not next(lines).startswith("data: "):
                    pass
                assert followers(id) >= 1
        come_true(lambda id=id: followers(id) == 0)


def test_a_server_that_stops_lets_followers_go(tmp_path: Path) -> None:
    with live_desk(tmp_path) as live:
        talks = Talks(live)
        conversation = talks.conversation(talks.agent("One"), talks.agent("Other"))
        with httpx.stream("GET", f"{live.url}/api/conversations/{conversation}/events", timeout=30) as answer:
            lines = answer.iter_lines()
            while not next(lines).startswith("event: conversation"):
                pass
            live.stop()
            assert [line for line in lines if line.startswith("event: ")] == []
