"""A line of the log stays one line, shows no secret, and says where a fault came from but not what it said."""

import json
import logging
import sys
from typing import Any

import pytest
from pydantic import SecretStr

from smoldesk.logs import lines, request_id
from smoldesk.logs.facts import LINES, PERIOD, LineLimiter
from smoldesk.logs.lines import LAST_OF_SERIES, JsonLine, Line, TextLine, hide_from_now_on, hider

SECRET = 'a"secret/with é'


def record(
    message: str, *args: Any, facts: dict[str, Any] | None = None, fault: bool = False
) -> logging.LogRecord:
    log_record = logging.LogRecord(
        "smoldesk.x", logging.INFO, "", 0, message, args, sys.exc_info() if fault else None
    )
    log_record.facts = facts or {}
    return log_record


@pytest.mark.parametrize("form", [TextLine, JsonLine])
@pytest.mark.parametrize(
    "evil", ["a\nb", "a\r\nERROR fake", "\x1b[31m", "a\u2028b", 'a" b=c', "\x85", "\ud800"]
)
def test_nothing_that_is_logged_can_begin_a_line_or_colour_one(form: type[Line], evil: str) -> None:
    line = form().format(record("say %s", evil, facts={"client": evil}))
    assert line.isprintable()
    line.encode()
    if form is JsonLine:
        assert json.loads(line)["client"] == evil


def test_text_quotes_what_could_be_taken_for_another_fact() -> None:
    assert (
        TextLine()
        .format(record("run", facts={"id": "r_1", "client": "x state=done"}))
        .endswith('smoldesk.x run id=r_1 client="x state=done"')
    )


def test_json_is_one_object_with_the_facts_beside_the_event() -> None:
    locked = request_id.set("req-1")
    try:
        line = json.loads(JsonLine().format(record("run", facts={"steps": 2, "seconds": 0.5})))
    finally:
        request_id.reset(locked)
    assert line == {
        "time": line["time"],
        "level": "INFO",
        "logger": "smoldesk.x",
        "event": "run",
        "steps": 2,
        "seconds": 0.5,
        "request": "req-1",
    }


@pytest.mark.parametrize("form", [TextLine, JsonLine])
def test_a_secret_is_hidden_in_every_form_it_may_take(form: type[Line]) -> None:
    line = form([SecretStr(SECRET), None]).format(record("key %s", SECRET, facts={"key": SECRET}))
    assert "secret" not in line
    assert "***" in line


def test_the_password_of_an_address_is_hidden_by_itself_too() -> None:
    hide = hider([SecretStr("postgresql://reader:p%40ss-word@host/shop"), SecretStr("no://[address")])
    assert hide("p@ss-word p%40ss-word reader") == "*** *** reader"


def test_a_password_that_is_a_plain_word_does_not_blot_out_that_word() -> None:
    hide = hider(
        [SecretStr("postgresql://desk:smoldesk@host/shop"), SecretStr("mysql://a:averylongword@h/d")]
    )
    assert hide("smoldesk.app postgresql://desk:smoldesk@host/shop averylongword") == "smoldesk.app *** ***"


def test_of_secrets_that_replace_each_other_the_last_ones_are_hidden_and_what_stays_is_for_good(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for expected, empty in (("_later", frozenset[str]()), ("_lasting", frozenset[str]()), ("_series", {})):
        monkeypatch.setattr(lines, expected, empty)
    hide = hider([])
    tokens = [f"rotating-token-{number:03}" for number in range(LAST_OF_SERIES + 2)]
    hide_from_now_on(SecretStr(tokens[0]))  # it lets the desk in elsewhere, too
    hide_from_now_on(SecretStr("of another server"), "access_token of b")
    for token in (*tokens, tokens[2]):
        hide_from_now_on(SecretStr(token), "access_token of a")
    assert [token for token in tokens if hide(token) == token] == [tokens[1]]
    hide_from_now_on(SecretStr("one more token"), "access_token of a")
    assert [token for token in tokens if hide(token) == token] == [tokens[1], tokens[3]], "2 came again"
    assert hide("of another server") == "***"


@pytest.mark.parametrize("form", [TextLine, JsonLine])
def test_a_fault_is_told_by_class_and_place_and_not_by_its_words(form: type[Line]) -> None:
    try:
        int("what a person typed")
    except ValueError:
        line = form().format(record("it failed", fault=True))
    assert "ValueError" in line  # pyright: ignore[reportPossiblyUnboundVariable]
    assert "test_a_fault_is_told" in line  # pyright: ignore[reportPossiblyUnboundVariable]
    assert "typed" not in line  # pyright: ignore[reportPossiblyUnboundVariable]


def test_a_flood_becomes_its_first_lines_and_a_count() -> None:
    now = 0.0
    flood = LineLimiter(lambda: now)
    assert [flood.admit("a") for _ in range(LINES + 3)] == [0] * LINES + [None] * 3
    assert flood.admit("b") == 0
    now = PERIOD
    assert [flood.admit("a"), flood.admit("a")] == [3, 0]


def test_endless_kinds_are_not_kept_for_ever() -> None:
    flood = LineLimiter(lambda: 0.0)
    assert all(flood.admit(number) == 0 for number in range(5000))
