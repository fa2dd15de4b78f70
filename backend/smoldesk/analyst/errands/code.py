"""Errands as code, one guarded call after the other, and as tool calls whose observations are told in words.

Each call stands alone: a denial or an error of one is reported and never tried again, and the next one is still made. A
sentence of `words.toml` has fields of the tool's result: only what a tool returned is ever told as done.
"""

import ast
import json
import re
from collections.abc import Collection, Iterator, Mapping
from string import Formatter
from typing import Any, cast

from smoldesk.analyst.building.intents import ToolCall
from smoldesk.analyst.cell import Cell, call_code, inside
from smoldesk.analyst.errands.intents import Errands
from smoldesk.analyst.language import Language, join_names, render, template
from smoldesk.analyst.money import Money
from smoldesk.analyst.refusal import Refusal

_RESULTS = {"process_payment": "paid", "get_location": "place", "change_bgm": "bgm", "get_weather": "weather",
    "ask_agent": "answer"}  # fmt: skip
_ERROR = re.compile(r"Error: (?:(?P<name>[A-Za-z_]\w*): )?(?P<words>.*)", re.DOTALL)
_LONGEST_WORDS = 400
_LINE = 89


def without_tools(errands: Errands, tools: Collection[str]) -> Refusal | None:
    """The refusal that names the tools it would take; None for an agent that has them."""
    missing = dict.fromkeys(errand.tool for errand in errands.errands if errand.tool not in tools)
    return Refusal("no_tool", (), tuple(missing)) if missing else None


def deed(errand: ToolCall, language: Language) -> str:
    """What an errand is called: the payment of 30 USD to Alice, 東京の天気の確認."""
    arguments = dict(errand.arguments)
    if errand.tool == "process_payment":
        arguments["sum"] = Money(float(arguments["amount"]), str(arguments["currency"])).to_text()
    return render(f"deed_{_named(errand)}", language, **arguments)


def deeds(errands: Errands, language: Language) -> str:
    """What all of them are called."""
    names = [deed(errand, language) for errand in errands.errands]
    if language == "ja" or len(names) == 1:
        return join_names(language, names)
    return ", ".join(names[:-1]) + " and " + names[-1]


def _named(errand: ToolCall) -> str:
    silence = errand.tool == "change_bgm" and not dict(errand.arguments)["track"]
    return "silence" if silence else errand.tool


# --- as code ----------------------------------------------------------------------------------------------------


def write_errands(errands: Errands, language: Language) -> Cell:
    """The cell that runs the errands and says what became of each."""
    cell = Cell()
    alone = len(errands.errands) == 1
    if not alone:
        cell.add("told = []")
    for errand in errands.errands:
        cell.gap()
        _guarded(cell, errand, language, alone)
    cell.answer("told" if alone else '"\\n".join(f"- {line}" for line in told)')
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
        cell.add(
            f"except {kind} as {name}:",
            *report_lines(render(sentence, language, what=what, why=f"{{{name}}}")),
        )
    cell.add("else:", *report_lines(*done))


def _parts(sentence: str, language: Language, result: str) -> Iterator[str]:
    """A sentence as pieces of an f-string, its fields taken from the result."""
    for text, field, form, _ in Formatter().parse(template(sentence, language)):
        yield inside(text)
        if field == "cached":
            yield f"{{'{render('cached', language)}' if {result}['cached'] else ''}}"
        elif field:
            yield f"{{{result}['{field}']{f':{form}' if form else ''}}}"


def _literals(parts: Collection[str] | Iterator[str]) -> list[str]:
    """Pieces of a sentence as f-strings that fit a line; Python joins those that stand under one another."""
    lines = [""]
    for part in parts:
        if lines[-1] and len(lines[-1] + part) > _LINE:
            lines.append("")
        lines[-1] += part
    return [f'f"{line}"' for line in lines if line]


# --- as tool calls ----------------------------------------------------------------------------------------------


def describe_outcomes(errands: Errands, observed: str, language: Language) -> str:
    """What became of each errand, from the observations of the step that called the tools."""
    chunks = _observations(errands, observed)
    lines = [
        _outcome_text(errand, observation, language)
        for errand, observation in zip(errands.errands, chunks, strict=True)
    ]
    return lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines)


def _observations(errands: Errands, observed: str) -> list[str | None]:
    """What each call returned, by its tool's name; None for all calls of a tool with more or fewer results than calls.

    Otherwise a text that looks like a result (in the reason of a denial, say) could be taken for one.
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
        why = fault["words"][:_LONGEST_WORDS]
        refused = fault["name"] == "ToolDenied"
        return render("denied" if refused else "failed_errand", language, what=what, why=why).strip()
    if errand.tool == "ask_agent":
        return observation
    result = _as_dict(observation)
    if errand.tool == "get_weather":
        result["cached"] = render("cached", language) if result.get("cached") else ""
    try:
        return _Plain().vformat(template(f"done_{_named(errand)}", language), (), result)
    except KeyError:  # not the result that this tool promises
        return render("unclear", language, what=what, why=observation[:_LONGEST_WORDS]).strip()


class _Plain(Formatter):
    """Fills in values; as they are where they do not take the format."""

    def format_field(self, value: Any, format_spec: str) -> str:
        try:
            return format(value, format_spec)
        except (TypeError, ValueError):
            return str(value)

    def get_value(self, key: int | str, args: Any, kwargs: Mapping[str, Any]) -> Any:
        return kwargs[str(key)]


def _as_dict(text: str) -> dict[str, Any]:
    """A result in words, as Python or as JSON writes it; empty when it is no dict."""
    for read in (ast.literal_eval, json.loads):
        try:
            value: Any = read(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
        if isinstance(value, dict):
            return cast("dict[str, Any]", value)
    return {}
