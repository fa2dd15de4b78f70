"""Lexicons of catalogues that were asked about lately: a chat's runs have the same one until its files change.

Told apart by all they are made from. The values of columns belong to a run, and are never kept here.
"""

from collections import deque
from threading import Lock

from smoldesk.analyst.tables.catalogue import Catalogue
from smoldesk.analyst.tables.lexicon import Lexicon

MOST = 32

_lock = Lock()
_known: deque[Lexicon] = deque(maxlen=MOST)


def lexicon_of(catalogue: Catalogue) -> Lexicon:
    """A lexicon for one run, made of one that is known or built anew; may be called from any thread."""
    with _lock:
        known = next((one for one in _known if one.catalogue == catalogue), None)
        if known is not None:  # the longest unused is the one that goes
            _known.remove(known)
            _known.append(known)
    if known is None:
        known = Lexicon(catalogue)
        with _lock:
            _known.append(known)
    return known.for_run(catalogue)
