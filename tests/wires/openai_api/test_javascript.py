"""The official JavaScript client at a desk with a token: models, typed errors, streams, tools, responses."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from smolagents.models import ChatMessage

from tests.ai_sdk.driving import run
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.scripted_model import Calls, Said, ScriptedModel, code, text_of
from tests.wires.openai_api.conftest import answer

TOKEN = "a token of the desk"


def reply(messages: list[ChatMessage]) -> Said:
    """What the model says, whatever is asked."""
    text = text_of(messages)
    if "12:00 in JST" in text:
        return answer("It is noon.")
    if "as data?" in text:
        return code("final_answer({'rooms': ['Kitchen']})")
    if "What time is it?" in text:
        return Calls(("get_time", {"zone": "JST"}))
    return code(
        "import time\ntime.sleep(60)" if "wait" in text.rpartition("New task:")[2] else "final_answer('42')"
    )


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[LiveDesk]:
    with live_desk(tmp_path, lambda: ScriptedModel([reply]), token=TOKEN) as live:
        yield live


def test_the_javascript_client_is_at_home(desk: LiveDesk, node_path: Path) -> None:
    report = run(node_path, "openai_client", {"url": desk.url, "key": TOKEN})
    assert report["models"] == ["smoldesk", "code", "tools", "demo", "small", "demo-tools"]
    assert report["wrongKey"] == ["AuthenticationError", 401, "invalid_api_key"]
    assert report["noModel"] == ["NotFoundError", 404, "model_not_found"]
    assert report["twoAnswers"] == ["BadRequestError", 400, "unsupported_parameter"]
    assert "".join(report["pieces"]) == report["whole"] == "42"
    assert report["withTools"] == "It is noon."
    assert report["parsed"] == {"rooms": ["Kitchen"]}
    assert report["events"][0] == "response.created" and report["events"][-1] == "response.completed"
    assert report["rest"] == report["events"][4:]
    assert report["cancelled"] == "cancelled"
