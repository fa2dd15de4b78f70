"""Code for errands, one guarded call after the other, and texts for the results of tool calls.

The calls are independent: a denied or failed one is reported and never retried, and the next one still runs. The sentences
of `words.toml` contain fields of the tool's result, so that only what a tool returned is reported as done.
"""

import ast
import json
import re
from collections.abc import Collection, Iterator, Mapping
from string import Formatter
from typing import Any, cast

from smoldesk.analyst.building.intents import ToolCall
from smoldesk.analyst.cell import Cell, call_code, inside
from smoldesk.analyst.errands.tokens import Errands
from smoldesk.analyst.language import Language, join_names, render, template
from smoldesk.analyst.money import Money
from smoldesk.analyst.refusal import Refusal

_RESULTS = {"process_payment": "paid", "get_location": "place", "change_bgm": "bgm", "get_weather": "weather",
    "ask_agent": "answer"}  # fmt: skip
# Tools that the agent demo-tools has and others do not.
_DEMO_TOOLS = frozenset(("process_payment", "get_location", "change_bgm", "get_weather"))
_ERROR = re.compile(r"Error: (?:(?P<name>[A-Za-z_]\w*): )?(?P<words>.*)", re.DOTALL)
_MAX_TEXT = 400
_LINE = 89


def without_tools(errands: Errands, tools: Collection[str]) -> Refusal | None:
    """Return a refusal that names the missing tools; None if the agent has all of them."""
    missing = dict.fromkeys(errand.tool for errand in errands.errands if errand.tool not in tools)
    reason = "no_demo_tool" if {*missing} <= _DEMO_TOOLS else "no_tool"
    return Refusal(reason, (), tuple(missing)) if missing else None


def deed(errand: ToolCall, language: Language) -> str:
    """Return the name of an errand: the payment of 30 USD to Alice, 東京の天気の確認."""
    arguments = dict(errand.arguments)
    if errand.tool == "process_payment":
        arguments["sum"] = Money(float(str(arguments["amount"])), str(arguments["currency"])).to_text()
    return render(f"deed_{_named(errand)}", language, **arguments)


def deeds(errands: Errands, language: Language) -> str:
    """Return the names of all errands, joined."""
    names = [deed(errand, language) for errand in errands.errands]
    if language == "ja" or len(names) == 1:
        return join_names(language, names)
    return ", ".join(names[:-1]) + " and " + names[-1]


def _named(errand: ToolCall) -> str:
    silence = errand.tool == "change_bgm" and not dict(errand.arguments)["track"]
    return "silence" if silence else errand.tool


# --- as code ----------------------------------------------------------------------------------------------------


def write_errands(errands: Errands, language: Language) -> Cell:
    """Return the cell that runs the errands and reports the result of each."""
    cell = Cell()
    is_single = len(errands.errands) == 1
    if not is_single:
        cell.add("told = []")
    for errand in errands.errands:
        cell.gap()
        _guarded(cell, errand, language, is_single)
    cell.answer("told" if is_single else '"\\n".join(f"- {line}" for line in told)')
    return cell


def _guarded(cell: Cell, errand: ToolCall, language: Language, alone: bool) -> None:
    result, what = _RESULTS[errand.tool], inside(deed(errand, language))

    def report_lines(*parts: str) -> list[str]:
        pieces = _literals(parts)
        if len(pieces) > 1:
            lines = [f"        {piece}" for piece in pieces]
            return ["    told = (" if alone else "    told.append(", *lines, "    )"]
        return [f"    told = {pieces[0]}" if alone else f"    told.append({pieces[0]})"]

    done = ("{answer}",) if errand.tool == "ask_agent" else _parts(f"done_{_named(errand)}", language, result)
    call = f"{result} = {call_code(errand)}"
    cell.add("try:", *(f"    {line}" for line in call.splitlines()))
    for sentence, kind, name in (("denied", "ToolDenied", "denial"), ("failed_errand", "Exception", "fault")):
        report = render(sentence, language, what=what, why=f"{{{name}}}")
        cell.add(f"except {kind} as {name}:", *report_lines(report))
    cell.add("else:", *report_lines(*done))


def _parts(sentence: str, language: Language, result: str) -> Iterator[str]:
    """Split a sentence into pieces of an f-string whose fields come from the result."""
    for text, field, form, _ in Formatter().parse(template(sentence, language)):
        yield inside(text)
        if field == "cached":
            yield f"{{'{render('cached', language)}' if {result}['cached'] else ''}}"
        elif field:
            yield f"{{{result}['{field}']{f':{form}' if form else ''}}}"


def _literals(parts: Collection[str] | Iterator[str]) -> list[str]:
    """Join the pieces of a sentence into f-strings that fit a line; Python joins adjacent ones."""
    lines = [""]
    for part in parts:
        if lines[-1] and len(lines[-1] + part) > _LINE:
            lines.append("")
        lines[-1] += part
    return [f'f"{line}"' for line in lines if line]


# --- as tool calls ----------------------------------------------------------------------------------------------


def describe_outcomes(errands: Errands, observed: str, language: Language) -> str:
    """Describe the result of each errand, from the observations of the step that called the tools."""
    chunks = _observations(errands, observed)
    results = zip(errands.errands, chunks, strict=True)
    lines = [_outcome_text(errand, observation, language) for errand, observation in results]
    return lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines)


def _observations(errands: Errands, observed: str) -> list[str | None]:
    """Return the result of each call, by tool name; None for the calls of a tool whose results and calls differ in number.

    Otherwise a text that looks like a result, such as the reason of a denial, could be mistaken for one.
    """
    names = [errand.tool for errand in errands.errands]
    start = re.compile(rf"^({'|'.join(dict.fromkeys(names))}): ", re.MULTILINE)
    results: dict[str, list[str]] = {name: [] for name in names}
    starts = list(start.finditer(observed))
    ends = [later.start() for later in starts[1:]] + [len(observed)]
    for match, end in zip(starts, ends, strict=False):
        results[match[1]].append(observed[match.end() : end].strip())
    if not starts and len(names) == 1:
        results[names[0]] = [observed.strip()]
    complete = {name for name in results if len(results[name]) == names.count(name)}
    return [results[name].pop(0) if name in complete else None for name in names]


def _outcome_text(errand: ToolCall, observation: str | None, language: Language) -> str:
    what = deed(errand, language)
    if observation is None:
        return render("unclear", language, what=what, why="").strip()
    if fault := _ERROR.fullmatch(observation):
        reason = fault["words"][:_MAX_TEXT]
        refused = fault["name"] == "ToolDenied"
        return render("denied" if refused else "failed_errand", language, what=what, why=reason).strip()
    if errand.tool == "ask_agent":
        return observation
    result = _as_dict(observation)
    if errand.tool == "get_weather":
        result["cached"] = render("cached", language) if result.get("cached") else ""
    try:
        return _Plain().vformat(template(f"done_{_named(errand)}", language), (), result)
    except KeyError:  # the result lacks a field that this tool documents
        return render("unclear", language, what=what, why=observation[:_MAX_TEXT]).strip()


class _Plain(Formatter):
    """Formatter that leaves values unformatted if they do not support the format."""

    def format_field(self, value: Any, format_spec: str) -> str:
        try:
            return format(value, format_spec)
        except (TypeError, ValueError):
            return str(value)

    def get_value(self, key: int | str, args: Any, kwargs: Mapping[str, Any]) -> Any:
        return kwargs[str(key)]


def _as_dict(text: str) -> dict[str, Any]:
    """Parse a result as a Python or JSON dict; return an empty dict for others."""
    for read in (ast.literal_eval, json.loads):
        try:
            value: Any = read(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
        if isinstance(value, dict):
            return cast("dict[str, Any]", value)
    return {}
