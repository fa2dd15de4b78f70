"""Size of an agent's prompt before a person has asked anything: whether a model's window can take it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from smoldesk.agents.entries import AgentEntry

if TYPE_CHECKING:
    from smoldesk.tools.policy import DeskTool


def prompt_tokens(entry: AgentEntry, tools: "Sequence[DeskTool]") -> int:
    """Estimate the tokens of an agent's instructions with its tools. Imports smolagents, so not on the event loop."""
    from smolagents import Model

    from smoldesk.agents.wrapper.code_agent import DeskCodeAgent
    from smoldesk.agents.wrapper.tools_agent import DeskToolsAgent
    from smoldesk.agents.wrapper.window import estimate_tokens

    model, none = Model(model_id="none"), cast(Any, object())
    if entry.kind == "tools":
        agent: Any = DeskToolsAgent(list(tools), model, 1, {}, none)
        return estimate_tokens(agent.system_prompt, tools)
    agent = DeskCodeAgent(list(tools), model, none, 1, {}, entry.structured)
    return estimate_tokens(agent.system_prompt)
