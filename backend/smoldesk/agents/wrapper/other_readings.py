"""Answers to several readings of one request: the model's readings joined with what its code computed for each."""

from collections.abc import Callable
from typing import Any

from pydantic import JsonValue

from smoldesk.markdown.answer_forms import Language
from smoldesk.sandbox.cell import CellAlternative, CellResult

NOT_COMPUTED = {"en": "This was not computed in time.", "ja": "時間内に計算できませんでした。"}
NO_ANSWER = {"en": "This could not be computed.", "ja": "計算できませんでした。"}


def with_answers(
    offered: dict[str, Any], cell: CellResult, response_of: Callable[[CellAlternative], dict[str, JsonValue]]
) -> dict[str, JsonValue]:
    """Return the readings with their answers, computed ones first.

    The first one has none: its answer is that of the step. One without an answer has an `error`.
    """
    language = offered["language"]
    computed: list[dict[str, Any]] = []
    failed: list[dict[str, Any]] = []
    for at, reading in enumerate(offered["alternatives"]):
        answer = cell.alternatives[at] if at < len(cell.alternatives) else None
        if answer is None or not answer.parts:
            reason = NOT_COMPUTED if answer is None or "TimeoutError" in answer.error else NO_ANSWER
            failed.append(reading | {"error": reason[language]})
        else:
            computed.append(reading | (response_of(answer) if computed else {}))
    entries: list[JsonValue] = [*computed, *failed]
    sentences = [entry["sentence"] for entry in (*computed, *failed)]
    note = _note(sentences, offered["unknown"], language)
    return offered | {"alternatives": entries, "note": note}


def _note(sentences: list[str], unknown: list[str], language: Language) -> str:
    """Return which reading the answer is of, which words it leaves out, and the other readings."""
    first, *others = sentences
    if language == "ja":
        words = f"{'、'.join(f'「{word}」' for word in unknown)}が分かりません。" if unknown else ""
        another = f"別の解釈もできます：{'、'.join(f'「{other}」' for other in others)}" if others else ""
        return f"{words}「{first}」と解釈した回答です。{another}"
    quoted = ", ".join(f"'{word}'" for word in unknown)
    words = f"I do not know {quoted}. " if unknown else ""
    another = "Another reading is possible" if len(others) == 1 else "Other readings are possible"
    return f"{words}This answers: {first}." + (f" {another}: {'; '.join(others)}." if others else "")
