"""What a request asks of the building and of the rooms on it, before anybody reads it as a question to a table.

Rooms that were selected are spelled out first, so that every reader knows them by their names.
"""

from collections.abc import Callable

from smoldesk.analyst.building.read_play import read_play
from smoldesk.analyst.building.read_ways import read_ways
from smoldesk.analyst.building.selected_rooms import Spot, speaks_of_selection, spelled_out
from smoldesk.analyst.intents import Intent, Reading, Refusal
from smoldesk.analyst.tables.catalogue import Catalogue
from smoldesk.analyst.words.text import is_japanese


def read_building(
    text: str,
    selected: tuple[Spot, ...],
    catalogue: Catalogue,
    asked: Intent,
    previous: Intent | None,
    read: Callable[[str], Reading],
) -> tuple[str, Reading | None]:
    """The request with its rooms spelled out, and its reading if it is about the building or plays figures on it.

    `asked` is what the request before asked, `previous` the last one that had an answer; `read` reads any other request.
    """
    if not selected and "color_rooms" in catalogue.tools and speaks_of_selection(text):
        return text, Reading(Refusal("no_selection"), "ja" if is_japanese(text) else "en")
    text = spelled_out(text, selected)
    return text, read_ways(text, selected, catalogue, asked) or read_play(text, catalogue, previous, read)
