"""What a request wants done for the person, as data. Pure."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Payment:
    """Money for somebody; the recipient is written as in the request, the currency is a code."""

    recipient: str
    amount: float
    currency: str
    description: str = ""


@dataclass(frozen=True)
class Whereabouts:
    """Where the person is."""


@dataclass(frozen=True)
class Music:
    """The track the BGM changes to; 0 is silence."""

    track: int


@dataclass(frozen=True)
class Weather:
    """The weather of a place, as the request writes it."""

    location: str


@dataclass(frozen=True)
class Asking:
    """What another agent is asked, as the request writes it."""

    agent: str
    message: str


Errand = Payment | Whereabouts | Music | Weather | Asking


@dataclass(frozen=True)
class Errands:
    """Things to do for the person, in the order of the request; each is one call of a tool."""

    errands: tuple[Errand, ...]
