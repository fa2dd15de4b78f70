"""Desks to play the scenarios against, and the player; both for the whole session."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.ai_sdk.driving import EXPIRES_SOON, Player, serving


@pytest.fixture(scope="session")
def play(node_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Player]:
    """Plays a scenario against a desk; the same scenario is played once."""
    with ExitStack() as closing:
        started: dict[bool, str] = {}

        def desk(expires: bool) -> str:
            if expires not in started:
                folder = tmp_path_factory.mktemp("desk")
                env = EXPIRES_SOON if expires else {}
                started[expires] = closing.enter_context(serving(folder, env))
            return started[expires]

        yield Player(node_path, desk)
