"""Whether an agent elsewhere can be reached: its card is fetched and judged, nothing is asked of it."""

import asyncio

from smoldesk.agents.a2a_client.entries import Peer

SECONDS = 10.0


def look_at(peer: Peer) -> str:
    """What its card says of it, in a line. Raises DeskError with what is wrong. Not on the event loop."""
    import httpx

    from smoldesk.agents.a2a_client.bounded import Meter, client_of
    from smoldesk.agents.a2a_client.card import fetch_card
    from smoldesk.agents.a2a_client.client import in_own_loop
    from smoldesk.agents.a2a_client.errors import AgentFailed

    async def card_of() -> str:
        async with asyncio.timeout(SECONDS), client_of(peer, SECONDS, Meter()) as client:
            card = await fetch_card(client, peer)
        first = card.supported_interfaces[0]
        how = "streams" if card.capabilities.streaming else "is polled"
        return f"{card.name[:80]!r} by {first.protocol_binding}, {how}"

    try:
        return in_own_loop(card_of)
    except TimeoutError:
        raise AgentFailed(
            f"Its agent card did not come within {SECONDS:g} s.", f"Address: {peer.card}"
        ) from None
    except (httpx.HTTPError, httpx.InvalidURL) as fault:
        raise AgentFailed(
            f"It cannot be reached ({fault or type(fault).__name__}).", f"Address: {peer.card}"
        ) from fault
