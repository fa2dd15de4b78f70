"""Answers over the four-pane wire: a refused one names its ask, and an end tells every client what was answered."""

from pathlib import Path

from tests.support.desk_server import live_desk
from tests.support.scripted_model import ScriptedModel, code
from tests.support.tools import Paying
from tests.support.ws_client import Message, WsClient


def test_a_refused_answer_names_its_ask_and_an_end_says_what_was_changed(tmp_path: Path) -> None:
    ran: list[str] = []
    model = ScriptedModel([code("final_answer(pay('rent'))")])
    with live_desk(tmp_path, lambda: model, lambda _: [Paying(ran)]) as live, WsClient(live.ws_url) as client:
        client.hello()
        client.say("pay")
        ask_id = client.until("ask")["content"]["askId"]

        client.send(type="answer", askId=ask_id, granted=True, value={"word": 7})
        refused = error(client)
        assert (refused["code"], refused["askId"]) == ("bad_answer", ask_id)
        assert ran == []

        client.send(type="answer", askId=ask_id, granted=True, value={"word": "bread"})
        assert client.until("ask_closed", askId=ask_id)["content"]["value"] == {"word": "bread"}
        client.until_closed()
        assert ran == ["bread"]

        client.send(type="answer", askId=ask_id, granted=False)
        late = error(client)
        assert (late["code"], late["askId"]) == ("ask_closed", ask_id)

        client.send(type="cancel", runId="r_none")
        assert "askId" not in error(client)


def error(client: WsClient) -> Message:
    """The next refusal."""
    while (message := client.next())["type"] != "error":
        pass
    return message
