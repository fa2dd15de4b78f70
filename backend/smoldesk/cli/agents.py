"""`smoldesk agents list | add | check | prompt`: the list of agents, without a server."""

import argparse
import asyncio
import contextlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from smoldesk.agents.a2a_client.entries import Peer
from smoldesk.agents.add_entry import add_agent
from smoldesk.agents.checks import Checks, all_tools
from smoldesk.agents.entries import AgentEntry, AgentList
from smoldesk.agents.read_entries import load_agents, read_agents
from smoldesk.cli.agent_prompt import show_prompt
from smoldesk.desk import access_of, served_with
from smoldesk.desk.from_settings import external_tools, models_of
from smoldesk.errors import BadInput, DeskError
from smoldesk.settings import Settings
from smoldesk.tools.mcp_servers.entries import is_of

SECONDS = 10.0


def describe_peer(peer: Peer) -> str:
    """Return a line about a peer from its card. Raises DeskError. Blocks on the network."""
    import httpx

    from smoldesk.agents.a2a_client.bounded import Meter, client_of, fetch_card
    from smoldesk.agents.a2a_client.client import run_in_new_loop
    from smoldesk.agents.a2a_client.entries import AgentFailed

    async def card_of() -> str:
        async with asyncio.timeout(SECONDS), client_of(peer, SECONDS, Meter()) as client:
            card = await fetch_card(client, peer)
        first = card.supported_interfaces[0]
        how = "streams" if card.capabilities.streaming else "is polled"
        return f"{card.name[:80]!r} by {first.protocol_binding}, {how}"

    try:
        return run_in_new_loop(card_of)
    except TimeoutError:
        raise AgentFailed(
            f"Its agent card did not arrive within {SECONDS:g} s.", f"Address: {peer.card}"
        ) from None
    except (httpx.HTTPError, httpx.InvalidURL) as fault:
        raise AgentFailed(
            f"It cannot be reached ({fault or type(fault).__name__}).", f"Address: {peer.card}"
        ) from fault


def agents(settings: Settings, options: argparse.Namespace) -> int:
    """Do what the options ask for; the exit code. Raises DeskError for a list that cannot be read or written."""
    folder = settings.data_dir.absolute()
    match options.action:
        case "list":
            return show(served_with(settings, load_agents(folder)), settings, options.json)
        case "add":
            return add(folder, settings, options)
        case "prompt":
            agent_list = served_with(settings, load_agents(folder))
            return show_prompt(agent_list, settings, options.name, options.text, options.json)
        case _:
            return check(folder, settings)


def show(agent_list: AgentList, settings: Settings, as_json: bool) -> int:
    """Print every agent, the default with a star, and those elsewhere; or all as one JSON object."""
    entries = [_entry_data(entry, settings) for entry in agent_list.entries.values()]
    if as_json:
        peers = [
            {"name": peer.name, "card": peer.card, "description": peer.description}
            for peer in agent_list.peers.values()
        ]
        document = {"agents": entries, "default": agent_list.default, "peers": peers}
        sys.stdout.write(json.dumps(document, ensure_ascii=False) + "\n")
        return 0
    for entry in entries:
        star = "*" if entry["name"] == agent_list.default else " "
        by = entry.get("profile") or entry.get("model")
        limit = f"; tools: {', '.join(entry['tools']) or 'none'}" if "tools" in entry else ""
        limit += "; structured" if "structured" in entry else ""
        sys.stdout.write(
            f"{star} {entry['name']:<12} {entry['kind']:<9} {by}{limit}  {entry['description']}".rstrip()
            + "\n"
        )
    for peer in agent_list.peers.values():
        sys.stdout.write(f"  {peer.name:<12} {'remote':<9} {peer.card}  {peer.description}".rstrip() + "\n")
    return 0


def add(folder: Path, settings: Settings, options: argparse.Namespace) -> int:
    """Write one more entry, unless it could not work for what it says itself."""
    table: dict[str, Any] = {
        "description": options.description,
        "kind": options.kind or ("terminal" if options.profile else "code"),
        "model": options.own_model,
        "profile": options.profile,
        "structured": options.structured or None,
        "tools": None
        if options.tools is None
        else [name.strip() for name in options.tools.split(",") if name.strip()],
    }
    values = {key: value for key, value in table.items() if value is not None}
    if "tools" in values:
        new_entry = AgentEntry(options.name, values["kind"], tools=tuple(values["tools"]))
        problems = (
            Checks("builtin", folder, lambda: _tools(folder), of_servers=of_servers(folder)).problems(
                new_entry
            )
            if new_entry.kind != "terminal"
            else []
        )
        if problems:
            raise BadInput(" ".join(problems), "", code="unknown_tool")
    path = add_agent(folder, options.name, values, options.default)
    sys.stdout.write(f"Added {options.name} to {path}. A running desk reads it at its next start.\n")
    return 0


def check(folder: Path, settings: Settings) -> int:
    """Print a line for each mistake of the file and for each agent; 1 when one of them cannot work."""
    lines = findings(folder, settings, settings.model)
    for well, line in lines:
        sys.stdout.write(f"{'ok   ' if well else 'FAIL '} {line}\n")
    return 0 if all(well for well, _ in lines) else 1


def findings(folder: Path, settings: Settings, model: str) -> list[tuple[bool, str]]:
    """Return findings about the list of agents: whether each is good, and a line. `model` is the default model."""
    agent_list, mistakes = read_agents(folder)
    tool_names = [tool.name for tool in external_tools(settings)]
    all_names = [*all_tools(bool(agent_list.peers)), *tool_names]
    checks = Checks(
        model, folder, lambda: all_names, access_of(settings), agent_list.models, of_servers(folder)
    )
    results = [(False, str(mistake)) for mistake in mistakes]
    wrong = {mistake.agent for mistake in mistakes if mistake.kind == "agent"}
    for entry in agent_list.entries.values():
        problems = [] if entry.name in wrong else checks.problems(entry)
        results += [(False, f"{entry.name}: {problem}") for problem in problems]
        if not problems and entry.name not in wrong:
            results.append((True, entry.name + without_schema(entry, settings, agent_list, model)))
    for peer in agent_list.peers.values():
        try:
            results.append((True, f"{peer.name}, remote: {describe_peer(peer)}"))
        except DeskError as fault:
            results.append((False, f"{peer.name}, remote: {fault}"))
    return results


def without_schema(entry: AgentEntry, settings: Settings, agent_list: AgentList, default: str) -> str:
    """Return a warning for a structured agent whose model takes no schema, else an empty text."""
    choice = entry.model or default
    with contextlib.suppress(DeskError):  # told by the checks
        models = models_of(settings.model_copy(update={"model": default}), agent_list)
        if entry.structured and models.resolve(choice).structured is False:
            return (
                f" (its model {choice!r} does not support response schemas: it writes code between tags, "
                "as without structured = true)"
            )
    return ""


def of_servers(folder: Path) -> Callable[[str], bool]:
    """Return whether a tool of some name would be one of the file's MCP servers."""
    names = [server.name for server in read_agents(folder)[0].mcp]
    return lambda tool: is_of(tool, names)


def _tools(folder: Path) -> list[str]:
    return all_tools(bool(read_agents(folder)[0].peers))


def _entry_data(entry: AgentEntry, settings: Settings) -> dict[str, Any]:
    """Return the data of an entry without its program's environment variables."""
    data: dict[str, Any] = {"name": entry.name, "kind": entry.kind, "description": entry.description}
    if entry.kind == "terminal":
        return data | {"profile": entry.profile}
    return (
        data
        | {"model": entry.model or settings.model}
        | ({} if entry.tools is None else {"tools": [*entry.tools]})
        | ({"structured": True} if entry.structured else {})
    )
