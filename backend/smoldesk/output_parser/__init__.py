"""Parsers that turn agent output into four-pane messages and free text into artifacts.

They use no clock, file or network, and never raise on an agent's output. `spec/reference/output.md` defines the format,
`spec/guides/add_a_message_type.md` describes how to extend it.

Responses:
- `parser`: `OutputParser.parse(agent_response)` returns the messages of one step's response.
- `drawing`: the map commands of a response without duplicates, and the rooms that its answer names.
- `commands`: the grammar of `..._COMMAND` strings, and the incremental scanner that finds them.
- `rooms`: room names in text of any language. `data_urls`: images embedded in text.

Free text:
- `streaming`: `parse_text` and `StreamingOutputParser`, which share one scanner; `artifacts`: their results and buffers.
- `blocks` (fences, tracebacks, file names) and `data` (with `json_tokens`): the grammars of the artifacts.

- `model_text`: splits a model's streamed reply into reasoning, prose and code; `structured_text`: does so for JSON replies.
"""

from smoldesk.output_parser.artifacts import (
    Artifact,
    CodeArtifact,
    ErrorArtifact,
    FileArtifact,
    JsonArtifact,
    TextArtifact,
    joined,
)
from smoldesk.output_parser.commands import CommandScanner, MapCommand
from smoldesk.output_parser.data import plain_data
from smoldesk.output_parser.data_urls import EmbeddedImage, without_images
from smoldesk.output_parser.drawing import DrawnLayers
from smoldesk.output_parser.model_text import Kind, ReplySplitter, split_model_text
from smoldesk.output_parser.parser import OutputParser, parse
from smoldesk.output_parser.streaming import StreamingOutputParser, parse_text
from smoldesk.output_parser.structured_text import StructuredSplitter, structured_reply

__all__ = [
    "Artifact",
    "CodeArtifact",
    "CommandScanner",
    "DrawnLayers",
    "EmbeddedImage",
    "ErrorArtifact",
    "FileArtifact",
    "JsonArtifact",
    "Kind",
    "MapCommand",
    "OutputParser",
    "ReplySplitter",
    "StreamingOutputParser",
    "StructuredSplitter",
    "TextArtifact",
    "joined",
    "parse",
    "parse_text",
    "plain_data",
    "split_model_text",
    "structured_reply",
    "without_images",
]
