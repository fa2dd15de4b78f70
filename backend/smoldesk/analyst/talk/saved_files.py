"""Files that the analyst's own code saved: asked about when they are named, never instead of what a person gave."""

from smoldesk.analyst.intents import DataIntent, Intent
from smoldesk.analyst.meanings import TableRef
from smoldesk.analyst.request.mentions import read_mentions
from smoldesk.analyst.tables.lexicon import Lexicon
from smoldesk.analyst.words.text import key


def without_saved(text: str, lexicon: Lexicon, previous: Intent | None) -> Lexicon | None:
    """The lexicon to read a request with first; None where saved files are meant, or there are none.

    The header `average Temperature` of a saved file would otherwise take these words away from the table it came from.
    """
    given = lexicon.given
    if given is None:
        return None
    saved = {table.name: table for table in lexicon.catalogue.tables if table.produced}
    if isinstance(previous, DataIntent) and previous.table in saved:
        return None
    for mention in read_mentions(text, lexicon).mentions:
        for ref in mention.all(TableRef):
            table = saved.get(ref.table)
            bare = ref.table.rsplit(".", 1)[0]
            if table and key(mention.text) in (key(table.name), key(bare), key(table.file)):
                return None
    return given
