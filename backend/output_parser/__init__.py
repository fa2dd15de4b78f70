"""Agent output -> four-pane messages. Pure: no clock, no files, no network, and it never raises on what an
agent says.

- `parser`: `OutputParser.parse(agent_response)`, one batch of messages for one step's response.
- `commands`: the grammar of `..._COMMAND` strings, and the incremental scanner that finds them.
- `lines`: text in any pieces -> whole lines, in linear time; later scanners stand on it too.
- `model_text`: a model's streaming reply -> prose and code.
- `calls`: map tools called in code, for replayed responses that kept nothing but the code.
"""

from backend.output_parser.commands import CommandScanner, MapCommand
from backend.output_parser.model_text import CodeTagSplitter, Kind, split_model_text
from backend.output_parser.parser import OutputParser

__all__ = ["CodeTagSplitter", "CommandScanner", "Kind", "MapCommand", "OutputParser", "split_model_text"]
