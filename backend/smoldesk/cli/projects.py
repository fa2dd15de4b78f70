"""`smoldesk projects ...`: projects and their agents, from the command line.

Everything is asked of the same plain HTTP that the page asks: of the server that has the data directory, when one has, else of
its routes inside this process, over the database itself.
"""

import argparse
import asyncio
import json
import logging
import re
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from fastapi import APIRouter, FastAPI

from smoldesk.agents import load_agents
from smoldesk.chats import Audit
from smoldesk.conversations.errors import no_such_member, no_such_project
from smoldesk.desk import conversations_over
from smoldesk.errors import DeskError
from smoldesk.settings import Settings
from smoldesk.store.data_dir import DataDir
from smoldesk.store.store import Store
from smoldesk.wires.http_errors import install_error_handlers
from smoldesk.wires.rest.conversation_routes import add_project_routes

Json = dict[str, Any]
AN_ID = re.compile(r"[A-Za-z0-9_-]+")
SECONDS = 30.0


def projects(settings: Settings, options: argparse.Namespace) -> int:
    """Do what the options ask for; the exit code. Raises DeskError for what is refused."""
    return asyncio.run(_projects(settings, options))


async def _projects(settings: Settings, options: argparse.Namespace) -> int:
    async with _client(settings) as client:
        answer = await _ask(client, options)
    if options.json:
        sys.stdout.write(json.dumps(answer, ensure_ascii=False) + "\n")
        return 0
    for line in _lines(options, answer):
        sys.stdout.write(printable(line).rstrip() + "\n")
    return 0


async def _ask(client: httpx2.AsyncClient, options: argparse.Namespace) -> Json:
    """Return the server's answer to the options."""
    project_id, agent_id = getattr(options, "project", "p"), getattr(options, "agent_id", "a")
    if not AN_ID.fullmatch(project_id):
        raise no_such_project(project_id)
    if not AN_ID.fullmatch(agent_id):
        raise no_such_member(agent_id)
    project = f"/api/projects/{project_id}"
    agent = f"{project}/agents/{agent_id}"
    match options.action:
        case "list":
            return await _send(client, "GET", "/api/projects")
        case "show":
            return await _send(client, "GET", project)
        case "add":
            return await _send(client, "POST", "/api/projects", {"name": options.name})
        case "remove":
            return await _send(client, "DELETE", project)
        case "add-agent":
            body = {"name": options.name, "kind": options.kind, "agent": options.agent}
            return await _send(client, "POST", f"{project}/agents", body)
        case "join":
            return await _send(client, "PUT", agent)
        case _:
            return await _send(client, "DELETE", agent)


def _lines(options: argparse.Namespace, answer: Json) -> list[str]:
    """Return the answer as lines of text. A passkey has a line of its own, since it is shown only once."""
    match options.action:
        case "list":
            return [_project_line(project) for project in answer["projects"]] or ["There is no project yet."]
        case "show":
            members = [_member_line(member) for member in answer["members"]]
            return [_project_line(answer), *members]
        case "add":
            return [answer["id"]]
        case "add-agent":
            if "passkey" not in answer:
                return [
                    f"Added {answer['id']} to {options.project}: {options.agent}, which a running server starts."
                ]
            told = {"agent_id": answer["id"], "project_id": options.project, "passkey": answer["passkey"]}
            return [
                *(f"{name:<10}  {value}" for name, value in told.items()),
                "The passkey is shown only once.",
            ]
        case "join":
            return [f"Added {answer['id']} to {options.project}. Its passkey stays the same."]
        case _:
            return ["Removed."]


def _member_line(member: Json) -> str:
    agent = f"  = {member['agent']}" if "agent" in member else ""
    return f"  {member['id']}  {member['kind']:<5}  {member['name']}{agent}{'  (removed)' if 'removedAt' in member else ''}"


def _project_line(project: Json) -> str:
    counts = (
        f"agents: {project['agents']}, conversations: {project['conversations']}, live: {project['live']}"
    )
    return f"{project['id']}  {counts}  {project['name']}"


def printable(text: str) -> str:
    """Return a line without control characters: names may come from anywhere."""
    return "".join(one if one.isprintable() else f"<U+{ord(one):04X}>" for one in text)


async def _send(client: httpx2.AsyncClient, method: str, path: str, body: Json | None = None) -> Json:
    """Return the answer, `{}` for an empty one. Raises DeskError for a refusal, and if the server does not answer."""
    try:
        answer = await client.request(method, path, json=body)
    except httpx2.HTTPError as fault:
        raise DeskError(
            "The server that has this data directory does not answer.",
            f"Is it busy or stopping? ({type(fault).__name__})",
            code="server_unreachable",
        ) from None
    if answer.is_success:
        return answer.json() if answer.content else {}
    raise refused(answer)


def refused(answer: httpx2.Response) -> DeskError:
    """Return the error of a refused request."""
    try:
        refusal = answer.json()["error"]
    except (ValueError, KeyError, TypeError):
        refusal = {
            "message": f"The server refused the request ({answer.status_code}).",
            "hint": "",
            "code": "refused",
        }
    return DeskError(refusal["message"], refusal["hint"], code=refusal["code"])


@asynccontextmanager
async def _client(settings: Settings) -> AsyncGenerator[httpx2.AsyncClient]:
    """Yield a client of the server that holds the data directory, or of this process if there is none."""
    data_dir = DataDir(settings.data_dir, settings.files_dir)
    address = data_dir.claim_or_address()
    if address is not None:
        headers = {"Authorization": f"Bearer {settings.token.get_secret_value()}"} if settings.token else {}
        # the token must not reach a proxy
        async with httpx2.AsyncClient(
            base_url=address, headers=headers, timeout=SECONDS, trust_env=False
        ) as client:
            yield client
        return
    try:
        store = Store.open(data_dir, settings.database_url, settings.sqlite_synchronous, settings.files_url)
        try:
            conversations = conversations_over(store, settings, Audit(store, settings.audit_days))
            app = FastAPI()
            install_error_handlers(app)
            routes = APIRouter(prefix="/api")
            add_project_routes(routes, conversations, load_agents(settings.data_dir.absolute()))
            app.router.routes.extend(routes.routes)
            logging.getLogger("smoldesk.security").setLevel(logging.WARNING)  # a refusal is told, not logged
            transport = httpx2.ASGITransport(app)
            async with httpx2.AsyncClient(
                transport=transport, base_url="http://desk", timeout=None
            ) as client:
                yield client
            conversations.close()
        finally:
            store.close()
    finally:
        data_dir.release()
