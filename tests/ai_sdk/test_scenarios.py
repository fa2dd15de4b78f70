"""The 21 scenarios, played by the real chat classes of ai 6 and 7 against a real `smoldesk serve`."""

import pytest

from tests.ai_sdk.checks import problems
from tests.ai_sdk.desks import Player
from tests.ai_sdk.driving import Version, tool_name
from tests.ai_sdk.scenarios import SCENARIOS, Scenario

WALLET = 1000
"""USD in a new chat's wallet."""


@pytest.mark.parametrize("version", [6, 7])
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_a_scenario_comes_to_its_end(play: Player, scenario: Scenario, version: Version) -> None:
    assert problems(play(scenario, version), scenario) == []


@pytest.mark.parametrize("version", [6, 7])
@pytest.mark.parametrize(
    "scenario",
    [scenario for scenario in SCENARIOS if scenario.states[0][0] == "process_payment"],
    ids=lambda scenario: scenario.name,
)
def test_a_denied_payment_left_no_trace(play: Player, scenario: Scenario, version: Version) -> None:
    played = play(scenario, version)

    *first, later = [part for part in played.calls if tool_name(part) == "process_payment"]
    assert len(first) == len(scenario.states)
    asked = sum(part["input"]["amount"] for part in first)
    paid = sum(part["input"]["amount"] for part in first if part["state"] == "output-available")
    assert asked == (80 if len(first) == 2 else 30)
    assert later["input"]["amount"] == 1
    assert later["output"]["wallet_balance"] == WALLET - paid - 1
