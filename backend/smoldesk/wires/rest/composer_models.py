"""What /api tells a composer: names behind an `@`, and what an empty chat offers to ask."""

from smoldesk.agents.composer_kinds import MentionKind, StarterKind
from smoldesk.messages import Shape


class MentionInfo(Shape):
    """`name` is what is listed, `insert` what stands in the message, `detail` where it belongs."""

    kind: MentionKind
    name: str
    insert: str
    detail: str


class Mentions(Shape):
    """Names, kind after kind, the likeliest of each first; `more` counts those of a kind that were left out."""

    mentions: list[MentionInfo]
    more: dict[MentionKind, int]


class StarterInfo(Shape):
    """`about` is the table or room that a starter names, `text` the message."""

    kind: StarterKind
    about: str
    text: str


class Starters(Shape):
    """At most four, each of which the built-in analyst answers."""

    starters: list[StarterInfo]
