"""Projects and their agents over plain HTTP. Everybody who may open the page may do this; agents themselves come by /mcp."""

from fastapi import APIRouter, Response

from smoldesk.conversations import Conversations
from smoldesk.wires.rest.conversation_models import (
    AgentInfo,
    AgentWanted,
    NewAgent,
    ProjectDetail,
    ProjectInfo,
    ProjectList,
    ProjectWanted,
)
from smoldesk.wires.rest.encoder import project_detail, project_info
from smoldesk.wires.rest.models import refusals


def add_project_routes(routes: APIRouter, conversations: Conversations) -> None:
    """Put the routes of this module on the router of /api."""

    @routes.get("/projects")
    async def projects() -> ProjectList:
        """All that were not removed, oldest first."""
        return ProjectList(projects=[project_info(project) for project in await conversations.projects()])

    @routes.post("/projects", status_code=201, responses=refusals(409))
    async def create(body: ProjectWanted) -> ProjectInfo:
        return project_info(await conversations.create_project(body.name))

    @routes.get("/projects/{project_id}", response_model_exclude_none=True, responses=refusals(404))
    async def show(project_id: str) -> ProjectDetail:
        project = await conversations.project(project_id)
        return project_detail(project, await conversations.members(project_id))

    @routes.delete("/projects/{project_id}", status_code=204, responses=refusals(404))
    async def remove(project_id: str) -> Response:
        """What is live in it ends, nobody gets in any more; what was said is kept."""
        await conversations.remove_project(project_id)
        return Response(status_code=204)

    @routes.post("/projects/{project_id}/agents", status_code=201, responses=refusals(404, 409))
    async def add_agent(project_id: str, body: AgentWanted, response: Response) -> NewAgent:
        """The passkey is in this answer and in no other."""
        member, passkey = await conversations.add_member(project_id, body.name, body.kind)
        response.headers["Cache-Control"] = "no-store"
        return NewAgent(id=member.id, passkey=passkey)

    @routes.put(
        "/projects/{project_id}/agents/{agent_id}",
        response_model_exclude_none=True,
        responses=refusals(404, 409),
    )
    async def join(project_id: str, agent_id: str) -> AgentInfo:
        """Take an agent of another project into this one too; its passkey stays."""
        member = await conversations.join_member(project_id, agent_id)
        return AgentInfo.model_validate(member.model_dump())

    @routes.delete("/projects/{project_id}/agents/{agent_id}", status_code=204, responses=refusals(404))
    async def remove_agent(project_id: str, agent_id: str) -> Response:
        """Its conversations in the project end; its name and what it said stay."""
        await conversations.remove_member(project_id, agent_id)
        return Response(status_code=204)
