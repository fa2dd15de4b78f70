"""Errands as code, one guarded call after the other, and as tool calls whose observations are told in words.

Each call stands alone: a denial or an error of one is reported and never tried again, and the next one is still made.
"""

import ast
import json
import re
from collections.abc import Collection
from typing import Any, cast

from smoldesk.analyst.building.intents import Scalar, ToolCall
from smoldesk.analyst.cell import (
    Cell,
    Part,
    Value,
    call_code,
    fstring,
)
from smoldesk.analyst.errands.intents import (
    Asking,
    Errand,
    Errands,
    Music,
    Payment,
    Weather,
    Whereabouts,
)
from smoldesk.analyst.errands.words import (
    TOOL_OF,
    Field,
    Remark,
    Sentence,
    Whole,
    Why,
    Words,
    denied,
    done,
    failed,
    unclear,
)
from smoldesk.analyst.language import Language

_RESULTS = {Payment: "paid", Whereabouts: "place", Music: "bgm", Weather: "weather", Asking: "answer"}
_FAULT = re.compile(r"Error: (?:(?P<name>[A-Za-z_]\w*): )?(?P<words>.*)", re.DOTALL)
_DENIALS = ("User denied the tool call", "Approval request timed out")
_LONGEST_WORDS = 400
_LINE = 92


def missing_tools(errands: Errands, tools: Collection[str]) -> list[str]:
    """The tools it would take that an agent does not have."""
    return [name for one in errands.errands if (name := TOOL_OF[type(one)]) not in tools]


def errand_calls(errands: Errands) -> list[ToolCall]:
    """One call for each errand, in the order of the request."""
    return [_call(one) for one in errands.errands]


def _call(errand: Errand) -> ToolCall:
    arguments: dict[str, Scalar] = {}
    match errand:
        case Payment():
            amount = int(errand.amount) if errand.amount.is_integer() else errand.amount
            arguments = {"recipient": errand.recipient, "amount": amount, "currency": errand.currency}
            if errand.description:
                arguments["description"] = errand.description
        case Music():
            arguments = {"track": errand.track}
        case Weather():
            arguments = {"location": errand.location}
        case Asking():
            arguments = {"name": errand.agent, "message": errand.message}
        case Whereabouts():
            pass
    return ToolCall(TOOL_OF[type(errand)], tuple(arguments.items()))


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
    if alone:
        cell.answer("told")
    else:
        cell.answer('"\\n".join(f"- {line}" for line in told)')
    return cell


def _guarded(cell: Cell, errand: Errand, language: Language, alone: bool) -> None:
    result = _RESULTS[type(errand)]

    def tell(sentence: Sentence, why: str = "") -> list[str]:
        pieces = _pieces([_part(part, result, why) for part in sentence])
        if len(pieces) > 1:
            lines = [f"        {piece}" for piece in pieces]
            return ["    told = (" if alone else "    told.append(", *lines, "    )"]
        return [f"    told = {pieces[0]}" if alone else f"    told.append({pieces[0]})"]

    call = f"{result} = {call_code(_call(errand))}"
    cell.add("try:", *(f"    {line}" for line in call.splitlines()))
    cell.add("except ToolDenied as denial:", *tell(denied(errand, language), "denial"))
    cell.add("except Exception as fault:", *tell(failed(errand, language), "fault"))
    cell.add("else:", *tell(done(errand, language)))


def _pieces(parts: list[Part]) -> list[str]:
    """A sentence as string literals that fit a line; Python joins those that stand under one another."""
    pieces = [fstring(*parts[:1])]
    kept = parts[:1]
    for part in parts[1:]:
        longer = fstring(*kept, part)
        if len(longer) > _LINE:
            kept = [part]
            pieces.append(fstring(part))
        else:
            kept.append(part)
            pieces[-1] = longer
    return pieces


def _part(part: Words, result: str, why: str) -> Part:
    match part:
        case Field():
            return Value(f"{result}['{part.name}']", part.format)
        case Why():
            return Value(why)
        case Whole():
            return Value(result)
        case Remark():
            return Value(f"'{part.words}' if {result}['{part.name}'] else ''")
        case str():
            return part


# --- as tool calls ----------------------------------------------------------------------------------------------


def tell_outcomes(errands: Errands, observed: str, language: Language) -> str:
    """What became of each errand, from the observations of the step that called the tools."""
    chunks = _observations(errands, observed)
    lines = [_told(one, words, language) for one, words in zip(errands.errands, chunks, strict=True)]
    return lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines)


def _observations(errands: Errands, observed: str) -> list[str | None]:
    """What each call returned, by its tool's name; None for all calls of a tool with more or fewer results than calls.

    Otherwise a text that looks like a result (in the reason of a denial, say) could be taken for one.
    """
    names = [TOOL_OF[type(one)] for one in errands.errands]
    start = re.compile(rf"^({'|'.join(dict.fromkeys(names))}): ", re.MULTILINE)
    found: dict[str, list[str]] = {name: [] for name in names}
    starts = list(start.finditer(observed))
    ends = [later.start() for later in starts[1:]] + [len(observed)]
    for match, end in zip(starts, ends, strict=False):
        found[match[1]].append(observed[match.end() : end].strip())
    if not starts and len(names) == 1:
        found[names[0]] = [observed.strip()]
    whole = {name for name in found if len(found[name]) == names.count(name)}
    return [found[name].pop(0) if name in whole else None for name in names]


def _told(errand: Errand, words: str | None, language: Language) -> str:
    if words is None:
        return _rendered(unclear(errand, language), {}, "")
    if fault := _FAULT.fullmatch(words):
        why = fault["words"][:_LONGEST_WORDS]
        refused = fault["name"] == "ToolDenied" or why.startswith(_DENIALS)
        return _rendered((denied if refused else failed)(errand, language), {}, why)
    if isinstance(errand, Asking):
        return words
    result = _as_dict(words)
    try:
        return _rendered(done(errand, language), result, "")
    except KeyError:  # not the result that this tool promises
        return _rendered(unclear(errand, language), {}, words[:_LONGEST_WORDS])


def _rendered(sentence: Sentence, result: dict[str, Any], why: str) -> str:
    return "".join(_spelled(part, result, why) for part in sentence).strip()


def _spelled(part: Words, result: dict[str, Any], why: str) -> str:
    match part:
        case Field():
            value = result[part.name]
            try:
                return format(value, part.format.removeprefix(":"))
            except (TypeError, ValueError):
                return str(value)
        case Why():
            return why
        case Remark():
            return part.words if result.get(part.name) else ""
        case Whole():
            return str(result)
        case str():
            return part


def _as_dict(words: str) -> dict[str, Any]:
    """A result in words, as Python or as JSON writes it; empty when it is no dict."""
    for read in (ast.literal_eval, json.loads):
        try:
            value: Any = read(words)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
        if isinstance(value, dict):
            return cast("dict[str, Any]", value)
    return {}
