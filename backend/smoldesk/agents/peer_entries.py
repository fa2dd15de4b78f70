"""Reading [peers.NAME] of agents.toml: an agent elsewhere, with every mistake told by its key. Pure."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from smoldesk.agents.a2a_client import Peer
from smoldesk.agents.a2a_client.entries import origin_of
from smoldesk.agents.entries import NAME, NAME_FORM

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
LONGEST_DESCRIPTION = 1_000
"""Characters: every model that may ask reads it with every request."""

Problems = list[tuple[str | None, str]]
"""What is wrong, each with its key; None for the entry as a whole."""


def read_peer(name: str, table: Any) -> tuple[Peer | None, Problems]:
    """An entry, None when it cannot be used, and its mistakes."""
    problems: Problems = []
    if not NAME.fullmatch(name):
        problems.append((None, f"a name is {NAME_FORM}."))
    if not isinstance(table, dict):
        return None, [*problems, (None, f"expected a table [peers.{name}].")]
    values: dict[str, Any] = table  # pyright: ignore[reportUnknownVariableType]
    for key, value in values.items():
        if key not in _FORMS:
            problems.append((key, f"there is no such key; expected {', '.join(_FORMS)}."))
        elif not _FORMS[key][0](value):
            problems.append((key, f"expected {_FORMS[key][1]}."))
    if "card" not in values:
        problems.append(("card", f"it is missing; expected {_FORMS['card'][1]}."))
    if problems:
        return None, problems
    given = {key: value for key, value in values.items() if key != "origins"}
    return Peer(name=name, origins=tuple(values.get("origins", ())), **given), []


def _is_address(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(origin_of(value))
    except ValueError:
        return False


def _is_origin(value: Any) -> bool:
    return _is_address(value) and value.count("/") <= 2 + value.endswith("/") and not set(value) & {"?", "#"}


def _is_description(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_DESCRIPTION and "\0" not in value


_FORMS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "card": (
        _is_address,
        "the address of an agent card: http:// or https://, without a name or password in it",
    ),
    "description": (_is_description, f"a text of at most {LONGEST_DESCRIPTION:,} characters"),
    "token_env": (
        lambda value: isinstance(value, str) and bool(_VARIABLE.fullmatch(value)),
        "the name of a variable of the environment that holds its token",
    ),
    "origins": (
        lambda value: isinstance(value, list) and all(map(_is_origin, value)),  # pyright: ignore
        'a list of origins such as "https://api.example.org"',
    ),
}
