"""Code that answers a question about the building by one tool call, in the language of the request.

The tools answer in English and Japanese; their last line is a command that draws, which is no part of the answer.
"""

from collections.abc import Sequence

from smoldesk.analyst.building.changes import CHANGES, REOPEN
from smoldesk.analyst.building.intents import BuildingQuestion, ToolCall
from smoldesk.analyst.cell import Cell, call_code, literal
from smoldesk.analyst.language import Language, localize, quote, render

_COMMAND = "_COMMAND"
# Tools whose lines are facts of their own: as Markdown they would run into one paragraph.
_PARAGRAPHS = ("evacuation", "reachable_from", "compare_scenarios")


def in_language(question: ToolCall, language: Language) -> ToolCall:
    """Return the call of the tool, with the language of its answer if it is not English."""
    spoken = (("language", language),) if language != "en" else ()
    return ToolCall(question.tool, (*question.arguments, *spoken))


def write_building_question(question: BuildingQuestion, language: Language) -> Cell:
    """Return the cell that makes the changes, calls the tool, once for each way that is compared, and answers."""
    cell, is_checked = Cell(), False
    changes = [call for call in question.first if call.tool in CHANGES]
    calls = [*(call for call in question.first if call.tool not in CHANGES), question]
    for call in changes:
        code = call_code(in_language(call, language)).splitlines()
        if call.tool == REOPEN:  # what is open already is no reason to stop
            cell.add(*code)
            continue
        _add_found(cell, code, is_checked)
        is_checked = True
    code = [
        line for call in calls for line in _listed(call_code(in_language(call, language)), len(calls) > 1)
    ]
    _add_found(cell, code if len(calls) == 1 else [r'"\n".join([', *code, "])"], is_checked)
    cell.add(f'lines = [line for line in found.splitlines() if "{_COMMAND}" not in line]')
    if question.tool == "evacuation":  # it says which name the table got
        start, end = ("表：", "（") if language == "ja" else ("Table: ", " (")
        cell.add(
            f'tables = [line for line in lines if line.startswith("{start}")]',
            "for line in tables:",
            f'    display(pd.read_csv(line.removeprefix("{start}").partition("{end}")[0]))',
        )
    between = r"\n\n" if question.tool in _PARAGRAPHS or len(calls) > 1 else r"\n"
    note = left_out_note(question, language)
    added = f" + {literal(note)}" if note else ""
    cell.answer(f'"{between}".join(lines).removeprefix("Error: "){added}')
    return cell


def left_out_note(question: BuildingQuestion, language: Language) -> str:
    """Return the paragraph that names the words that an answer leaves out; empty for none."""
    quoted = localize(language, " and ", "、").join(quote(language, question.unread))
    return f"\n\n{render('not_used', language, words=quoted)}" if quoted else ""


def _add_found(cell: Cell, code: Sequence[str], is_checked: bool) -> None:
    """Add the assignment of a result, unless the call before failed."""
    if is_checked:
        cell.add('if not found.startswith("Error"):')
    margin = "    " if is_checked else ""
    cell.add(f"{margin}found = {code[0]}", *(margin + line for line in code[1:]))


def _listed(code: str, is_item: bool) -> list[str]:
    """Return the lines of a call, as an item of a list if it is one."""
    return [f"    {line}" for line in f"{code},".splitlines()] if is_item else code.splitlines()


def answer_of(tool_output: str) -> str:
    """Return the answer from the output of the tool that an agent called."""
    lines = [line for line in tool_output.strip().splitlines() if _COMMAND not in line]
    return "\n".join(lines).strip().removeprefix("Error: ")
