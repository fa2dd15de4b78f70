"""The text of an answer -> text, code and data messages, in the order a person reads them.

A fenced block becomes a code message (data, when it says json and is some); the prose around it stays Markdown. A
block that only repeats code of the same response is left out: that code is shown already.
"""

from collections.abc import Collection, Iterator

from smoldesk.messages import Code, Json, Text
from smoldesk.output_parser.artifacts import CodeArtifact, TextArtifact
from smoldesk.output_parser.data import any_data_of
from smoldesk.output_parser.streaming import parse_text

AnswerPart = Text | Code | Json


def answer_parts(text: str, shown_code: Collection[str]) -> list[AnswerPart]:
    """The messages of an answer; none for a blank one."""
    if "```" not in text and "~~~" not in text:
        return [Text(content=text)] if text.strip() else []
    return list(_parts(text, {_essence(code) for code in shown_code})) or [Text(content=text)]


def _parts(text: str, shown: set[str]) -> Iterator[AnswerPart]:
    prose: list[str] = []
    for artifact in parse_text(text, file_refs=False, json=False, errors=False):
        if isinstance(artifact, TextArtifact):
            prose.append(artifact.content)
        elif isinstance(artifact, CodeArtifact) and _essence(artifact.content) not in shown | {""}:
            if prose:
                yield Text(content="\n\n".join(prose))
                prose = []
            yield _block(artifact)
    if prose:
        yield Text(content="\n\n".join(prose))


def _block(artifact: CodeArtifact) -> Code | Json:
    data = any_data_of(artifact.content) if artifact.language.lower() == "json" else None
    if isinstance(data, dict | list):
        return Json(content=data)
    return Code(content=artifact.content, language=artifact.language)


def _essence(code: str) -> str:
    """What two spellings of the same code have in common: no blank ends of lines, no blank lines around."""
    return "\n".join(line.rstrip() for line in code.strip().splitlines())
