"""The `smoldesk` command: reads the settings, picks a subcommand, turns faults into exit codes."""

import argparse
import functools
import gc
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError
from pydantic_settings import SettingsError

from smoldesk import __version__
from smoldesk.cli.backups import add_backup_commands, backups
from smoldesk.cli.nodes import add_node_commands
from smoldesk.cli.umasks import private_files
from smoldesk.errors import DeskError
from smoldesk.logs import Actor, current_actor, set_up_logging
from smoldesk.settings import Settings

if TYPE_CHECKING:
    from smoldesk.agents import AgentList

# Commands whose process serves: what they do without a request, the desk does.
SERVERS = ("serve", "open", "replay")
# The formats of smoldesk.export.exports, which is imported only when used.
FORMATS = ("jsonl", "notebook", "markdown", "html")


def main(arguments: list[str] | None = None) -> int:
    """Entry point; exit code 0 for success, 1 for a failed run or check, 2 for wrong usage or settings, 130 for Ctrl-C."""
    options = parser().parse_args(arguments)
    try:
        settings = read_settings(options)
        set_up_logging(_log_level(options, settings), settings.log_format, settings.secrets())
        with private_files():
            return dispatch(options, settings)
    except DeskError as fault:
        sys.stderr.write(f"smoldesk: {fault}\n")
        return 2
    except KeyboardInterrupt:
        return 130  # as a shell expects of a program ended by Ctrl+C


def _log_level(options: argparse.Namespace, settings: Settings) -> str:
    # an exam prints a line for each question; a log line of each run would stand between them
    is_set = "log_level" in settings.model_fields_set
    return settings.log_level if is_set or options.command not in ("exam", "test") else "WARNING"


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line with every command."""
    top = argparse.ArgumentParser(prog="smoldesk", description="A chat app for data-analysis agents.")
    top.add_argument("--version", action="version", version=f"smoldesk {__version__}")
    commands = top.add_subparsers(
        dest="command",
        required=True,
        title="commands",
        metavar="COMMAND",
        description="`smoldesk COMMAND --help` describes one. .env.example documents the settings.",
    )
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(
        "--model",
        help="default model: builtin, or PROVIDER:NAME (see .env.example)",
    )
    shared.add_argument("--data-dir", type=Path, help="data directory: the database and the files of chats")
    shared.add_argument(
        "--agent", help="default agent: code, tools, demo, small, demo-tools or a name in agents.toml"
    )
    shared.add_argument(
        "--tools",
        dest="tool_files",
        type=Path,
        action="append",
        help="Python file with your own smolagents tools; can be repeated",
    )
    shared.add_argument(
        "--data",
        dest="data_folders",
        action="append",
        metavar="DIR",
        help="folder of table files that every chat can read, here or as s3://bucket/folder; can be repeated",
    )
    listening = argparse.ArgumentParser(add_help=False)
    listening.add_argument("--host", help="address to listen on; all except loopback require SMOLDESK_TOKEN")
    listening.add_argument("--port", type=int, help="port to listen on; 0 selects a free one")
    serving = commands.add_parser("serve", parents=[shared, listening], help="start the server")
    serving.add_argument(
        "own_agent",
        nargs="?",
        metavar="AGENT",
        help="agent of your own: my_agent.py, my_agent.py:NAME or a folder written by smolagents' agent.save()",
    )
    opening = commands.add_parser(
        "open",
        parents=[shared, listening],
        help="open a new chat about files; starts the server if none is running",
    )
    opening.add_argument("files", type=Path, nargs="+", metavar="FILE")
    opening.add_argument(
        "--no-browser", action="store_true", help="print the chat's address without opening a browser"
    )
    run = commands.add_parser("run", parents=[shared], help="answer one question in the terminal")
    run.add_argument("question")
    run.add_argument(
        "--file",
        type=Path,
        action="append",
        default=[],
        help="file to attach to the question; can be repeated",
    )
    run.add_argument("--json", action="store_true", help="print each message as one line of JSON")
    add_exam(commands)
    add_test(commands)
    add_log_commands(commands, listening)
    add_building_actions(commands)
    agents = commands.add_parser("agents", help="list, add and check agents")
    add_agent_actions(agents)
    projects = commands.add_parser(
        "projects", help="manage projects: groups of agents that talk to each other"
    )
    add_project_actions(projects)
    keys = commands.add_parser("keys", help="add a key that seals passwords, and seal them with it")
    key_actions = keys.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, text in (
        ("add", "put a new key before those of the key file, or make the file"),
        ("reseal", "seal everything in the database with the first key of the file"),
    ):
        key_actions.add_parser(name, help=text).add_argument(
            "--data-dir", type=Path, help="data directory, with the key file if SMOLDESK_KEY_FILE is not set"
        )
    add_backup_commands(commands)
    add_node_commands(commands)
    audit = commands.add_parser("audit", help="show who allowed, added, deleted and exported what")
    audit.add_argument("--since", metavar="TIME", help="only from a time on: 2026-01-31, 90m, 12h or 7d")
    audit.add_argument("--chat", help="only of this chat")
    audit.add_argument("--json", action="store_true", help="print each entry as one line of JSON")
    audit.add_argument("--data-dir", type=Path, help="data directory of the desk")
    doctor = commands.add_parser(
        "doctor", parents=[shared], help="check the installation and explain what fails"
    )
    doctor.add_argument(
        "--deep", action="store_true", help="check all stored data instead, also beside a running desk"
    )
    doctor.add_argument(
        "--backup", type=Path, metavar="FOLDER", help="with --deep: compare stored files with a backup"
    )
    doctor.add_argument("--json", action="store_true", help="print the results as JSON")
    return top


def add_exam(commands: Any) -> None:
    """`smoldesk exam`."""
    exam = commands.add_parser("exam", help="ask a model questions with checked answers")
    exam.add_argument(
        "examined", metavar="MODEL", help="builtin, PROVIDER:NAME, SERVER/NAME, or a name of agents.toml"
    )
    exam.add_argument("--agent", help="agent that uses the model; default: the default agent")
    exam.add_argument(
        "--data-dir", type=Path, help="data directory that keeps the chats; default: a temporary one"
    )
    exam.add_argument(
        "--questions", type=Path, metavar="FILE.jsonl", help="your own questions; default: the bundled 30"
    )
    exam.add_argument(
        "--results", type=Path, metavar="FILE.jsonl", help="results, one line each; default: exam-MODEL.jsonl"
    )
    exam.add_argument(
        "--resume", action="store_true", help="continue with the questions that have no result yet"
    )
    add_exam_limits(exam)


def add_test(commands: Any) -> None:
    """`smoldesk test`."""
    test = commands.add_parser("test", help="play saved answers again and compare them")
    test.add_argument("suite", type=Path, metavar="SUITE", help="folder, zip file or file of questions")
    test.add_argument(
        "--live", action="store_true", help="ask the recorded models instead of playing replies"
    )
    test.add_argument("--model", dest="asked_model", metavar="MODEL", help="ask this model")
    test.add_argument("--agent", dest="asked_agent", metavar="AGENT", help="ask this agent")
    test.add_argument(
        "--only", action="append", default=[], metavar="ID", help="run this test alone; can be repeated"
    )
    test.add_argument(
        "--file",
        action="append",
        default=[],
        metavar="[NAME=]PATH",
        help="file in place of the one of this name in the tests; can be repeated",
    )
    test.add_argument("--strict", action="store_true", help="count a changed input as a difference")
    test.add_argument("--junit", type=Path, metavar="FILE", help="write the results as JUnit XML")
    test.add_argument(
        "--data-dir", type=Path, help="data directory with agents.toml; nothing is stored there"
    )
    test.add_argument("--tools", dest="tool_files", type=Path, action="append", help="Python file with tools")
    test.add_argument(
        "--data", dest="data_folders", action="append", metavar="DIR", help="folder of table files"
    )
    add_exam_limits(test)


def add_exam_limits(exam: argparse.ArgumentParser) -> None:
    """Options of commands that ask a model within limits."""
    exam.add_argument("--json", type=Path, metavar="FILE", help="write totals and results as JSON")
    exam.add_argument(
        "--budget-usd", type=budget, default=1.0, metavar="USD", help="most US dollars; default: 1"
    )
    exam.add_argument(
        "--max-calls", type=call_count, default=100, metavar="N", help="most calls of the model; default: 100"
    )
    exam.add_argument(
        "--time-limit", type=seconds, default=300.0, metavar="S", help="seconds for a question; default: 300"
    )
    exam.add_argument("--yes", action="store_true", help="accept a model with an unknown price")


def budget(text: str) -> float:
    """Parse an amount of money, at least 0. Raises ValueError."""
    return _at_least(float(text), 0)


def seconds(text: str) -> float:
    """Parse a duration of at least a second. Raises ValueError."""
    return _at_least(float(text), 1)


def call_count(text: str) -> int:
    """Parse a number of calls, at least 0. Raises ValueError."""
    return int(_at_least(int(text), 0))


def _at_least(value: float, least: float) -> float:
    if not least <= value < float("inf"):
        raise ValueError(f"expected a number from {least:g} on")
    return value


def add_log_commands(commands: Any, listening: argparse.ArgumentParser) -> None:
    """`smoldesk export | report | import | replay`."""
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--data-dir", type=Path, help="data directory: the database and the files of chats")
    export = commands.add_parser("export", parents=[shared], help="write a chat to a file")
    export.add_argument("chat", help="id of the chat: the part after #chat= in the page's address")
    export.add_argument(
        "--format",
        choices=FORMATS,
        default="jsonl",
        help="format of the file; default: jsonl, a log that import and replay read",
    )
    export.add_argument(
        "--output", "-o", type=Path, help="file to write; default: the chat's title, in the current folder"
    )
    export.add_argument(
        "--verify",
        action="store_true",
        help="notebooks only: run each cell again and note whether its result was reproduced",
    )
    report = commands.add_parser("report", parents=[shared], help="write a chat's report to a file")
    report.add_argument("chat", help="id of the chat: the part after #chat= in the page's address")
    report.add_argument(
        "--format", choices=FORMATS[1:], default="html", help="format of the file; default: html"
    )
    report.add_argument(
        "--output", "-o", type=Path, help="file to write; default: the chat's title, in the current folder"
    )
    report.add_argument(
        "--with",
        dest="others",
        action="append",
        default=[],
        metavar="OLD=NEW",
        help="run the report's cells again with the file NEW in place of OLD; can be repeated",
    )
    report.add_argument("--confirm", action="store_true", help="accept files with other columns")
    log = argparse.ArgumentParser(add_help=False)
    log.add_argument("log", type=Path, metavar="LOG.jsonl")
    log.add_argument(
        "--partial",
        action="store_true",
        help="accept an incomplete log and read it up to its last complete event",
    )
    commands.add_parser("import", parents=[shared, log], help="create a chat from a log and print its id")
    replay = commands.add_parser(
        "replay", parents=[log, listening], help="play a log in the page, on a temporary read-only server"
    )
    replay.add_argument(
        "--no-browser", action="store_true", help="print the address without opening a browser"
    )
    replay.add_argument(
        "--json", action="store_true", help="print each message as one line of JSON, without a server"
    )


def add_building_actions(commands: Any) -> None:
    """`smoldesk building export | import`."""
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--data-dir", type=Path, help="data directory of the desk that runs")
    building = commands.add_parser("building", help="write a building to a file, or import one")
    actions = building.add_subparsers(dest="action", required=True, metavar="ACTION")
    export = actions.add_parser("export", parents=[shared], help="write a building to a file")
    export.add_argument("format", choices=("imdf", "geojson", "smoldesk"))
    export.add_argument("building", nargs="?", default="bundled", help="its id; default: the built-in one")
    export.add_argument("--output", "-o", type=Path, help="file to write; default: the id")
    take = actions.add_parser("import", parents=[shared], help="import the building in a file, print its id")
    take.add_argument("file", type=Path)
    take.add_argument("--choice", metavar="ID", help="which building of a file that has several")


def add_agent_actions(agents: argparse.ArgumentParser) -> None:
    """`smoldesk agents list | add | check | prompt`."""
    actions = agents.add_subparsers(dest="action", required=True, title="actions", metavar="ACTION")
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--data-dir", type=Path, help="data directory, which contains agents.toml")
    listing = actions.add_parser("list", parents=[shared], help="list all agents")
    listing.add_argument("--json", action="store_true", help="print one JSON object")
    actions.add_parser("check", parents=[shared], help="check each agent and explain what fails")
    prompt = actions.add_parser(
        "prompt", parents=[shared], help="show the tokens of an agent's prompt by part"
    )
    prompt.add_argument("name", help="name of the agent")
    prompt.add_argument("--text", action="store_true", help="print the prompt itself")
    prompt.add_argument("--json", action="store_true", help="print one JSON object")
    add = actions.add_parser("add", parents=[shared], help="add an agent to agents.toml")
    add.add_argument("name", help="name: 1 to 40 characters of a-z, 0-9, _ and -")
    add.add_argument(
        "--kind",
        choices=["code", "tools", "terminal"],
        help="kind of the agent; default: terminal with --profile, else code",
    )
    add.add_argument(
        "--profile",
        help="terminal agents only: name of a bundled profile, or a .yaml file in the data directory",
    )
    add.add_argument("--model", dest="own_model", help="model of the agent; default: the default model")
    add.add_argument("--tools", help="tools of the agent, separated by commas; default: all")
    add.add_argument(
        "--structured", action="store_true", help="code agents only: the model answers by a JSON schema"
    )
    add.add_argument("--description", help="one sentence about the agent")
    add.add_argument("--default", action="store_true", help="make it the default agent")


def add_project_actions(projects: argparse.ArgumentParser) -> None:
    """`smoldesk projects list | show | add | remove | add-agent | join | remove-agent`."""
    actions = projects.add_subparsers(dest="action", required=True, title="actions", metavar="ACTION")
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--data-dir", type=Path, help="data directory: the database and the files of chats")
    shared.add_argument("--json", action="store_true", help="print one JSON object")
    one = argparse.ArgumentParser(add_help=False, parents=[shared])
    one.add_argument("project", help="id of the project, as list prints it")
    actions.add_parser("list", parents=[shared], help="list all projects")
    actions.add_parser("show", parents=[one], help="show a project with its agents")
    actions.add_parser("add", parents=[shared], help="create a project and print its id").add_argument("name")
    actions.add_parser("remove", parents=[one], help="remove a project; its active conversations end")
    add = actions.add_parser(
        "add-agent", parents=[one], help="add an agent and print its passkey, which is shown only once"
    )
    add.add_argument("name", nargs="?", help="name of the agent in the project")
    add.add_argument("--agent", help="add an agent of agents.toml, which the server runs at its turns")
    add.add_argument("--kind", choices=["ai", "human"], default="ai", help="kind of the member; default: ai")
    for name, words in (
        ("join", "add an agent of another project, with the passkey that it has"),
        ("remove-agent", "remove an agent from the project"),
    ):
        actions.add_parser(name, parents=[one], help=words).add_argument("agent_id")


def read_settings(options: argparse.Namespace) -> Settings:
    """Read the settings from the environment and .env, overridden by options. Raises DeskError.

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
        wrong = "; ".join(f"SMOLDESK_{name.upper()}: expected JSON" for name in names)
    except UnicodeDecodeError:
        wrong = ".env is not UTF-8 text"
    raise DeskError(f"The settings are invalid: {wrong}.", "See .env.example.", code="bad_settings")


def dispatch(options: argparse.Namespace, settings: Settings) -> int:
    """Run the chosen subcommand; each is imported only when chosen."""
    if options.command not in SERVERS:
        current_actor.set(Actor(f"command line, uid {os.getuid()}"))
    match options.command:
        case "serve" if options.own_agent is not None:
            from smoldesk.cli.own_agent import serve_own_agent

            return serve_own_agent(settings, options.own_agent, serve)
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
        case "exam":
            from smoldesk.cli.exam import exam

            return exam(settings, options)
        case "test":
            from smoldesk.cli.suites import test

            return test(settings, options)
        case "export" | "import":
            from smoldesk.cli import logs

            return (
                logs.export(settings, options)
                if options.command == "export"
                else logs.take(settings, options)
            )
        case "building":
            from smoldesk.cli.buildings import buildings

            return buildings(settings, options)
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
        case "audit":
            from smoldesk.cli.audit import audit

            return audit(settings, options)
        case "node":
            from smoldesk.cli.nodes import nodes

            return nodes(settings, options)
        case "keys":
            from smoldesk.cli.key_files import keys

            return keys(settings, options)
        case "backup" | "verify" | "restore":
            return backups(settings, options)
        case _:
            from smoldesk.cli.doctor import deep_doctor, doctor

            if options.deep or options.backup is not None:
                return deep_doctor(settings, options.json, options.backup)
            return doctor(settings, options.json)


def serve(
    settings: Settings,
    when_open: Callable[[str], bool] | None = None,
    agent_list: "AgentList | None" = None,
) -> int:
    """Serve as `smoldesk.cli.server.serve` does."""
    gc.disable()  # until the server runs: what a start makes stays, and looking through it takes a tenth of it
    # Models of pydantic are built when first used, FastAPI's and our own: the server's warm-up does the latter.
    BaseModel.model_config["defer_build"] = True
    from smoldesk.cli import server

    return server.serve(settings, when_open, agent_list)


if __name__ == "__main__":
    sys.exit(main())
