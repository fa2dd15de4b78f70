"""Route of the agents that chats may choose."""

import asyncio

from fastapi import APIRouter

from smoldesk.agents import AgentEntry, DeskAgents
from smoldesk.wires.rest.models import AgentFacts, ListedAgents


def add_agent_routes(routes: APIRouter, agents: DeskAgents) -> None:
    """GET /agents."""

    @routes.get("/agents", response_model_exclude_none=True)
    async def index() -> ListedAgents:  # pyright: ignore[reportUnusedFunction]
        """Each is looked at anew: a program that was installed meanwhile is there."""
        listed = agents.listed
        facts = await asyncio.to_thread(lambda: [_facts(agents, entry) for entry in listed.entries.values()])
        return ListedAgents(agents=facts, default=listed.default)


def _facts(agents: DeskAgents, entry: AgentEntry) -> AgentFacts:
    problems = agents.checks.problems(entry)
    info = agents.info(entry.name)
    return AgentFacts(
        name=entry.name,
        description=entry.description,
        kind=entry.kind,
        model=info.model or None,
        profile=entry.profile,
        tools=info.tools,
        available=not problems,
        problem=" ".join(problems) or None,
    )
