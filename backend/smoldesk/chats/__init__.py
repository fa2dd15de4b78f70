"""Services of chats: what wires, conversations and the command line call instead of the store.

- `chats`: made, found, listed and searched, renamed, deleted; their logs.
- `uploads`: what people put into a chat, and all files of one.
- `resumable_uploads`: those that come in pieces; `upload_turns`: one request at a time; `upload_room`: room for them.
- `chart_edits`: the controls of charts.
- `file_changes`: how a file is read, its name, and that it is removed.
- `result_tables`: the tables that runs have shown, in any order, and files of them.
- `cell_rows`: the rows from which a cell of one was computed.
- `choices`: the rooms a chat has selected, what is closed, the tools it allows, and where clients want to be told of a run.
- `branches`: a person goes on from before a turn, in a new chat.
- `versions`: a turn is answered again in its place.
- `retention`: chats without activity are deleted; `local_copies`: so are copies of what other servers deleted.
- `traces`: the prompts and responses of a step, and its memory.
- `buildings`: what a chat shows; `layers`: live values of its rooms.
- `mcp_apps`: the views that MCP servers show in a chat.
- `audit`: who allowed, added, deleted and exported what.
- `source_files`: tables of databases as files; `pieces`: files that are made while they are sent.
"""

from smoldesk.chats.audit import Audit
from smoldesk.chats.branches import Branches
from smoldesk.chats.browser_sessions import BrowserSessions
from smoldesk.chats.buildings import Buildings, BuildingView
from smoldesk.chats.cell_rows import CellRows, RowsBehind
from smoldesk.chats.chart_edits import ChartChanges
from smoldesk.chats.chats import Chats
from smoldesk.chats.choices import ClosureChanges, Policies, PushConfigs, Selections
from smoldesk.chats.file_changes import FileChanges
from smoldesk.chats.layers import BEFORE_ALL, LiveLayers
from smoldesk.chats.local_copies import LocalCopies
from smoldesk.chats.mcp_apps import McpApps
from smoldesk.chats.mcp_sessions import McpSessions
from smoldesk.chats.result_tables import ResultTables
from smoldesk.chats.resumable_uploads import CHECKSUMS, EXPIRES_SECONDS, Checksum, ResumableUploads
from smoldesk.chats.retention import Retention
from smoldesk.chats.source_files import SourceFiles
from smoldesk.chats.traces import PromptMessage, TracedStep, Traces
from smoldesk.chats.upload_room import UploadRoom
from smoldesk.chats.uploads import Files, Uploads
from smoldesk.chats.versions import Versions
from smoldesk.chats.wrong_tries import SharedTries, WrongTries
from smoldesk.store.audit_rows import AuditAction, AuditEntry
from smoldesk.store.buildings import BuildingImage, BuildingInfo
from smoldesk.store.chat_choices import DEEPEST_SHARED, DESK_PARTS, MAX_SELECTED, MAX_SHARED, ChatPolicy
from smoldesk.store.chat_lists import ChatPage, ChatStatus, Place
from smoldesk.store.chat_tags import TagCount
from smoldesk.store.chats import ChatInfo
from smoldesk.store.fault_causes import STORAGE_FAULTS, cause_of, store_fault
from smoldesk.store.files import StoredFile
from smoldesk.store.import_history import PastTurn
from smoldesk.store.partial_files import PartialFile, full_disk_errors
from smoldesk.store.push_configs import PushConfig

__all__ = [
    "BEFORE_ALL",
    "CHECKSUMS",
    "DEEPEST_SHARED",
    "DESK_PARTS",
    "EXPIRES_SECONDS",
    "MAX_SELECTED",
    "MAX_SHARED",
    "STORAGE_FAULTS",
    "Audit",
    "AuditAction",
    "AuditEntry",
    "Branches",
    "BrowserSessions",
    "BuildingImage",
    "BuildingInfo",
    "BuildingView",
    "Buildings",
    "CellRows",
    "ChartChanges",
    "ChatInfo",
    "ChatPage",
    "ChatPolicy",
    "ChatStatus",
    "Chats",
    "Checksum",
    "ClosureChanges",
    "FileChanges",
    "Files",
    "LiveLayers",
    "LocalCopies",
    "McpApps",
    "McpSessions",
    "PartialFile",
    "PastTurn",
    "Place",
    "Policies",
    "PromptMessage",
    "PushConfig",
    "PushConfigs",
    "ResultTables",
    "ResumableUploads",
    "Retention",
    "RowsBehind",
    "Selections",
    "SharedTries",
    "SourceFiles",
    "StoredFile",
    "TagCount",
    "TracedStep",
    "Traces",
    "UploadRoom",
    "Uploads",
    "Versions",
    "WrongTries",
    "cause_of",
    "full_disk_errors",
    "store_fault",
]
