"""Where code would run without isolation, the model of every agent of the list counts, not only the desk's own."""

from pathlib import Path

import pytest

from smoldesk.agents import AgentEntry, AgentList
from smoldesk.agents.entries import BUILT_IN
from smoldesk.desk import check_isolation
from smoldesk.errors import Refused
from smoldesk.messages import Isolation
from tests.support.desk_server import settings_for

OPEN = Isolation(isolated=False, label="not isolated")
JAILED = Isolation(isolated=True, label="isolated")


def listed(model: str | None) -> AgentList:
    return AgentList({**BUILT_IN, "x": AgentEntry("x", "code", model=model)})


@pytest.mark.parametrize(
    ("model", "isolation", "allowed", "host", "serves"),
    [
        (None, OPEN, False, "127.0.0.1", True),
        ("builtin", OPEN, False, "127.0.0.1", True),
        ("openai:x", OPEN, False, "127.0.0.1", False),
        ("builtin", OPEN, False, "192.0.2.1", False),
        ("openai:x", OPEN, True, "127.0.0.1", True),
        ("openai:x", JAILED, False, "127.0.0.1", True),
    ],
)
def test_an_agent_with_a_model_of_its_own_counts(
    tmp_path: Path, model: str | None, isolation: Isolation, allowed: bool, host: str, serves: bool
) -> None:
    settings = settings_for(tmp_path, allow_unisolated=allowed, host=host)
    if serves:
        check_isolation(settings, listed(model), isolation)  # pyright: ignore[reportArgumentType]
    else:
        with pytest.raises(Refused) as refused:
            check_isolation(settings, listed(model), isolation)  # pyright: ignore[reportArgumentType]
        assert refused.value.code == "not_isolated"
