"""Agent cards: name, skills and addresses of the desk's agents. Pure.

The card for clients of protocol 0.3 is another document under another address: the schema of 1.0 forbids its fields.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from a2a.types import a2a_pb2 as pb

from smoldesk import __version__
from smoldesk.agents import AgentEntry, AgentInfo
from smoldesk.wires.a2a.requests import INPUT_MODES

CARD = "/.well-known/agent-card.json"
CARD_0_3 = "/v0.3/.well-known/agent-card.json"
RPC = "/a2a"
REST = "/a2a/rest"
OUTPUT_MODES = ("text/markdown", "text/plain", "application/json", "image/png", "text/csv")
KINDS = {
    "code": "Answers by Python that it writes and runs in a sandbox: text, tables, plots, drawings on a floor plan.",
    "tools": "Answers by calling tools; text, tables, plots, drawings on a floor plan.",
    "terminal": "A program in a terminal: it is typed to, and what it writes is the answer.",
}


@dataclass(frozen=True)
class Address:
    """Address of an agent: `base` is http://host:port, `prefix` empty or /agents/NAME, `grpc` host:port if it is served."""

    base: str
    prefix: str = ""
    grpc: str = ""

    def interfaces(self, version: Literal["1.0", "0.3"]) -> list[pb.AgentInterface]:
        """Return the bindings at this address, best first."""
        places = [("JSONRPC", self.base + self.prefix + RPC), ("HTTP+JSON", self.base + self.prefix + REST)]
        if self.grpc and version == "1.0" and not self.prefix:
            places.append(("GRPC", self.grpc))
        return [
            pb.AgentInterface(url=url, protocol_binding=binding, protocol_version=version)
            for binding, url in places
        ]


@dataclass(frozen=True)
class ToolFacts:
    """Tool on the extended card; `approval` is empty for one that needs none."""

    name: str
    description: str
    approval: str = ""


def card(
    entry: AgentEntry,
    info: AgentInfo,
    address: Address,
    has_token: bool,
    version: Literal["1.0", "0.3"] = "1.0",
) -> pb.AgentCard:
    """Build the public card of an agent; `has_token`: the desk requires a token of its clients."""
    public_card = pb.AgentCard(
        name=f"smoldesk {entry.name}" if address.prefix else "smoldesk",
        description=f"{entry.description} {KINDS[entry.kind]}".strip(),
        version=__version__,
        supported_interfaces=address.interfaces(version),
        capabilities=pb.AgentCapabilities(
            streaming=True, push_notifications=True, extended_agent_card=has_token
        ),
        default_input_modes=INPUT_MODES,
        default_output_modes=OUTPUT_MODES,
        skills=[skill(entry, info)],
    )
    if has_token:
        bearer = pb.HTTPAuthSecurityScheme(scheme="bearer", description="The token of the desk.")
        public_card.security_schemes["bearer"].CopyFrom(pb.SecurityScheme(http_auth_security_scheme=bearer))
        public_card.security_requirements.append(pb.SecurityRequirement(schemes={"bearer": pb.StringList()}))
    return public_card


def extended(public: pb.AgentCard, tools: Sequence[ToolFacts]) -> pb.AgentCard:
    """Build the card for callers with the token: each tool is a skill."""
    extended_card = pb.AgentCard()
    extended_card.CopyFrom(public)
    for tool in tools:
        tags = ["tool", *([f"asks for approval: {tool.approval}"] if tool.approval else [])]
        extended_card.skills.append(
            pb.AgentSkill(
                id=f"tool:{tool.name}", name=tool.name, description=tool.description or tool.name, tags=tags
            )
        )
    return extended_card


def skill(entry: AgentEntry, info: AgentInfo) -> pb.AgentSkill:
    """Build the agent's skill; its tags are its kind and its tools."""
    return pb.AgentSkill(
        id=entry.name,
        name=entry.name,
        description=f"{entry.description} {KINDS[entry.kind]}".strip(),
        tags=[entry.kind, *info.tools],
    )
