"""Functions that write rows of what the audit log is about add an entry to it, found in their source."""

import ast
from collections.abc import Iterator
from pathlib import Path

import smoldesk
from smoldesk.conversations import project_rows
from smoldesk.store import chats, sources, tables

ROOT = Path(smoldesk.__file__).parent
# Tables whose rows people add and delete; each function that does so adds an entry.
AUDITED = {
    "SourceRow",
    "ModelRow",
    "McpServerRow",
    "BuildingRow",
    "SharedViewRow",
    "ProjectRow",
    "MemberRow",
    "MembershipRow",
    "AskRow",
    "FileRow",
    "SignedOutRow",
    "PushConfigRow",
}
# Functions that call one of those, are called by one, or write what no person asked for.
OTHERS = {
    "open_asks": "a question, which its answer ends",
    "add_rows": "rows of an imported chat, which finish_import ends",
    "take_back_file": "a file that an import could not read",
    "rename_files": "a name, which is no entry",
    "erase_chat": "the chat's own entry",
    "add_report_run": "files of a report that is replaced",
    "_change": "called by enable_server and keep_tokens",
    "_delete": "called by add_server and remove_server",
    "_join": "called by add_member and join_member",
    "rename_building": "a name, which is no entry",
}


def writers() -> Iterator[tuple[str, str, bool]]:
    """Functions that insert or delete rows: name, table, and whether they add an entry."""
    for folder in ("store", "conversations"):
        for file in (ROOT / folder).glob("*.py"):
            for function in ast.walk(ast.parse(file.read_text())):
                if not isinstance(function, ast.FunctionDef):
                    continue
                source = ast.unparse(function)
                is_audited = ".audit(" in source or "_audit(" in source or "_changes(" in source
                for call in ast.walk(function):
                    if isinstance(call, ast.Call) and ast.unparse(call.func) in ("insert", "delete"):
                        for table in tables_of(function, ast.unparse(call.args[0])):
                            yield function.name, table, is_audited


def tables_of(function: ast.FunctionDef, target: str) -> set[str]:
    """The table of a call, or those that a loop of the function gives the variable in its place."""
    loops = [node for node in ast.walk(function) if isinstance(node, ast.For | ast.comprehension)]
    sources = [ast.unparse(loop.iter) for loop in loops if target in named(loop.target)]
    return {name for source in sources for name in AUDITED if name in source} | {target}


def named(target: ast.expr) -> set[str]:
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}


def test_every_function_that_adds_or_deletes_what_is_audited_adds_an_entry() -> None:
    assert all(hasattr(tables, name) or hasattr(project_rows, name) for name in AUDITED)
    silent = {name for name, table, is_audited in writers() if table in AUDITED and not is_audited}
    assert silent <= OTHERS.keys(), silent - OTHERS.keys()


def test_the_search_sees_functions_that_write() -> None:
    names = {name for name, _, _ in writers()}
    assert ("write_branch", "FileRow") in {(name, table) for name, table, _ in writers()}
    assert {chats.erase_chat.__name__, sources.add_source.__name__} <= names
