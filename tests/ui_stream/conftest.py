"""Desks to play the scenarios against, and the player; both for the whole session."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.conftest import CANNOT_HAVE
from tests.ui_stream.desks import EXPIRES_SOON, Player, serving

NO_WIRE = "the server has no POST /stream yet"


@pytest.fixture(scope="session")
def play(
    node_path: Path, tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config
) -> Iterator[Player]:
    """Plays a scenario against a desk; the same scenario is played once."""
    with ExitStack() as closing:
        started: dict[bool, str] = {}

        def desk(expires: bool) -> str:
            if expires not in started:
                env = EXPIRES_SOON if expires else {}
                url = closing.enter_context(serving(tmp_path_factory.mktemp("desk"), env))
                if httpx.post(f"{url}/stream", json={}).status_code == 404:
                    pytestconfig.stash[CANNOT_HAVE].add(NO_WIRE)
                    pytest.skip(NO_WIRE)
                started[expires] = url
            return started[expires]

        yield Player(node_path, desk)
