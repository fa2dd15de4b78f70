"""A branch over the four-pane wire: a chat of its own with the turns before one, and the chat that was left as it was."""

import httpx
import pytest

from tests.support.desk_server import LiveDesk, events_of
from tests.support.scripted_model import Scripts, code, text_of
from tests.support.ws_client import Message, WsClient, of_type

PLOT = code(
    "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.plot([1, 2])\nfinal_answer('plotted')"
)


def said(client: WsClient, scripts: Scripts, question: str, reply: str) -> str:
    """Ask, have it answered so, and give the run's id."""
    scripts.set(reply)
    return of_type(client.ask(question), "user_message")[0]["runId"]


def branch(client: WsClient, run_id: str, message: str, **more: str) -> Message:
    client.send(type="branch", runId=run_id, message=message, **more)
    while True:
        report = client.next()
        if report["type"] in ("branch", "error"):
            return report


def whole(desk: LiveDesk, chat_id: str) -> list[Message]:
    """All messages of a branch up to the end of its first own run."""
    with WsClient(desk.ws_url, f"?chat={chat_id}&after=0").greeted() as other:
        other.until("branch", way="from")
        other.until_closed()
        return other.seen[2:]


def answers(messages: list[Message]) -> list[str]:
    return [m["content"] for m in of_type(messages, "text") if m["tone"] == "answer"]


def test_a_branch_has_the_turns_before_and_the_old_chat_stays(
    desk: LiveDesk, client: WsClient, scripts: Scripts
) -> None:
    said(client, scripts, "first", code("a = 1\nfinal_answer('one')"))
    second = said(client, scripts, "second", code("final_answer('sequoia')"))
    said(client, scripts, "third", code("final_answer('three')"))
    before = events_of(desk.url, client.chat_id)
    of_first, of_second, _ = (m["seq"] for m in of_type(client.seen, "text") if m["tone"] == "answer")
    pins = [{"kind": "answer", "seq": of_second}, {"kind": "answer", "seq": of_first, "caption": "売上"}]
    report = {"version": 0, "pins": [*pins, *({"kind": "map", "seq": seq} for seq in (of_first, of_second))]}
    httpx.put(f"{desk.url}/api/chats/{client.chat_id}/report", json=report).raise_for_status()
    httpx.patch(f"{desk.url}/api/chats/{client.chat_id}", json={"tags": ["work"]}).raise_for_status()
    model = scripts.set(code("final_answer('other')"))
    message = branch(client, second, "second, but otherwise", clientMessageId="b1")
    copied = httpx.get(f"{desk.url}/api/chats/{message['content']['chatId']}").json()
    assert copied["tags"] == ["work"]
    assert message["content"] == message["content"] | {"way": "to", "runId": second, "clientMessageId": "b1"}
    messages = whole(desk, message["content"]["chatId"])
    assert [m["content"] for m in of_type(messages, "user_message")] == ["first", "second, but otherwise"]
    assert answers(messages) == ["one", "other"]
    assert [m["seq"] for m in messages] == sorted({m["seq"] for m in messages})
    [link] = of_type(messages, "branch")
    assert link["content"] == {"way": "from", "chatId": client.chat_id, "title": "first", "runId": second}
    prompt = text_of(model.seen[0])
    assert "first" in prompt
    assert "third" not in prompt
    assert "sequoia" not in prompt
    assert events_of(desk.url, client.chat_id)[: len(before)] == before
    pinned = httpx.get(f"{desk.url}/api/chats/{message['content']['chatId']}/report").json()["pins"]
    assert [(pin["kind"], pin["caption"]) for pin in pinned] == [("answer", "売上"), ("map", "")]
    assert pinned[0]["preview"]["text"] == "one"


def test_its_agent_is_told_that_the_variables_are_not_there(
    desk: LiveDesk, client: WsClient, scripts: Scripts
) -> None:
    said(client, scripts, "first", code("a = 1\nfinal_answer('one')"))
    second = said(client, scripts, "second", code("a = 2\nfinal_answer('two')"))
    model = scripts.set(code("final_answer('a' in globals())"))
    report = branch(client, second, "is it there?")
    messages = whole(desk, report["content"]["chatId"])
    assert messages[-1]["content"]["text"] == "False"
    assert "The variables of earlier code are gone" in text_of(model.seen[0])
    scripts.set(code("final_answer(a)"))
    assert client.ask("And here?")[-1]["content"]["text"] == "2"


def test_files_and_figures_of_earlier_turns_are_its_own(
    desk: LiveDesk, client: WsClient, scripts: Scripts
) -> None:
    address = f"{desk.url}/api/chats/{client.chat_id}/files"
    httpx.post(address, files={"file": ("t.csv", b"a,b\n1,2\n")}).raise_for_status()
    said(client, scripts, "plot", PLOT)
    said(client, scripts, "write", code("open('notes.txt', 'w').write('then')\nfinal_answer('written')"))
    third = said(
        client, scripts, "write again", code("open('notes.txt', 'w').write('now')\nfinal_answer('again')")
    )
    scripts.set(code("final_answer(open('t.csv').read() + open('notes.txt').read())"))
    report = branch(client, third, "read")
    messages = whole(desk, report["content"]["chatId"])
    assert messages[-1]["content"]["text"] == "a,b\n1,2\nthen"
    [image] = of_type(messages, "image")
    [original] = of_type(client.seen, "image")
    assert image["fileId"] != original["fileId"]
    assert report["content"]["chatId"] in image["url"]
    assert httpx.delete(f"{desk.url}/api/chats/{client.chat_id}").is_success
    response = httpx.get(desk.url + image["url"])
    assert response.headers["content-type"] == "image/png"


def test_the_first_turn_can_be_asked_otherwise(desk: LiveDesk, client: WsClient, scripts: Scripts) -> None:
    first = said(client, scripts, "first", code("final_answer('one')"))
    scripts.set(code("final_answer('other')"))
    report = branch(client, first, "first, otherwise")
    messages = whole(desk, report["content"]["chatId"])
    assert [m["content"] for m in of_type(messages, "user_message")] == ["first, otherwise"]
    assert report["content"]["title"] == "first, otherwise"


def test_a_later_branch_has_the_title_with_a_number(client: WsClient, scripts: Scripts) -> None:
    said(client, scripts, "first", code("final_answer('one')"))
    second = said(client, scripts, "second", code("final_answer('two')"))
    titles = [branch(client, second, "again")["content"]["title"] for _ in range(2)]
    assert titles == ["first (2)", "first (3)"]


def test_sent_twice_under_one_id_it_is_one_branch(desk: LiveDesk, client: WsClient, scripts: Scripts) -> None:
    first = said(client, scripts, "first", code("final_answer('one')"))
    report = branch(client, first, "again", clientMessageId="b2")
    client.send(type="branch", runId=first, message="again", clientMessageId="b2")
    client.ask("after it")
    created = [event for event in events_of(desk.url, client.chat_id) if event["type"] == "branch_made"]
    assert [event["chat_id"] for event in created] == [report["content"]["chatId"]]


def test_a_turn_that_still_runs_is_refused_and_goes_on(client: WsClient, scripts: Scripts) -> None:
    scripts.set(code("import time\nprint('working', flush=True)\nwhile True: time.sleep(0.05)"))
    client.say("work")
    message = client.next()
    while message["type"] != "printed":
        message = client.next()
    error = branch(client, message["runId"], "otherwise", clientMessageId="b3")
    assert (error["type"], error["code"], error["clientMessageId"]) == ("error", "run_open", "b3")
    assert "still running" in error["content"]
    client.send(type="cancel", runId=message["runId"])
    assert client.until_closed()[-1]["content"]["state"] == "cancelled"
    scripts.set(code("final_answer('ok')"))
    assert branch(client, message["runId"], "otherwise")["type"] == "branch"


def test_a_turn_that_waited_behind_another_begins_where_it_began(
    desk: LiveDesk, client: WsClient, scripts: Scripts
) -> None:
    scripts.set(code("import time\ntime.sleep(0.3)\nfinal_answer('slow')"), code("final_answer('quick')"))
    client.say("slow")
    client.say("quick")
    client.until_closed()
    client.until_closed()
    quick = of_type(client.seen, "user_message")[1]["runId"]
    scripts.set(code("final_answer('other')"))
    messages = whole(desk, branch(client, quick, "quick, otherwise")["content"]["chatId"])
    assert answers(messages) == ["slow", "other"]


@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        ({"message": "x"}, "missing_field"),
        ({"runId": "r_x"}, "missing_field"),
        ({"runId": "r_x", "message": " "}, "empty"),
        ({"runId": "r_x", "message": "x"}, "not_found"),
    ],
)
def test_what_is_no_branch_is_refused(client: WsClient, frame: dict[str, str], expected: str) -> None:
    client.send(type="branch", **frame)
    error = client.next()
    assert (error["type"], error["code"]) == ("error", expected)


def test_a_turn_of_another_chat_is_not_found(desk: LiveDesk, client: WsClient, scripts: Scripts) -> None:
    first = said(client, scripts, "mine", code("final_answer('one')"))
    with WsClient(desk.ws_url).greeted() as stranger:
        error = branch(stranger, first, "theirs")
    assert (error["type"], error["code"]) == ("error", "not_found")
