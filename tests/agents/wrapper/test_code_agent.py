"""The agent of kind `code` on a real desk: asks inside code, and models and outputs that are not as one would like."""

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from smolagents.models import ChatMessage, ChatMessageStreamDelta, MessageRole, Model

from tests.agents.wrapper.conftest import Talk
from tests.support.scripted_model import code, text_of
from tests.support.ws_client import Message, of_type

# --- a tool that asks first ------------------------------------------------------------------------------------


def test_code_stops_at_the_line_that_asks_and_goes_on_after_a_yes(code_talk: Talk) -> None:
    code_talk.scene.script(
        code("print('before')\nreceipt = pay('30')\nprint('after')\nfinal_answer(receipt)")
    )
    ask = code_talk.post("pay")
    content = ask["content"]
    assert (content["kind"], content["tool"], content["arguments"]) == ("approval", "pay", {"word": "30"})
    assert content["codeLine"] == "receipt = pay('30')"
    code_talk.client.until("run", state="waiting")
    printed = "".join(message["content"] for message in of_type(code_talk.client.seen, "printed"))
    assert printed == "before\n"
    assert code_talk.scene.ran == []
    code_talk.answer(ask, True)
    messages = code_talk.client.until_closed()
    assert of_type(messages, "ask_closed")[0]["content"]["granted"] is True
    assert code_talk.scene.ran == ["30"]
    assert "".join(message["content"] for message in of_type(messages, "printed")) == "after\n"
    assert messages[-1]["content"]["text"] == "paid 30"


def test_a_grant_runs_the_call_once_however_often_it_is_sent(code_talk: Talk) -> None:
    code_talk.scene.script(code("final_answer(pay('30'))"))
    ask = code_talk.post("pay")
    for _ in range(5):
        code_talk.answer(ask, True)
    messages = code_talk.client.until_closed()
    code_talk.answer(ask, True)
    codes = {message["code"] for message in of_type(messages, "error")} | {
        code_talk.client.until("error")["code"]
    }
    assert codes == {"ask_closed"}
    assert messages[-1]["content"]["state"] == "finished"
    assert code_talk.scene.ran == ["30"]


def test_code_can_catch_a_denial(code_talk: Talk) -> None:
    code_talk.scene.script(
        code(
            "try:\n    pay('30')\nexcept ToolDenied as no:\n    said = f'{type(no).__name__}: {no}'\n"
            "final_answer(said)"
        )
    )
    code_talk.answer(code_talk.post("pay"), False, reason="too much")
    messages = code_talk.client.until_closed()
    assert messages[-1]["content"]["text"] == "ToolDenied: User denied the tool call: too much"
    assert code_talk.scene.ran == []


def test_a_denial_that_code_does_not_catch_is_told_to_the_model(code_talk: Talk) -> None:
    model = code_talk.scene.script(code("pay('30')\nprint('never')"), code("final_answer('as you wish')"))
    code_talk.answer(code_talk.post("pay"), False)
    messages = code_talk.client.until_closed()
    assert "User denied the tool call" in text_of(model.seen[1])
    assert "never" not in "".join(message["content"] for message in of_type(messages, "printed"))
    assert messages[-1]["content"]["text"] == "as you wish"
    assert code_talk.scene.ran == []


def test_stop_while_an_ask_waits_denies_it_and_keeps_the_variables(code_talk: Talk) -> None:
    code_talk.scene.script(code("kept = 41\npay('30')"))
    ask = code_talk.post("pay")
    messages = code_talk.stopped(ask)
    assert of_type(messages, "ask_closed")[0]["content"]["granted"] is False
    assert messages[-1]["content"]["state"] == "cancelled"
    assert code_talk.scene.ran == []
    code_talk.scene.script(code("final_answer(str(kept + 1))"))
    assert code_talk.ask("go on")[-1]["content"]["text"] == "42"
    assert code_talk.scene.live.desk.runs.abandoned == 0


def test_the_ask_is_shown_to_a_second_page_which_may_answer_it(code_talk: Talk) -> None:
    from tests.support.ws_client import WsClient

    code_talk.scene.script(code("final_answer(pay('30'))"))
    code_talk.client.say("pay")
    code_talk.client.until("ask")
    with WsClient(code_talk.scene.live.ws_url, f"?chat={code_talk.chat_id}&after=0") as second:
        second.hello()
        ask = second.until("ask")
        second.send(type="answer", askId=ask["content"]["askId"], granted=True)
        assert second.until_closed()[-1]["content"]["text"] == "paid 30"
    assert code_talk.client.until_closed()[-1]["content"]["text"] == "paid 30"


# --- stopping -------------------------------------------------------------------------------------------------


def test_a_stop_in_the_last_step_is_a_stop_and_no_step_limit(code_talk: Talk) -> None:
    code_talk.scene.script(*[code("1 + 1")] * 3, code("while True:\n    pass"))
    code_talk.client.say("loop")
    step = code_talk.client.until("run", step=4)
    code_talk.client.until("delta")
    messages = code_talk.stopped(step)
    assert messages[-1]["content"] == messages[-1]["content"] | {
        "state": "cancelled",
        "text": "Stopped by the person",
    }


# --- models -------------------------------------------------------------------------------------------------------


class Odd(Model):
    """Streams what `pieces` yields, whatever it is."""

    def __init__(self, pieces: Any) -> None:
        super().__init__(model_id="odd")
        self._pieces = pieces

    def generate(self, messages: Any, *args: Any, **kwargs: Any) -> ChatMessage:
        raise AssertionError("a run streams")

    def generate_stream(self, *args: Any, **kwargs: Any) -> Iterator[Any]:
        yield from self._pieces()


class NonStreaming(Model):
    """Cannot stream; `reply` is all it says."""

    def __init__(self, reply: Any) -> None:
        super().__init__(model_id="whole")
        self._reply = reply

    def generate(self, messages: Any, *args: Any, **kwargs: Any) -> Any:
        return copy.copy(self._reply)  # smolagents writes into what it gets


def failed(messages: list[Message], code: str) -> str:
    """The run ended with this fault, said once; its words."""
    assert messages[-1]["content"]["state"] == "failed"
    assert [message["code"] for message in of_type(messages, "error")][-1:] == [code]
    assert messages[-2]["type"] == "error"
    return messages[-2]["content"]


def test_prose_is_the_answer_where_there_is_nothing_to_look_at(code_talk: Talk) -> None:
    model = code_talk.scene.script("It is surely 42.")
    messages = code_talk.ask()
    assert len(model.seen) == 1
    assert of_type(messages, "text")[0] == of_type(messages, "text")[0] | {
        "content": "It is surely 42.",
        "withoutCode": True,
    }
    assert messages[-1]["content"] == messages[-1]["content"] | {
        "state": "finished",
        "text": "It is surely 42.",
    }


@pytest.mark.parametrize(
    "model",
    [
        NonStreaming(ChatMessage(role=MessageRole.ASSISTANT, content=None)),
        NonStreaming(ChatMessage(role=MessageRole.ASSISTANT, content=" \n ")),
        Odd(lambda: iter(())),
        Odd(lambda: iter([ChatMessageStreamDelta(content=None)] * 3)),
    ],
    ids=["None", "blanks", "an empty stream", "a stream of nothing"],
)
def test_a_model_that_says_nothing_ends_in_a_clear_error(code_talk: Talk, model: Model) -> None:
    code_talk.scene.model = model
    assert "empty" in failed(code_talk.ask(), "model_empty")


def test_a_model_that_returns_no_message_at_all_is_a_fault_of_the_model(code_talk: Talk) -> None:
    code_talk.scene.model = NonStreaming(None)
    failed(code_talk.ask(), "model_error")


def test_a_stream_that_breaks_off_keeps_what_was_said_and_fails_the_run(code_talk: Talk) -> None:
    def pieces() -> Iterator[ChatMessageStreamDelta]:
        yield ChatMessageStreamDelta(content="I was about to")
        raise ConnectionResetError("the line went dead")

    code_talk.scene.model = Odd(pieces)
    messages = code_talk.ask()
    assert "the line went dead" in failed(messages, "model_error")
    assert "".join(delta["content"] for delta in of_type(messages, "delta")) == "I was about to"
    code_talk.scene.script(code("final_answer('here again')"))
    assert code_talk.ask("and now?")[-1]["content"]["text"] == "here again"


def test_tokens_nobody_counted_are_absent_and_not_zero(code_talk: Talk) -> None:
    code_talk.scene.script(code("final_answer('ok')"))
    code_talk.ask()
    finished = [event for event in code_talk.log() if event["type"] == "step_finished"]
    assert [(event["input_tokens"], event["output_tokens"]) for event in finished] == [(None, None)]


# --- outputs -----------------------------------------------------------------------------------------------------


def test_five_megabytes_of_prints_are_bounded_in_log_and_prompt(code_talk: Talk) -> None:
    model = code_talk.scene.script(
        code("for n in range(5000):\n    print('x' * 1000)"), code("final_answer('much')")
    )
    messages = code_talk.ask()
    printed = "".join(message["content"] for message in of_type(messages, "printed"))
    assert 1_000_000 < len(printed) < 1_200_000
    assert "output cut" in printed[-100:]
    assert len(text_of(model.seen[1])) < 150_000
    other_events = [event for event in code_talk.log() if event["type"] != "printed"]
    assert max(len(str(event)) for event in other_events) < 150_000
    assert messages[-1]["content"]["text"] == "much"


def test_a_huge_result_of_a_tool_reaches_the_code_whole_and_the_log_cut(code_talk: Talk) -> None:
    code_talk.scene.script(code("final_answer(str(len(huge(3_000_000))))"))
    messages = code_talk.ask()
    assert messages[-1]["content"]["text"] == "3000000"
    assert max(len(str(event)) for event in code_talk.log()) < 100_000


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (
            "{'rooms': 3, 'name': 'Küche'}",
            "| Name | Value |\n| --- | --- |\n| rooms | 3 |\n| name | Küche |",
        ),
        ("[1, 2.5, None]", "- 1\n- 2.5\n- None"),
        ("42", "42"),
        ("0", "0"),
        ("0.1 + 0.2", "0.30000000000000004"),
        ("False", "False"),
        ("None", "None"),
        ("''", ""),
        ("'x' * 70_000", "x" * 100),
    ],
)
def test_an_answer_of_any_kind_is_said_in_words(code_talk: Talk, value: str, text: str) -> None:
    code_talk.scene.script(code(f"final_answer({value})"))
    messages = code_talk.ask()
    closing = messages[-1]["content"]
    assert closing["state"] == "finished"
    assert closing["text"] == text or (len(text) == 100 and closing["text"].startswith(text))
    texts = [message["content"] for message in of_type(messages, "text")]
    assert texts == ([closing["text"]] if text else [])


def test_a_data_frame_as_the_answer_is_shown_as_a_table(code_talk: Talk) -> None:
    code_talk.scene.script(
        code("import pandas as pd\nfinal_answer(pd.DataFrame({'room': ['Kitchen', 'Toilet'], 'n': [1, 2]}))")
    )
    messages = code_talk.ask()
    table = of_type(messages, "table")[0]["content"]
    assert [column["name"] for column in table["columns"]] == ["room", "n"]
    assert table["rowCount"] == 2
    assert messages[-1]["content"]["state"] == "finished"
