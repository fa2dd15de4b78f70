"""A desk that is served for all tests of a file, and the two generations of the protocol."""

from collections.abc import Iterator

import pytest

from smoldesk.conversations import sessions
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.mcp_agents import MODES, Mode


@pytest.fixture(scope="module", autouse=True)
def quick_passkeys() -> Iterator[None]:
    """Hashes that cost nothing: most tests log several agents in."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sessions, "COST", 2)
        yield


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    with live_desk(tmp_path_factory.mktemp("desk")) as live:
        yield live


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest) -> Mode:
    return request.param
