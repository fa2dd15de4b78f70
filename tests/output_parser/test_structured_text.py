"""Thought and code out of JSON as it streams in: what JSON's decoder reads, however it is cut, at linear cost."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smoldesk.output_parser import StructuredSplitter, structured_reply
from smoldesk.output_parser.structured_text import as_structured, as_tagged
from tests.output_parser import cut
from tests.support.holding import characters_of


def split(*pieces: str) -> tuple[str, str]:
    """(thought, code) of a reply."""
    splitter = StructuredSplitter()
    parts = [part for piece in pieces for part in splitter.feed(piece)] + splitter.flush()
    assert all(text for kind, text in parts if kind != "closed")
    thought, code = ("".join(text for kind, text in parts if kind == each) for each in ("text", "code"))
    return thought, code


@pytest.mark.parametrize(
    ("reply", "thought", "code"),
    [
        (r'{"thought": "I \"count\"\n\u00e9\ud83d\ude00", "code": "x = \"\\n\""}', 'I "count"\né😀', 'x = "\\n"'),
        ('\n {"code": "x", "thought": "t"}', "t", "x"),
        ('```json\n \n{"thought": "t", "code": "x"}\n```', "t", "x"),
        ('``` {"code": "x"}\n```', "", "x"),
        ('{"a": {"code": "no", "b": ["code", "{"]}, "thought": ["no"], "code": "x"} Observation: {"code": "no"}', "", "x"),
        ('{"a": "thought", "thought": null, "code": "x"}', "", "x"),
        (r'{"code": "\ud83d x \ud83d\n\ude00"}', "", "\ufffd x \ufffd\n\ufffd"),
        ('{"code": "a\n\\d\t"}', "", "a\n\\d\t"),
        ('{"thought": "cut \\ud83d', "cut \ufffd", ""),
        ('{"thought": "cut\\', "cut", ""),
        ("I count.\n<code>\nx = 1\n</code>", "I count.\n", "x = 1"),
        ("```python\nx = {}\n```", "", "x = {}"),
        ("```json", "```json", ""),
        ("[1]", "[1]", ""),
        ("", "", ""),
    ],
)  # fmt: skip
def test_thought_and_code_are_told_apart(reply: str, thought: str, code: str) -> None:
    assert split(reply) == (thought, code)
    assert split(*reply) == (thought, code)


VALUES = st.recursive(st.none() | st.integers() | st.text(max_size=8), lambda children: st.lists(children) | st.dictionaries(
    st.sampled_from(["thought", "code", "x", '"', "{"]), children), max_leaves=5)  # fmt: skip
TEXTS = st.text(st.characters(), max_size=30) | st.sampled_from(
    ["\ud83d", "\ude00", '\\"', "\\u12", "</code>", "😀\n"]
)
SIGNS = [*'{}[]":,\\u\n `', *("code", "thought", "ud83d", "<code>", "</code>", "```", "json", "python")]
CUTS = st.lists(st.integers(0, 10_000), max_size=40)


@settings(deadline=None)
@given(TEXTS, TEXTS, st.dictionaries(st.text(max_size=20), VALUES, max_size=3), st.booleans(), st.booleans(), CUTS)  # fmt: skip
def test_what_streams_is_what_the_decoder_of_json_reads(
    thought: str, code: str, extra: dict[str, object], ascii_only: bool, code_first: bool, at: list[int]
) -> None:
    both = {"thought": thought, "code": code}
    fields = dict(reversed(both.items())) if code_first else both
    reply = json.dumps(
        {key: extra[key] for key in extra if key not in both} | fields, ensure_ascii=ascii_only
    )
    read = json.loads(reply)  # two halves of a pair beside each other are one letter
    expected = tuple("".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in read[key]) for key in both)
    assert split(*cut(reply, at)) == expected
    again = json.loads(structured_reply(reply))
    assert (again["thought"], again["code"]) == expected or not code


@settings(deadline=None)
@given(st.lists(st.sampled_from(SIGNS), max_size=30), CUTS)
def test_any_cutting_gives_what_one_piece_gives(parts: list[str], at: list[int]) -> None:
    reply = "".join(parts)
    assert split(*cut(reply, at)) == split(reply)


@pytest.mark.parametrize(
    "begin", ["", " " * 20_000, "```json\n" + " " * 20_000, "```" + "\n" * 20_000, "`" * 20_000]
)
def test_little_is_held_back_however_long_it_is(begin: str) -> None:
    """What is looked at again with each piece is short: the cost is linear."""
    splitter = StructuredSplitter()
    for number, letter in enumerate(
        begin + '{"' + "k" * 9_000 + '": "", "code": "' + r"\\\n\ud83d\ude00" * 2_000
    ):
        splitter.feed(letter)
        if number % 101 == 0:
            assert characters_of(splitter) <= 48


@pytest.mark.parametrize(
    ("reply", "read"),
    [
        ('{"thought": "t",  "code": "x"}', '{"thought": "t",  "code": "x"}'),
        ('```json\n{"thought": "t", "code": "a\nb"}\n```', r'{"thought": "t", "code": "a\nb"}'),
        ("So.\n<code>\nx\n</code>", r'{"thought": "So.\n", "code": "x"}'),
        ('{"thought": "t", "code": "rm(', '{"thought": "t", "code": "rm('),
        ("Only words.", "Only words."),
        ('{"code": "a = 1\\n", "thought": "t", "code": "b"}', r'{"thought": "t", "code": "a = 1\nb"}'),
    ],
)
def test_what_is_nearly_the_json_becomes_it_and_what_was_cut_off_does_not(reply: str, read: str) -> None:
    assert structured_reply(reply) == read


@settings(deadline=None)
@given(st.lists(st.sampled_from(SIGNS), max_size=30))
def test_the_code_that_runs_is_the_code_that_was_shown(parts: list[str]) -> None:
    reply = '{"code": "a", ' + "".join(parts) + '"code": "b"}'
    try:
        code = json.loads(structured_reply(reply))["code"]
    except ValueError:  # nothing runs
        return
    assert code == split(reply)[1]


def test_earlier_steps_are_told_in_the_form_that_is_wanted() -> None:
    tagged, structured = "So.\n<code>\nx\n</code>", '{"thought": "So.", "code": "x"}'
    assert (as_structured(tagged), as_structured(structured)) == (structured, structured)
    assert (as_tagged(structured), as_tagged(tagged)) == (tagged, tagged)
