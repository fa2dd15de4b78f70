"""Agent output -> four-pane messages, free text -> artifacts. Pure: no clock, no files, no network, and it never
raises on what an agent says. `spec/reference/output.md` is the promise, `spec/guides/add_a_message_type.md` how to widen it.

Responses:
- `parser`: `OutputParser.parse(agent_response)`, one batch of messages for one step's response.
- `drawing`: the map commands of a response, each once; the rooms its answer names.
- `commands`: the grammar of `..._COMMAND` strings, and the incremental scanner that finds them.
- `rooms`: names of rooms in text of any language. `data_urls`: images that a text carries in itself.

Free text:
- `streaming`: `parse_text` and `StreamingOutputParser`, one scanner for both; `artifacts` is what they give and hold back.
- `blocks` (fences, tracebacks, names of files), `data` (with `json_tokens`): what stands in it.

- `model_text`: a model's streaming reply -> reasoning, prose and code; `structured_text`: the same of one that comes as JSON.
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
from smoldesk.output_parser.model_text import CodeTagSplitter, Kind, split_model_text
from smoldesk.output_parser.parser import OutputParser, parse
from smoldesk.output_parser.streaming import StreamingOutputParser, parse_text
from smoldesk.output_parser.structured_text import StructuredSplitter, structured_reply

__all__ = [
    "Artifact",
    "CodeArtifact",
    "CodeTagSplitter",
    "CommandScanner",
    "DrawnLayers",
    "EmbeddedImage",
    "ErrorArtifact",
    "FileArtifact",
    "JsonArtifact",
    "Kind",
    "MapCommand",
    "OutputParser",
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
