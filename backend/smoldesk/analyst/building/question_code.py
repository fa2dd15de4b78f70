"""Code that answers a question about the building by one tool call, in the language of the request.

The tools answer in English and Japanese; their last line is a command that draws, which is no part of the answer.
"""

from collections.abc import Sequence

from smoldesk.analyst.building.intents import BuildingQuestion, ToolCall
from smoldesk.analyst.cell import Cell, call_code
from smoldesk.analyst.language import Language

_COMMAND = "_COMMAND"
# Tools whose lines are facts of their own: as Markdown they would run into one paragraph.
_PARAGRAPHS = ("evacuation", "reachable_from", "compare_scenarios")


def in_language(question: ToolCall, language: Language) -> ToolCall:
    """Return the call of the tool, with the language of its answer if it is not English."""
    spoken = (("language", language),) if language != "en" else ()
    return ToolCall(question.tool, (*question.arguments, *spoken))


def write_building_question(question: BuildingQuestion, language: Language) -> Cell:
    """Return the cell that calls the tool and answers."""
    cell, is_checked = Cell(), False
    if compared := [call for call in (*question.first, question) if call.tool == question.tool][:-1]:
        return _write_compared([*compared, question], language)
    for call in (*question.first, question):
        code = call_code(in_language(call, language)).splitlines()
        if (
            call.tool == "reopen_passage" and call is not question
        ):  # what is open already is no reason to stop
            cell.add(*code)
            continue
        if is_checked:
            cell.add('if not found.startswith("Error"):')
        margin = "    " if is_checked else ""
        cell.add(f"{margin}found = {code[0]}", *(margin + line for line in code[1:]))
        is_checked = True
    cell.add(f'lines = [line for line in found.splitlines() if "{_COMMAND}" not in line]')
    if question.tool == "evacuation":  # it says which name the table got
        start, end = ("表：", "（") if language == "ja" else ("Table: ", " (")
        cell.add(
            f'tables = [line for line in lines if line.startswith("{start}")]',
            "for line in tables:",
            f'    display(pd.read_csv(line.removeprefix("{start}").partition("{end}")[0]))',
        )
    between = r"\n\n" if question.tool in _PARAGRAPHS else r"\n"
    cell.answer(f'"{between}".join(lines).removeprefix("Error: ")')
    return cell


def _write_compared(calls: Sequence[ToolCall], language: Language) -> Cell:
    """Return the cell that makes several calls and answers with all of their results, one paragraph each."""
    cell = Cell()
    cell.add("found = [")
    for call in calls:
        cell.add(*(f"    {line}" for line in call_code(in_language(call, language)).splitlines()))
        cell.lines[-1] += ","
    cell.add("]")
    cell.add(f'lines = [line for text in found for line in text.splitlines() if "{_COMMAND}" not in line]')
    cell.answer(r'"\n\n".join(lines).removeprefix("Error: ")')
    return cell


def answer_of(tool_output: str) -> str:
    """Return the answer from the output of the tool that an agent called."""
    lines = [line for line in tool_output.strip().splitlines() if _COMMAND not in line]
    return "\n".join(lines).strip().removeprefix("Error: ")
