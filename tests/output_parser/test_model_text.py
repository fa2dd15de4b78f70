"""Reasoning, prose and code of a model's streaming reply: what is taken out, and that no cutting into pieces matters."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smoldesk.output_parser import ReplySplitter, split_model_text
from smoldesk.output_parser.model_text import ThinkSplitter
from tests.output_parser import cut
from tests.support.holding import characters_of


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("", []),
        ("Only prose.", [("text", "Only prose.")]),
        ("Think.\n<code>\nx = 1\n</code>", [("text", "Think.\n"), ("code", "x = 1")]),
        ("<code>x = 1</code>", [("code", "x = 1")]),
        ("<code>\r\nx = 1\r\n</code> Bye", [("code", "x = 1"), ("text", " Bye")]),
        ("<code>\n\nx\n\n</code>", [("code", "\nx\n")]),
        ("<code>\n</code>", []),
        ("<code>\n\n</code>", []),
        ("<code>\nx = 1\n", [("code", "x = 1")]),
        ("I see.\n```\nx = f(1)\n```\nBye", [("text", "I see.\n"), ("code", "x = f(1)"), ("text", "\nBye")]),
        ("A list:\n```\none two\n```\nBye", [("text", "A list:\n```\none two\n```\nBye")]),
        ("```\nx = f(1)", [("code", "x = f(1)")]),
        ("```json\n{}\n```\nfinal_answer(1)", [("text", "```json\n{}\n```\n"), ("code", "final_answer(1)")]),
        ("<code>\n```python\nx = 1\n```\n</code>", [("code", "x = 1")]),
        ("<code>```\nx = 1\n```\n", [("code", "x = 1")]),
        (
            "I know.\nfinal_answer(\n'a')\nBye now",
            [("text", "I know.\n"), ("code", "final_answer(\n'a')"), ("text", "Bye now")],
        ),
        ("import os\nprint(os.sep)", [("code", "import os\nprint(os.sep)")]),
        ("x = 5 is what I think", [("text", "x = 5 is what I think")]),
        ("The answer is 5.", [("text", "The answer is 5.")]),
        ("<code>\nf()\n</code>\nObservation: 3\nfinal_answer(3)", [("code", "f()"), ("text", "\n")]),
        ("<code>\nf()\nExecution logs:\n3", [("code", "f()")]),
        ("```py\nf()\nObservation: 3\n```", [("code", "f()")]),
        ("Draft <code>a</code> no </think> So: <code>b</code>", [("text", " So: "), ("code", "b")]),
        (
            "<|channel|>analysis<|message|>Hm<|end|><|start|>assistant<|channel|>final<|message|>Hi<|return|>",
            [("reasoning", "Hm"), ("text", "Hi")],
        ),
        (
            '<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"a": 1}<|call|>',
            [("call", '<|channel|> commentary to=functions.f <|constrain|>json\n{"a": 1}<|call|>')],
        ),
        (
            'I call.<tool_call>{"name": "f"}</tool_call>\n<tool_response>no',
            [("text", "I call."), ("call", '<tool_call>{"name": "f"}</tool_call>\n')],
        ),
        ("Hi<|im_end|>\n<|im_start|>user\nNo", [("text", "Hi")]),
        ("<code>\nx = 1 < 2\n</co", [("code", "x = 1 < 2\n</co")]),
        ("<code>a</code>b<code>c</code>", [("code", "a"), ("text", "b"), ("code", "c")]),
        ("1 < 2 and <b>bold</b> <cod", [("text", "1 < 2 and <b>bold</b> <cod")]),
        ("<code>a <code> b</code>", [("code", "a <code> b")]),
        ("</code> alone", [("text", "</code> alone")]),
        ("Look\n```python\nx = 1\n```\nBye", [("text", "Look\n"), ("code", "x = 1"), ("text", "\nBye")]),
        ("```py \r\nx = 1\r\n```", [("code", "x = 1")]),
        ("```python\n```", []),
        ("```python\nx = '<code>'\n```", [("code", "x = '<code>'")]),
        ("```python\nx = '``` no'\n```", [("code", "x = '``` no'")]),
        ("say ```python\nx```", [("text", "say ```python\nx```")]),
        ("```json\n{}\n```", [("text", "```json\n{}\n```")]),
        ("```pyramid\nx\n```", [("text", "```pyramid\nx\n```")]),
        ("<code>a</code>\n```python\nb\n```", [("code", "a"), ("text", "\n```python\nb\n```")]),
        ("```python\nx = 1\n", [("code", "x = 1")]),
        ("```python", [("text", "```python")]),
    ],
)
def test_a_reply_is_split_into_prose_and_code(reply: str, expected: list[tuple[str, str]]) -> None:
    assert split_model_text([reply]) == expected
    assert split_model_text(list(reply)) == expected


TAGS = [
    "<code>",
    "</code>",
    "```",
    "```python",
    "```py",
    "\n",
    "\r",
    "\r\n",
    " ",
    "\t",
    "<",
    "`",
    "x",
    "</",
    "py",
    "é",
]
MARKS = [
    "</think>",
    "<|channel|>",
    "<|message|>",
    "<|end|>",
    "<tool_call>",
    "<|im_end|>",
    "Observation:",
    "to=",
]
CODE = ["final_answer(", ")", "x = ", "import os"]
tags = st.lists(st.sampled_from(TAGS), max_size=40)
parts = st.lists(st.sampled_from(TAGS + MARKS + CODE), max_size=40)


@settings(deadline=None)
@given(parts=parts, at=st.lists(st.integers(0, 10_000), max_size=60))
def test_any_chunking_gives_the_pieces_of_one_chunk(parts: list[str], at: list[int]) -> None:
    text = "".join(parts)
    assert split_model_text(cut(text, at)) == split_model_text([text])


@settings(deadline=None)
@given(tags)
def test_nothing_but_tags_and_their_newlines_is_lost(parts: list[str]) -> None:
    text = "".join(parts)
    remaining = "".join(piece for _, piece in split_model_text([text]))
    for mark in ("<code>", "</code>", "```python", "```py", "```"):
        text, remaining = text.replace(mark, ""), remaining.replace(mark, "")
    assert [c for c in remaining if c in "xé"] == [c for c in text if c in "xé"]


@settings(deadline=None)
@given(st.text())
def test_text_without_marks_comes_out_as_it_went_in(text: str) -> None:
    plain = re.sub(r"[<`\[(=]|import|:", "", text)
    assert "".join(piece for kind, piece in split_model_text(list(plain)) if kind == "text") == plain


def test_prose_and_code_are_given_out_at_once_and_only_a_possible_tag_is_held_back() -> None:
    splitter = ReplySplitter()
    assert splitter.feed("I will ") == [("text", "I will ")]
    assert splitter.feed("count <co") == [("text", "count ")]
    assert splitter.feed("ns>") == [("text", "<cons>")]
    assert splitter.feed("<code>\nprint(1)") == [("code", "print(1)")]
    assert splitter.feed("\n") == []
    assert splitter.feed("print(2)\n</co") == [("code", "\nprint(2)")]
    assert splitter.feed("de>") == [("closed", "")]
    assert splitter.flush() == []


def test_what_is_held_back_stays_short() -> None:
    splitter = ReplySplitter()
    for piece in [
        "```python" + " " * 50,
        "\n```py\t\t",
        "<code>",
        "\r",
        "\n\r\r\n</cod",
        "\r\n`` </code>",
    ] * 50:
        splitter.feed(piece)
        assert characters_of(splitter) <= 32


def split(*pieces: str) -> tuple[str, str]:
    """(reasoning, text) of a whole reply."""
    splitter = ThinkSplitter()
    parts = [part for piece in pieces for part in splitter.feed(piece)] + splitter.flush()
    assert all(text for _, text in parts)
    kinds = [kind for kind, _ in parts]
    assert kinds == sorted(kinds)  # reasoning comes before text
    reasoning, text = (
        "".join(text for kind, text in parts if kind == each) for each in ("reasoning", "text")
    )
    return reasoning, text


@pytest.mark.parametrize(
    ("reply", "reasoning", "text"),
    [
        ("<think>\nTwo and two.\n</think>\n\nFour.", "Two and two.\n", "Four."),
        ("\n <think>a < b</think>c", "a < b", "c"),
        ("<think>\n\n</think>\n\nFour.", "", "Four."),
        ("<think></think>", "", ""),
        ("<think>never closed </thin", "never closed </thin", ""),
        ("<think>a<think>b</think>c</think>d", "a<think>b", "c</think>d"),
        ("<think>a</think>b<think>c</think>d", "a", "b<think>c</think>d"),
        ("Say <think>a</think> b", "", "Say <think>a</think> b"),
        ("<code>\nprint('<think>')\n</code>", "", "<code>\nprint('<think>')\n</code>"),
        ("  \n plain ", "", "  \n plain "),
        ("<thin", "", "<thin"),
        ("<thinking>a</thinking>b", "a", "b"),
        ("[THINK]a</think>[/THINK]b", "a</think>", "b"),
        ("<thinker>a", "", "<thinker>a"),
        ("a</think>b", "", "a</think>b"),
        (" \n", "", " \n"),
        ("", "", ""),
    ],
)
def test_only_a_leading_block_is_reasoning(reply: str, reasoning: str, text: str) -> None:
    assert split(reply) == (reasoning, text)
    assert split(*reply) == (reasoning, text)


PIECES = st.lists(
    st.sampled_from(["<think>", "</think>", "<", "</", "th", "ink>", "\n", " ", "a", "<code>", "</code>"]),
    max_size=14,
)


@given(PIECES, st.lists(st.integers(0, 80), max_size=12))
def test_any_cutting_gives_what_one_piece_gives(parts: list[str], cuts: list[int]) -> None:
    reply = "".join(parts)
    assert split(*cut(reply, cuts)) == split(reply)


@pytest.mark.parametrize("reply", ["<think>" + "x<" * 20_000, " " * 40_000, "<think>" + " " * 40_000])
def test_little_is_held_back_however_long_it_thinks(reply: str) -> None:
    """What is looked at again with each piece is never longer than a tag: the cost is linear."""
    splitter = ThinkSplitter()
    for number, letter in enumerate(reply):
        splitter.feed(letter)
        if number % 501 == 0:  # the state itself is a word of six letters
            assert characters_of(splitter) < 6 + len("</think>") + 2
