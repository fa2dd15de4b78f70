"""What may go wrong with an agent elsewhere; its caller is told, and goes on."""

from smoldesk.errors import DeskError


class AgentFailed(DeskError):
    """The other agent cannot be reached, breaks the protocol, refuses, fails, says nothing, or says too much."""

    code = "agent_failed"
