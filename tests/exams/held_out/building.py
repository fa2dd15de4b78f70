"""About building; not to be looked at by who improves the analyst."""

from collections.abc import Iterator

from tests.exams.case import Question, no, q


def questions(_: None) -> Iterator[Question]:
    yield q(
        "en",
        "map",
        "write 'Meeting at 3' in Level1",
        messages=[{"type": "map", "overlays": [{"type": "text", "text": "Meeting at 3", "at": "Level1"}]}],
    )
    yield no("en", "highlight the swimming pool", word="swimming")
    yield no("en", "arrow in Room9 please", word="Room9")
    yield q(
        "ja",
        "map",
        "Room1に「受付」って表示",
        messages=[{"type": "map", "overlays": [{"type": "text", "text": "受付", "at": "Room1"}]}],
    )
    yield q("ja", "map", "マップを消して", messages=[{"type": "clear_map"}])
    yield no("ja", "プールを赤く塗って", word="プール")
