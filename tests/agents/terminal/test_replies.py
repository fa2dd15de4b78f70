"""What is typed for an answer, and for none: a table."""

from typing import Literal

import pytest

from smoldesk.agents.terminal.prompts import InputPrompt
from smoldesk.agents.terminal.replies import (
    Interrupt,
    Pick,
    Press,
    Reply,
    Type,
    reply_to,
)
from smoldesk.store.asks import Answer

GRANT, DENY = Answer(True), Answer(False)
EXPIRED = Answer(False, by="expiry")
YN = InputPrompt("Go on? (y/n)", "confirmation", ("y", "n"))
CAUTIOUS = InputPrompt("Overwrite? [y/N]", "confirmation", ("y", "n"), "n")
EAGER = InputPrompt("Go on? [Y/n]", "confirmation", ("y", "n"), "y")
JAPANESE = InputPrompt("続行しますか？", "confirmation", ("はい", "いいえ"))
ENTER = InputPrompt("Press Enter", "confirmation", (), "")
NUMBERS = InputPrompt("Which? [1-3]", "selection", ("1", "2", "3"), "1")
YDN = InputPrompt("ok [y/d/N]", "selection", ("y", "d", "N"), "N")
PORT = InputPrompt("Port [80]:", "text", (), "80")
NAME = InputPrompt("Name:", "text")
PASSWORD = InputPrompt("Password:", "password")
PAGER = InputPrompt("(END)", "text", (), "q", by_key=True)
MENU = InputPrompt("Do it?", "selection", ("1", "2"), None, {"1": 0, "2": 1})
OWN = InputPrompt("Sure", "confirmation", ("aye", "nay"))
STOP, FAIL = Interrupt(fails=False), Interrupt(fails=True)

TABLE: list[tuple[InputPrompt, Answer, Reply]] = [
    (YN, GRANT, Type("y")),
    (YN, DENY, Type("n")),
    (YN, EXPIRED, FAIL),
    (CAUTIOUS, EXPIRED, Type("n")),
    (EAGER, EXPIRED, Type("y")),
    (EAGER, DENY, Type("n")),
    (JAPANESE, GRANT, Type("はい")),
    (JAPANESE, DENY, Type("いいえ")),
    (OWN, GRANT, Type("aye")),
    (OWN, DENY, STOP),
    (ENTER, GRANT, Type("")),
    (ENTER, DENY, STOP),
    (ENTER, EXPIRED, Type("")),
    (NUMBERS, Answer(True, "3"), Type("3")),
    (NUMBERS, DENY, STOP),
    (NUMBERS, EXPIRED, Type("1")),
    (YDN, DENY, Type("N")),
    (PORT, Answer(True, "8080"), Type("8080")),
    (PORT, DENY, Type("80")),
    (NAME, Answer(True, ""), Type("")),
    (NAME, DENY, STOP),
    (PASSWORD, Answer(True, "abc"), Type("abc", secret=True)),
    (PASSWORD, DENY, STOP),
    (PASSWORD, EXPIRED, FAIL),
    (PAGER, Answer(True, "q"), Press("q")),
    (PAGER, Answer(True, "/x\x03\x1b[A"), Press("/x[A")),
    (PAGER, Answer(True, ""), Type("")),
    (PAGER, EXPIRED, Press("q")),
    (MENU, Answer(True, "2"), Pick("2")),
    (MENU, DENY, STOP),
    (MENU, EXPIRED, FAIL),
]


@pytest.mark.parametrize(("prompt", "answer", "reply"), TABLE)
def test_an_answer_is_typed_as_the_program_takes_it(
    prompt: InputPrompt, answer: Answer, reply: Reply
) -> None:
    assert reply_to(prompt, answer, "default") == reply


@pytest.mark.parametrize("prompt", [YN, CAUTIOUS, ENTER, NUMBERS, PORT, PAGER, MENU])
def test_a_profile_that_interrupts_on_expiry_types_no_default(prompt: InputPrompt) -> None:
    assert reply_to(prompt, EXPIRED, "interrupt") == FAIL


@pytest.mark.parametrize("prompt", [YN, EAGER, JAPANESE, ENTER, NUMBERS, MENU, OWN])
@pytest.mark.parametrize("by", ["person", "stop", "restart"])
def test_a_refusal_never_agrees(prompt: InputPrompt, by: Literal["person", "stop", "restart"]) -> None:
    reply = reply_to(prompt, Answer(False, by=by), "default")
    assert reply == STOP or (isinstance(reply, Type) and reply.value in ("n", "いいえ"))
