"""A request about how many rows each thing has: customers with more than two orders, the average number of orders per customer.

English and Japanese readers make it (numbers_english, numbers_japanese); talk/read_numbers.py turns it into an intent.
"""

from dataclasses import dataclass

from smoldesk.analyst.intents import PerThing


@dataclass(frozen=True)
class Numbered:
    """`things` are requests for the different things, `rows` for the rows that are counted, in the grammar's words; of each
    the first that is understood counts.

    `told` says what was done with the rows, where a verb says it: a condition in some tables (`cancelled`), in others what
    is done with every row. Only a verb that is `usual` of rows may say nothing more; another is named by `verb` in a refusal.
    """

    things: tuple[str, ...]
    rows: tuple[str, ...]
    per_thing: PerThing
    told: tuple[str, ...] = ()
    verb: str = ""
    usual: bool = True
    word: str = ""
    """What it was known by: where a table has such a word of its own, it means that."""
    late: bool = False
    """Read so only where the request is not understood as it stands: 平均参加人数 may be a column."""
    measure: str = ""
    """What is counted by its own word: where a column of numbers is called so, that is meant."""
    kinds: bool = False
    """Different ones are counted, never rows."""
