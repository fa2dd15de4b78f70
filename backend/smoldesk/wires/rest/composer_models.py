"""Response models of the composer: names after an `@`, and suggestions of an empty chat."""

from smoldesk.agents.composer_kinds import MentionKind, StarterKind
from smoldesk.messages import Shape


class MentionInfo(Shape):
    """Name to mention: `name` as listed, `insert` as written in the message, `detail` its table, floor or the like."""

    kind: MentionKind
    name: str
    insert: str
    detail: str


class Mentions(Shape):
    """Names by kind, the best matches first; `more` counts the omitted ones of each kind."""

    mentions: list[MentionInfo]
    more: dict[MentionKind, int]


class StarterInfo(Shape):
    """Suggested question; `about` is its table or room, `text` the message."""

    kind: StarterKind
    about: str
    text: str


class Starters(Shape):
    """Suggested questions, at most four, which the built-in analyst can answer."""

    starters: list[StarterInfo]
