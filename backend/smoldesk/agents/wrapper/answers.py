"""An answer as people see it: texts in Markdown, and the tables, charts and images between them, in order.

The child classifies the value of a cell's answer (sandbox/inside/answers.py); plain JSON, such as the arguments of a call
of final_answer, and values of other executors are classified here.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pydantic import JsonValue

from smoldesk.markdown.answer_forms import (
    PREVIEW_ROWS,
    Language,
    block,
    data_markdown,
    escape,
    rows_markdown,
    table_sentence,
    with_aligned_blocks,
)
from smoldesk.output_parser import plain_data
from smoldesk.sandbox.cell import AnswerPart, CellChart, CellResult, CellTable, OutputItem, ProducedFile

# A text, or an item whose card stands at this place.
Piece = str | OutputItem
MAX_TEXT = 20_000
# Items that the model's memory names.
MAX_NOTED = 10


def parts_of(output: Any, cell: CellResult | None) -> list[AnswerPart]:
    """Return the parts of a final answer; `cell` is the one that gave it, None for an argument of a call."""
    # the cell's own object: a schema, or a callback of a person's agent, may have put another one in its place
    is_of_cell = cell is not None and (output is cell.value or output is cell.output)
    parts = cell.parts if cell is not None and is_of_cell else []
    is_text = isinstance(output, str) and [part.kind for part in parts] in ([], ["markdown"])
    if parts and not is_text:
        return parts
    if is_text:  # in full, which a frame of a part is not
        return [AnswerPart("markdown", text=with_aligned_blocks(output) if parts else output)]
    data: JsonValue = output if output in ([], {}) else plain_data(output)
    if data is not None:
        return [AnswerPart("data", value=data)]
    if cell is not None and is_of_cell and cell.output:
        return [AnswerPart("plain", text=cell.output)]
    return [] if output is None else [AnswerPart("plain", text=str(output)[:MAX_TEXT])]


def answer_text(output: Any, cell: CellResult | None, language: Language) -> str:
    """Return a final answer that no step reported, as text."""
    return text_of(pieces_of(parts_of(output, cell), language))


def value_parts(cell: CellResult) -> list[AnswerPart]:
    """Return the parts of the last value of a person's cell, whose texts are code instead of Markdown."""
    parts = cell.parts or ([AnswerPart("plain", text=cell.output)] if cell.output else [])
    return [replace(part, kind="code") if part.kind in ("markdown", "plain") else part for part in parts]


def pieces_of(parts: Sequence[AnswerPart], language: Language, with_sentences: bool = True) -> list[Piece]:
    """Return texts and items in order; an answer of items alone gets a sentence for each of them."""
    has_text = not with_sentences or any(part.kind in ("markdown", "plain", "data") for part in parts)
    pieces: list[Piece] = []
    for part in parts:
        text = "" if part.kind == "item" and has_text and not part.caption else _text(part, language)
        if text.strip():
            if pieces and isinstance(pieces[-1], str):
                text = f"{pieces.pop()}\n\n{text}"
            pieces.append(text)
        if part.item is not None:
            pieces.append(part.item)
    return pieces


def text_of(pieces: Sequence[Piece]) -> str:
    """Return the texts of an answer as one."""
    return "\n\n".join(piece for piece in pieces if isinstance(piece, str))


def text_with_rows(pieces: Sequence[Piece], language: Language) -> str:
    """Return an answer for readers of text alone: tables by their first rows, files by their paths."""
    texts = (piece if isinstance(piece, str) else _as_text(piece, language) for piece in pieces)
    return "\n\n".join(text for text in texts if text)


def _as_text(item: OutputItem, language: Language) -> str:
    if isinstance(item, CellTable):
        head = [str(column["name"]) for column in item.columns]
        return rows_markdown(head, item.rows, language, PREVIEW_ROWS, item.row_count)
    return escape(item.path) if isinstance(item, ProducedFile) and not item.path.startswith(".") else ""


def _text(part: AnswerPart, language: Language) -> str:
    body = _body(part, language)
    if not part.caption:
        return body
    caption = f"**{escape(' '.join(part.caption.split()))}**"
    is_line = part.kind in ("plain", "code", "item", "more") or (
        part.kind == "markdown" and body[:1].isalnum()
    )
    return f"{caption}: {body}" if is_line and "\n" not in body else f"{caption}\n\n{body}"


def _body(part: AnswerPart, language: Language) -> str:
    match part.kind:
        case "markdown":
            return part.text
        case "plain":
            return block(part.text, "text") if "\n" in part.text else escape(part.text)
        case "code":
            is_long = "\n" in part.text or "`" in part.text
            return block(part.text, "text") if is_long else f"`{part.text}`"
        case "data":
            return data_markdown(part.value, language, int(part.text) if part.text.isdecimal() else None)
        case "more":
            return f"…他{part.text}件" if language == "ja" else f"… and {part.text} more"
        case "item":
            return "" if part.item is None else sentence_of(part.item, language)


def sentence_of(item: OutputItem, language: Language) -> str:
    """Return what an item is, as the answer's text when the model gave no words."""
    is_japanese = language == "ja"
    match item:
        case CellTable():
            return table_sentence(item.row_count, len(item.columns), language)
        case CellChart():
            return f"グラフ：{escape(item.title)}" if is_japanese else f"Chart: {escape(item.title)}."
        case ProducedFile():
            return "画像" if is_japanese else "An image."


def memory_note(parts: Sequence[AnswerPart], language: Language) -> JsonValue:
    """Return what the person saw, for the model's memory; None for an answer of text alone."""
    items = [part.item for part in parts if part.item is not None][:MAX_NOTED]
    names = [
        f"{sentence_of(item, language)}" + (f" ({item.name})" if isinstance(item, CellTable) else "")
        for item in items
    ]
    return f"Shown to the person: {' '.join(names)}" if names else None
