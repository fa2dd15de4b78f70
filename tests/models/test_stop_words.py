"""An answer ends at its stop sequence, wherever the pieces are cut."""

from hypothesis import given
from hypothesis import strategies as st

from smoldesk.models.transformers_model import StopWords


def told(pieces: list[str], sequences: list[str]) -> str:
    stop = StopWords(sequences)
    shown = "".join(stop.feed(piece) for piece in pieces)
    return shown + stop.flush()


@given(st.lists(st.text("ab<>", max_size=4)), st.lists(st.text("ab<>", min_size=1, max_size=3), max_size=3))
def test_any_cutting_shows_what_one_piece_would(pieces: list[str], sequences: list[str]) -> None:
    text = "".join(pieces)
    ends = [at for sequence in sequences if (at := text.find(sequence)) >= 0]
    single = told([text], sequences)
    assert single == text[: min(ends, default=len(text))]
    assert not any(sequence in told(pieces, sequences) for sequence in sequences)
    if len(sequences) < 2:  # of several, the one that is complete first ends the answer
        assert told(pieces, sequences) == single


def test_nothing_comes_after_the_end() -> None:
    stop = StopWords(["END"])
    assert [stop.feed("one E"), stop.feed("ND two"), stop.feed("three"), stop.flush()] == ["one ", "", "", ""]
    assert stop.reached
