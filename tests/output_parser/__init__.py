"""What tests of streams share."""


def cut(text: str, at: list[int]) -> list[str]:
    """The text in pieces with these borders, wherever they lie."""
    places = sorted(place % (len(text) + 1) for place in at)
    return [text[start:end] for start, end in zip([0, *places], [*places, len(text)], strict=True)]
