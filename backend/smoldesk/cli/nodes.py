"""`smoldesk node ...`: machines that run code for a desk, and the agent on such a machine."""

import argparse
import functools
import sys
import time
from pathlib import Path
from typing import Any, NoReturn

from smoldesk.errors import BadInput
from smoldesk.settings import Settings

DEFAULT_PORT = 8012
FOLDER = "node"
# An agent that Ray starts later on another machine needs the command again, which gives it a new token.
RAY_HOURS = 1.0


def add_node_commands(commands: Any) -> None:
    """`smoldesk node token | join | ray | list | revoke`."""
    node = commands.add_parser("node", help="run code on other machines: let them join, list and revoke them")
    actions = node.add_subparsers(dest="action", required=True, title="actions", metavar="ACTION")
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--data-dir", type=Path, help="data directory of the desk")
    token = actions.add_parser("token", parents=[shared], help="print a token that lets a machine join")
    token.add_argument(
        "--uses", type=int, default=1, metavar="N", help="how many machines may use it; default: 1"
    )
    token.add_argument(
        "--hours", type=float, default=24, metavar="H", help="how long it is valid; default: 24"
    )
    join = actions.add_parser("join", help="on the other machine: join a desk, then run its code")
    join.add_argument(
        "desk", metavar="HOST[:PORT]", help=f"address of the desk; default port: {DEFAULT_PORT}"
    )
    join.add_argument(
        "join_token",
        nargs="?",
        metavar="TOKEN",
        help="token; default: SMOLDESK_NODE_TOKEN. Not needed once the machine has joined",
    )
    join.add_argument("--name", help="name of the node; default: that of the machine")
    join.add_argument("--data-dir", type=Path, help="data directory of the node: its certificate and files")
    join.add_argument(
        "--data",
        dest="data_folders",
        action="append",
        metavar="DIR",
        help="folder of table files that every chat can read; give the node the same as the desk",
    )
    ray = actions.add_parser("ray", parents=[shared], help="start agents of nodes in a Ray cluster")
    ray.add_argument(
        "desk", metavar="HOST[:PORT]", help="address of the desk, as the machines of the cluster reach it"
    )
    ray.add_argument("--count", type=int, default=1, metavar="N", help="how many agents; default: 1")
    ray.add_argument(
        "--cluster", default="auto", metavar="ADDRESS", help="address of the cluster; default: auto"
    )
    listing = actions.add_parser("list", parents=[shared], help="list the machines that have joined")
    listing.add_argument("--json", action="store_true", help="print one JSON object")
    revoke = actions.add_parser("revoke", parents=[shared], help="revoke a machine's certificates")
    revoke.add_argument("name", help="name of the node, as list prints it")


def nodes(settings: Settings, options: argparse.Namespace) -> int:
    """Do what the options ask for; return the exit code. Raises DeskError."""
    if options.action == "join":
        join(settings, options)
    from smoldesk.nodes.membership import Membership

    membership = Membership(settings.data_dir.absolute())
    match options.action:
        case "token":
            if options.uses < 1 or not 0 < options.hours <= 87_600:
                raise BadInput("A token is for at least one machine, and for up to ten years.")
            sys.stdout.write(f"{membership.new_token(options.uses, options.hours)}\n")
        case "ray":
            _place(settings, options, membership.new_token(options.count, RAY_HOURS))
        case "revoke":
            membership.revoke(options.name)
            sys.stdout.write(f"Revoked {options.name}.\n")
        case _:
            _list(membership.members(), options.json)
    return 0


def join(settings: Settings, options: argparse.Namespace) -> NoReturn:
    """Join the desk if this machine has not yet, then serve it until a signal ends the process. Raises DeskError."""
    from smoldesk.desk.from_settings import cell_setup
    from smoldesk.nodes.node_agent import Identity, NodeAgent, default_name, restore_signals
    from smoldesk.tables.inside.bucket_files import is_object
    from smoldesk.tables.shared_folders import SharedFolders

    folder = settings.data_dir.absolute() / FOLDER
    desk = address(options.desk)
    identity = Identity(folder)
    token = options.join_token or (settings.node_token.get_secret_value() if settings.node_token else "")
    if not identity.exists:
        if not token:
            raise BadInput(
                "This machine has not joined a desk yet.", "`smoldesk node token` at the desk prints a token."
            )
        identity.join(desk, token, options.name or default_name())
    local = [folder for folder in settings.data_folders if not is_object(folder)]
    shared = SharedFolders(local, {settings.data_dir.absolute()})
    setup = cell_setup(settings, shared.folders)
    agent = NodeAgent(desk, identity, setup, folder, settings.max_children, settings.max_cells)
    restore_signals()
    agent.serve()


def _place(settings: Settings, options: argparse.Namespace, token: str) -> None:
    from smoldesk.desk.from_settings import cell_setup
    from smoldesk.nodes.ray_placement import place
    from smoldesk.tables.inside.bucket_files import is_object

    local = [Path(folder) for folder in settings.data_folders if not is_object(folder)]
    setup = functools.partial(cell_setup, settings, local)
    limits = (settings.max_children, settings.max_cells)
    names = place(options.cluster, address(options.desk), token, options.count, setup, limits)
    sys.stdout.write(
        f"Ray runs the agents {', '.join(names)}; `smoldesk node list` shows which have joined.\n"
    )


def address(text: str) -> "Any":
    """Parse HOST, HOST:PORT or [IPv6]:PORT. Raises BadInput."""
    from smoldesk.nodes.node_agent import DeskAddress

    host, _, port = text.rpartition(":") if ":" in text.rpartition("]")[2] else (text, "", str(DEFAULT_PORT))
    if not host or not port.isascii() or not port.isdigit() or not 0 < int(port) < 65_536:
        raise BadInput(f"{text[:100]!r} is not an address of a desk.", "Expected HOST or HOST:PORT.")
    return DeskAddress(host.strip("[]"), int(port))


def _list(members: "list[Any]", as_json: bool) -> None:
    now = time.time()
    rows = [
        {
            "name": member.name,
            "serial": member.serial,
            "until": time.strftime("%Y-%m-%d", time.gmtime(member.expires)),
            "state": "revoked" if member.revoked else "valid" if member.expires > now else "expired",
        }
        for member in members
    ]
    if as_json:
        import json

        sys.stdout.write(json.dumps({"nodes": rows}) + "\n")
        return
    for row in rows:
        sys.stdout.write(f"{row['name']}\t{row['state']}\tuntil {row['until']}\t{row['serial'][:12]}\n")
    if not rows:
        sys.stdout.write("No machine has joined. `smoldesk node token` prints a token for one.\n")
