"""The card by which an agent elsewhere tells what it is: read within bounds, and believed only as far as the list allows."""

import json

import httpx
from a2a.client.card_resolver import parse_agent_card
from a2a.types import AgentCard, AgentInterface
from google.protobuf.json_format import ParseError

from smoldesk.agents.a2a_client.bounded import body_of
from smoldesk.agents.a2a_client.entries import Peer, origin_of
from smoldesk.agents.a2a_client.errors import AgentFailed

LARGEST_CARD = 1_000_000
"""Bytes."""
BINDINGS = ("JSONRPC", "HTTP+JSON")
VERSIONS = ("1", "0.3")


async def fetch_card(client: httpx.AsyncClient, peer: Peer) -> AgentCard:
    """The peer's card with those of its interfaces that can be used and may be. Raises AgentFailed, httpx.HTTPError."""
    response = await body_of(client, peer.card, LARGEST_CARD, "Its agent card")
    try:
        data = json.loads(response.content)
        card = parse_agent_card(data)
    except (ValueError, ParseError, RecursionError, TypeError, AttributeError) as fault:
        raise AgentFailed(
            f"Its agent card at {peer.card} is none.", "Expected a card of A2A as JSON."
        ) from fault
    return usable(card, peer)


def usable(card: AgentCard, peer: Peer) -> AgentCard:
    """The card without the interfaces that are not for us; raises AgentFailed, saying why, when none is left."""
    problems = [(one, _problem(one, peer)) for one in card.supported_interfaces]
    left = [one for one, problem in problems if problem is None]
    if not left:
        reasons = (
            "; ".join(dict.fromkeys(problem for _, problem in problems[:10] if problem)) or "it has none"
        )
        raise AgentFailed(
            f"Its agent card names no interface that can be used: {reasons}.",
            f"Expected {' or '.join(BINDINGS)} of version 1.0 or 0.3 at {', '.join(sorted(peer.allowed()))}.",
        )
    kept = AgentCard()
    kept.CopyFrom(card)
    del kept.supported_interfaces[:]
    kept.supported_interfaces.extend(left)
    return kept


def _problem(one: AgentInterface, peer: Peer) -> str | None:
    """Why an interface is not used."""
    if one.protocol_binding not in BINDINGS:
        return f"{one.protocol_binding[:40] or 'no binding'} is not spoken here"
    version = one.protocol_version
    if version and not any(version == known or version.startswith(f"{known}.") for known in VERSIONS):
        return f"version {version[:40]} is not known here"
    try:
        origin = origin_of(one.url)
    except ValueError:
        return f"{one.url[:200]!r} is no web address"
    if origin not in peer.allowed():
        return f"{origin[:200]} is another place than its card, and not listed"
    return None
