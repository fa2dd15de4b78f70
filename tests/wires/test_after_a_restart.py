"""What a chat is told after the server was restarted: its log is kept, the variables of its code are not."""

from pathlib import Path

from tests.support.desk_server import live_desk
from tests.support.scripted_model import ScriptedModel, code, text_of
from tests.support.ws_client import WsClient, of_type


def test_person_and_model_hear_once_that_the_variables_are_gone(tmp_path: Path) -> None:
    with (
        live_desk(tmp_path, lambda: ScriptedModel([code("x = 41\nfinal_answer('noted')")])) as desk,
        WsClient(desk.ws_url) as client,
    ):
        chat_id = client.hello()
        client.say("remember 41")
        first = client.until_closed()
        client.say("and again")
        second = client.until_closed()
    assert not [m for m in of_type(first + second, "text") if m["tone"] == "notice"]
    model = ScriptedModel([code("final_answer('x' in globals())")])
    with (
        live_desk(tmp_path, lambda: model) as desk,
        WsClient(desk.ws_url, f"?chat={chat_id}&after={second[-1]['seq']}") as client,
    ):
        client.hello()
        client.say("is it there?")
        messages = client.until_closed()
        client.say("still?")
        later = client.until_closed()
    notices = [m["content"] for m in of_type(messages, "text") if m["tone"] == "notice"]
    assert len(notices) == 1
    assert "variables of earlier code are gone" in notices[0]
    assert "variables of earlier code are gone" in text_of(model.seen[0])
    assert not [m for m in of_type(later, "text") if m["tone"] == "notice"]
