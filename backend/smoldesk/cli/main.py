"""The `smoldesk` command: reads the settings, picks a subcommand, turns faults into exit codes."""

import argparse
import functools
import gc
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_settings import SettingsError

from smoldesk import __version__
from smoldesk.cli.umasks import private_files
from smoldesk.errors import DeskError
from smoldesk.logs import set_up_logging
from smoldesk.settings import Settings

# Those of smoldesk.export.exports, which is imported when it is used.
FORMATS = ("jsonl", "notebook", "markdown", "html")


def main(arguments: list[str] | None = None) -> int:
    """Entry point; exit code 0 for success, 1 for a failed run or check, 2 for wrong usage or settings, 130 for Ctrl-C."""
    options = parser().parse_args(arguments)
    try:
        settings = read_settings(options)
        set_up_logging(settings.log_level, settings.log_format, settings.secrets())
        with private_files():
            return dispatch(options, settings)
    except DeskError as fault:
        sys.stderr.write(f"smoldesk: {fault}\n")
        return 2
    except KeyboardInterrupt:
        return 130  # as a shell expects of a program ended by Ctrl+C


def parser() -> argparse.ArgumentParser:
    """The parser of the command line, with every command."""
    top = argparse.ArgumentParser(prog="smoldesk", description="A desk for data-analysis agents.")
    top.add_argument("--version", action="version", version=f"smoldesk {__version__}")
    commands = top.add_subparsers(
        dest="command",
        required=True,
        metavar="serve | open | run | export | report | import | replay | doctor | agents | projects",
    )
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(
        "--model",
        help="who answers: builtin, or PROVIDER:NAME (see .env.example)",
    )
    shared.add_argument("--data-dir", type=Path, help="where chats and files are kept")
    shared.add_argument(
        "--agent", help="the agent of chats that choose none: code, tools, demo or one of agents.toml"
    )
    shared.add_argument(
        "--tools",
        dest="tool_files",
        type=Path,
        action="append",
        help="a Python file with tools of your own, as smolagents has them; may be repeated",
    )
    shared.add_argument(
        "--data",
        dest="data_folders",
        type=Path,
        action="append",
        metavar="DIR",
        help="a folder whose table files every chat can read; may be repeated",
    )
    listening = argparse.ArgumentParser(add_help=False)
    listening.add_argument("--host", help="address to listen on (another than loopback needs SMOLDESK_TOKEN)")
    listening.add_argument("--port", type=int, help="port to listen on")
    commands.add_parser("serve", parents=[shared, listening], help="serve the page")
    opening = commands.add_parser(
        "open",
        parents=[shared, listening],
        help="a new chat about files, in a desk that is started if need be",
    )
    opening.add_argument("files", type=Path, nargs="+", metavar="FILE")
    opening.add_argument(
        "--no-browser", action="store_true", help="print the chat's address, and that is all"
    )
    run = commands.add_parser("run", parents=[shared], help="answer one question here")
    run.add_argument("question")
    run.add_argument(
        "--file", type=Path, action="append", default=[], help="a file to give along; may be repeated"
    )
    run.add_argument("--json", action="store_true", help="print each message as a line of JSON")
    add_log_commands(commands, listening)
    agents = commands.add_parser("agents", help="the list of agents: show it, add to it, try each")
    add_agent_actions(agents)
    projects = commands.add_parser(
        "projects", help="agents that talk to each other: their projects and passkeys"
    )
    add_project_actions(projects)
    doctor = commands.add_parser("doctor", parents=[shared], help="try each part and say what is wrong")
    doctor.add_argument("--json", action="store_true", help="print the findings as JSON")
    return top


def add_log_commands(commands: Any, listening: argparse.ArgumentParser) -> None:
    """`smoldesk export | report | import | replay`."""
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--data-dir", type=Path, help="where chats and files are kept")
    export = commands.add_parser("export", parents=[shared], help="write a chat into a file")
    export.add_argument("chat", help="its id, as the page's address has it")
    export.add_argument(
        "--format", choices=FORMATS, default="jsonl", help="default: jsonl, to be imported again"
    )
    export.add_argument(
        "--output", "-o", type=Path, help="default: named by the chat's title, in this folder"
    )
    export.add_argument(
        "--verify", action="store_true", help="of a notebook: run its cells, and say in each what came of it"
    )
    report = commands.add_parser("report", parents=[shared], help="write the report of a chat into a file")
    report.add_argument("chat", help="its id, as the page's address has it")
    report.add_argument("--format", choices=FORMATS[1:], default="html", help="default: html")
    report.add_argument(
        "--output", "-o", type=Path, help="default: named by the chat's title, in this folder"
    )
    report.add_argument(
        "--with",
        dest="others",
        action="append",
        default=[],
        metavar="OLD=NEW",
        help="run its cells again with this file in the place of that one; may be repeated",
    )
    report.add_argument("--confirm", action="store_true", help="also with files of another shape")
    log = argparse.ArgumentParser(add_help=False)
    log.add_argument("log", type=Path, metavar="LOG.jsonl")
    log.add_argument("--partial", action="store_true", help="take a log that is cut as far as it goes")
    commands.add_parser("import", parents=[shared, log], help="make a chat of a log; prints its id")
    replay = commands.add_parser(
        "replay", parents=[log, listening], help="play a log in the page, with nothing else of a desk"
    )
    replay.add_argument("--no-browser", action="store_true", help="print the address, and that is all")
    replay.add_argument("--json", action="store_true", help="print each message as a line of JSON instead")


def add_agent_actions(agents: argparse.ArgumentParser) -> None:
    """`smoldesk agents list | add | check`."""
    actions = agents.add_subparsers(dest="action", required=True, metavar="list | add | check")
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--data-dir", type=Path, help="where agents.toml is")
    listing = actions.add_parser("list", parents=[shared], help="tell every agent")
    listing.add_argument("--json", action="store_true", help="as one JSON object")
    actions.add_parser("check", parents=[shared], help="try each and say what is wrong")
    add = actions.add_parser("add", parents=[shared], help="write one more into agents.toml")
    add.add_argument("name", help="1 to 40 of a-z, 0-9, _ and -")
    add.add_argument(
        "--kind", choices=["code", "tools", "terminal"], help="default: terminal with --profile, else code"
    )
    add.add_argument(
        "--profile", help="of a program: the name of a shipped one, or a .yaml below the data directory"
    )
    add.add_argument("--model", dest="own_model", help="default: the desk's own")
    add.add_argument("--tools", help="names with commas between; default: all")
    add.add_argument("--structured", action="store_true", help="of kind code: its model answers by a schema")
    add.add_argument("--description", help="a sentence about it")
    add.add_argument("--default", action="store_true", help="answer in chats that choose none")


def add_project_actions(projects: argparse.ArgumentParser) -> None:
    """`smoldesk projects list | show | add | remove | add-agent | join | remove-agent`."""
    names = "list | show | add | remove | add-agent | join | remove-agent"
    actions = projects.add_subparsers(dest="action", required=True, metavar=names)
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--data-dir", type=Path, help="where chats and files are kept")
    shared.add_argument("--json", action="store_true", help="as one JSON object")
    one = argparse.ArgumentParser(add_help=False, parents=[shared])
    one.add_argument("project", help="its id, as list tells it")
    actions.add_parser("list", parents=[shared], help="tell every project")
    actions.add_parser("show", parents=[one], help="tell one, with its agents")
    actions.add_parser("add", parents=[shared], help="make one; prints its id").add_argument("name")
    actions.add_parser("remove", parents=[one], help="close one: what is live in it ends")
    add = actions.add_parser(
        "add-agent", parents=[one], help="let an agent in; prints its passkey, this once"
    )
    add.add_argument("name", nargs="?", help="how it is called there")
    add.add_argument("--agent", help="an agent of this desk, by its name in agents.toml: the desk wakes it")
    add.add_argument("--kind", choices=["ai", "human"], default="ai", help="default: ai")
    for name, words in (
        ("join", "let an agent of another project in, too"),
        ("remove-agent", "take one out"),
    ):
        actions.add_parser(name, parents=[one], help=words).add_argument("agent_id")


def read_settings(options: argparse.Namespace) -> Settings:
    """Settings from the environment and .env, overridden by options; raises DeskError naming what is wrong.

    The message never repeats a value: it may be a secret in the wrong place.
    """
    names = ("model", "data_dir", "agent", "host", "port", "tool_files", "data_folders")
    given: dict[str, Any] = {
        name: value for name in names if (value := getattr(options, name, None)) is not None
    }
    try:
        return Settings(**given)
    except ValidationError as fault:
        wrong = "; ".join(
            f"SMOLDESK_{str(e['loc'][0]).upper()}: {e['msg']}" for e in fault.errors(include_input=False)
        )
    except SettingsError as fault:  # a list that is not written as JSON
        names = (name for name in Settings.model_fields if f'"{name}"' in str(fault))
        wrong = "; ".join(f"SMOLDESK_{name.upper()}: not readable as JSON" for name in names)
    except UnicodeDecodeError:
        wrong = ".env is not text in UTF-8"
    raise DeskError(f"The settings are not valid: {wrong}.", "See .env.example.", code="bad_settings")


def dispatch(options: argparse.Namespace, settings: Settings) -> int:
    """Run the chosen subcommand; each is imported only when chosen."""
    match options.command:
        case "serve":
            return serve(settings)
        case "open":
            from smoldesk.cli.open_files import open_files

            begin = functools.partial(serve, settings)
            return open_files(settings, options.files, not options.no_browser, begin)
        case "run":
            from smoldesk.cli.run import run

            return run(
                settings, options.question, options.file, options.json, keep=options.data_dir is not None
            )
        case "export" | "import":
            from smoldesk.cli import logs

            return (
                logs.export(settings, options)
                if options.command == "export"
                else logs.take(settings, options)
            )
        case "report":
            from smoldesk.cli.reports import report

            return report(settings, options)
        case "replay":
            from smoldesk.cli.replay import replay

            place = (options.host or "127.0.0.1", options.port or 0)
            return replay(settings, options.log, options.partial, options.json, not options.no_browser, place)
        case "agents":
            from smoldesk.cli import agents

            return agents.agents(settings, options)
        case "projects":
            from smoldesk.cli import projects

            return projects.projects(settings, options)
        case _:
            from smoldesk.cli.doctor import doctor

            return doctor(settings, options.json)


def serve(settings: Settings, when_open: Callable[[str], bool] | None = None) -> int:
    """Serve as `smoldesk.cli.server.serve` does."""
    gc.disable()  # until the server runs: what a start makes stays, and looking through it takes a tenth of it
    # Models of pydantic are built when first used, FastAPI's and our own: the server's warm-up does the latter.
    BaseModel.model_config["defer_build"] = True
    from smoldesk.cli import server

    return server.serve(settings, when_open)


if __name__ == "__main__":
    sys.exit(main())
