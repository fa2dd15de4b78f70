"""Reasoning that a model writes before its answer: what is taken out, and that no cutting into pieces matters."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smoldesk.output_parser.model_text import ThinkSplitter


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
        ("<thinking>a</thinking>", "", "<thinking>a</thinking>"),
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
    places = sorted({0, len(reply), *(cut for cut in cuts if cut < len(reply))})
    pieces = [reply[start:end] for start, end in pairwise(places)]
    assert split(*pieces) == split(reply)


@pytest.mark.parametrize("reply", ["<think>" + "x<" * 20_000, " " * 40_000, "<think>" + " " * 40_000])
def test_little_is_held_back_however_long_it_thinks(reply: str) -> None:
    """What is looked at again with each piece is never longer than a tag: the cost is linear."""
    splitter = ThinkSplitter()
    for letter in reply:
        splitter.feed(letter)
        assert len(splitter._held) < len("</think>")  # pyright: ignore[reportPrivateUsage]
