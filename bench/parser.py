"""The output parser: megabytes of text a second, in small pieces and whole, and whether twice the text costs twice.

In processor time of this process, which does all of it. The text is what agents write: mostly prose, with code, data,
file references, a traceback now and then.
"""

from collections.abc import Callable

from bench.growth import GOAL, started
from bench.report import Section, median, of_times
from smoldesk.output_parser import OutputParser, StreamingOutputParser, parse_text
from smoldesk.output_parser.rooms import RoomFinder

MEGABYTE = 1_000_000
PIECE = 16
"""Characters of one piece, about what a model streams at a time."""

_PROSE = "The Kitchen is warmer than Room1 in the morning, and so it goes on: for a while.\n" * 30
_CODE = (
    "Here is how:\n```python\n"
    + "x = compute(a, b)  # a line\nfor i in range(10):\n    print(i)\n" * 10
    + "```\n"
)
_REST = (
    '{"name": "x", "values": [1, 2, 3], "nested": {"a": true}}\nCreated: out/report.csv\n'
    'Traceback (most recent call last):\n  File "x.py", line 1, in <module>\n    foo()\nValueError: bad\n'
)
SAMPLE = _PROSE + _CODE + _REST


def sample(size: int) -> str:
    """That many characters (here also bytes) of mixed text."""
    return (SAMPLE * (size // len(SAMPLE) + 1))[:size]


def measure(megabytes: tuple[int, ...] = (1, 2, 4), repeats: int = 5, unit: int = MEGABYTE) -> Section:
    """Each size in pieces, whole, and as the answer of a response; each compared with the size before it."""
    sizes = [count * unit for count in megabytes]
    section = Section(
        "the parser: free text and answers",
        method=[
            f"mixed text in pieces of {PIECE} characters, whole, and as an answer beside 2,000 rooms;",
            f"processor time, medians of {repeats}; MB are a million bytes of ASCII",
        ],
    )
    rooms = [f"Room {number} of wing {number % 7}" for number in range(2_000)]
    parser, finder = OutputParser(rooms), RoomFinder(rooms)
    methods: dict[str, Callable[[str, list[str]], object]] = {
        f"stream, {PIECE} characters a piece": lambda text, pieces: stream(pieces),
        "parse_text, whole": lambda text, pieces: parse_text(text),
        "parse, as an answer": lambda text, pieces: parser.parse({"text": text}),
        "rooms named, 2,000 known": lambda text, pieces: finder.named_in(text),
    }
    for name, work in methods.items():
        times = [timed(work, sample(size), repeats) for size in sizes]
        rates = ", ".join(f"{size / MEGABYTE / time:.1f}" for size, time in zip(sizes, times, strict=True))
        section.figures.append((name, f"{rates} MB/s at {', '.join(map(str, megabytes))} MB"))
        for index in range(1, len(sizes)):
            ours, peer = times[index], times[index - 1]
            label = f"{name}: {megabytes[index]} MB to {megabytes[index - 1]}"
            section.ratios.append(of_times(label, ours, peer, GOAL))
    return section


def stream(pieces: list[str]) -> int:
    """Feed all of it; how many artifacts came."""
    parser = StreamingOutputParser()
    feed, count = parser.feed, 0
    for piece in pieces:
        if artifacts := feed(piece):
            count += len(artifacts)
    return count + len(parser.flush())


def timed(work: Callable[[str, list[str]], object], text: str, repeats: int) -> float:
    """Median seconds of processor time."""
    pieces = [text[at : at + PIECE] for at in range(0, len(text), PIECE)]
    times: list[float] = []
    for _ in range(repeats):
        clock = started()
        work(text, pieces)
        times.append(clock())
    return max(median(times), 1e-9)
