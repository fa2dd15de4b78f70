"""Versions of a turn over the four-pane wire: the answer in the place of an earlier one, and chats that go on from one."""

import httpx
import pytest

from tests.support.desk_server import LiveDesk, events_of
from tests.support.scripted_model import Scripts, code, text_of
from tests.support.ws_client import Message, WsClient, of_type


def said(client: WsClient, scripts: Scripts, question: str, reply: str) -> str:
    """Ask, have it answered so, and give the run's id."""
    scripts.set(code(f"final_answer({reply!r})"))
    return of_type(client.ask(question), "user_message")[0]["runId"]


def again(client: WsClient, run_id: str, message: str, **more: str) -> Message:
    client.send(type="answer_again", runId=run_id, message=message, **more)
    return next(m for m in client.until_closed() if m["type"] == "user_message")


def answers(messages: list[Message]) -> list[str]:
    return [m["content"] for m in of_type(messages, "text") if m["tone"] == "answer"]


def test_a_version_knows_the_turns_before_its_first_and_the_chat_goes_on_from_the_newest(
    client: WsClient, scripts: Scripts
) -> None:
    said(client, scripts, "first", "one")
    second = said(client, scripts, "second", "sequoia")
    model = scripts.set(code("final_answer('poplar')"))
    version = again(client, second, "second, but otherwise", clientMessageId="v1")
    assert (version["content"], version["versionOf"]) == ("second, but otherwise", second)
    prompt = text_of(model.seen[0])
    assert "first" in prompt
    assert "sequoia" not in prompt
    third = scripts.set(code("final_answer('cedar')"))
    client.ask("third")
    prompt = text_of(third.seen[0])
    assert "poplar" in prompt
    assert "sequoia" not in prompt
    # a version of a turn in the middle changes nothing for the turns that follow it
    other = scripts.set(code("final_answer('larch')"))
    assert again(client, version["runId"], "second")["versionOf"] == second
    assert "cedar" not in text_of(other.seen[0])
    fourth = scripts.set(code("final_answer('four')"))
    client.ask("fourth")
    prompt = text_of(fourth.seen[0])
    assert "poplar" in prompt and "cedar" in prompt
    assert "larch" not in prompt


def test_a_chat_that_goes_on_from_an_older_version_has_it_alone(
    desk: LiveDesk, client: WsClient, scripts: Scripts
) -> None:
    said(client, scripts, "first", "one")
    second = said(client, scripts, "second", "sequoia")
    scripts.set(code("final_answer('poplar')"))
    version = again(client, second, "second, otherwise")["runId"]
    said(client, scripts, "third", "cedar")
    for run_id, question, reply in ((second, "second", "sequoia"), (version, "second, otherwise", "poplar")):
        before = len(events_of(desk.url, client.chat_id))
        model = scripts.set(code("final_answer('on')"))
        client.send(type="branch", runId=run_id, message="and then?", after=True)
        chat_id = client.until("branch")["content"]["chatId"]
        with WsClient(desk.ws_url, f"?chat={chat_id}&after=0").greeted() as other:
            other.until("branch", way="from")
            other.until_closed()
            questions = of_type(other.seen, "user_message")
            assert [m["content"] for m in questions] == ["first", question, "and then?"]
            assert answers(other.seen) == ["one", reply, "on"]
            assert questions[1].get("versionOf") in (None, questions[1]["runId"])
            # its turn can be answered again there, too
            scripts.set(code("final_answer('elm')"))
            assert again(other, questions[1]["runId"], "second")["versionOf"] == questions[1]["runId"]
        prompt = text_of(model.seen[0])
        assert reply in prompt and "cedar" not in prompt
        assert ("poplar" in prompt) != ("sequoia" in prompt)
        assert len(events_of(desk.url, client.chat_id)) == before + 1  # the link alone


def test_a_question_behind_a_version_brings_its_rows_and_new_files(
    desk: LiveDesk, client: WsClient, scripts: Scripts
) -> None:
    shown = "import pandas as pd\ndisplay(pd.DataFrame({'n': [1, 2, 3]}))\nfinal_answer('shown')"
    scripts.set(code(shown))
    messages = client.ask("show")
    first, table = messages[0]["runId"], of_type(messages, "table")[0]["content"]
    scripts.set(code(shown))
    again(client, first, "show")
    other_table = of_type(client.seen, "table")[-1]["content"]
    address = f"{desk.url}/api/chats/{client.chat_id}/files"
    httpx.post(address, files={"file": ("later.csv", b"a,b\n1,2\n")}).raise_for_status()
    scripts.set(code("final_answer(open('later.csv').read() + str(table_selection.n.tolist()))"))
    rows = {"kind": "table", "begin": 0, "end": 2, "columns": [0], "tableId": table["tableId"]}
    frame = {"type": "branch", "runId": first, "message": "add these", "after": True}
    client.send(**frame, about=rows | {"tableId": other_table["tableId"]}, clientMessageId="b1")
    error = client.until("error")
    assert (error["code"], error["clientMessageId"]) == ("rows_elsewhere", "b1")
    client.send(**frame, about=rows, attachments=["later.csv"])
    chat_id = client.until("branch")["content"]["chatId"]
    with WsClient(desk.ws_url, f"?chat={chat_id}&after=0").greeted() as other:
        other.until("branch", way="from")
        other.until_closed()
    assert answers(other.seen) == ["shown", "a,b\n1,2\n[1, 2]"]
    assert of_type(other.seen, "user_message")[1]["attachments"] == ["later.csv"]


def test_the_shown_version_is_stored_and_in_the_documents_and_one_message_is_one_version(
    desk: LiveDesk, client: WsClient, scripts: Scripts
) -> None:
    first = said(client, scripts, "first", "sequoia")
    said(client, scripts, "second", "cedar")
    scripts.set(code("final_answer('poplar')"))
    version = again(client, first, "first", clientMessageId="v2")["runId"]
    client.send(type="answer_again", runId=first, message="first", clientMessageId="v2")
    url = f"{desk.url}/api/chats/{client.chat_id}/export"
    for run_id, text, other, place in ((version, "poplar", "sequoia", 2), (first, "sequoia", "poplar", 1)):
        client.send(type="show_version", runId=run_id)
        assert client.until("version_shown")["content"] == {"runId": run_id}
        for form in ("html", "notebook"):
            document = httpx.get(url, params={"format": form}, timeout=60).raise_for_status().text
            assert f"Answer {place} of 2" in document
            assert text in document and other not in document
            assert document.index(text) < document.index("cedar")  # in the place of the first
    log = httpx.get(url, params={"format": "jsonl"}, timeout=60).raise_for_status()
    imported = httpx.post(f"{desk.url}/api/imports", content=log.content, timeout=60)
    chat_id = imported.raise_for_status().json()["chatId"]
    document = httpx.get(f"{desk.url}/api/chats/{chat_id}/export", params={"format": "html"}, timeout=60).text
    assert "Answer 1 of 2" in document and "poplar" not in document
    runs = [event["version_of"] for event in events_of(desk.url, client.chat_id) if "version_of" in event]
    assert runs == [first, first]  # queued and started, once


@pytest.mark.parametrize("frame", ["answer_again", "show_version", "branch"])
def test_a_turn_of_another_chat_or_of_none_is_refused_and_nothing_changes(
    desk: LiveDesk, client: WsClient, scripts: Scripts, frame: str
) -> None:
    first = said(client, scripts, "first", "one")
    before = events_of(desk.url, client.chat_id)
    with WsClient(desk.ws_url).greeted() as other:
        for run_id in (first, "r_gone"):
            other.send(type=frame, runId=run_id, message="again", clientMessageId="v3")
            error = other.until("error")
            assert (error["code"], error["content"].startswith("There is no run")) == ("not_found", True)
            assert frame == "show_version" or error["clientMessageId"] == "v3"
        assert httpx.delete(f"{desk.url}/api/chats/{other.chat_id}").is_success
    assert events_of(desk.url, client.chat_id) == before
