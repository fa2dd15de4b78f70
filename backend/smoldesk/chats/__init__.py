"""Services of chats: what wires, conversations and the command line call instead of the store.

- `chats`: made, found, listed and searched, renamed, deleted; their logs.
- `uploads`, `files`: what people put into a chat, and all files of one.
- `selections`, `policies`, `buildings`: what a chat has selected, allows, and shows.
- `push_configs`: where clients want to be told of a run.
"""

from smoldesk.chats.buildings import Buildings, ShownBuilding
from smoldesk.chats.chats import Chats
from smoldesk.chats.files import Files
from smoldesk.chats.policies import Policies
from smoldesk.chats.push_configs import PushConfigs
from smoldesk.chats.selections import MOST_SELECTED, Selections
from smoldesk.chats.uploads import Uploads
from smoldesk.store.buildings import BuildingInfo, KeptImage
from smoldesk.store.chat_lists import ChatPage, ListedChat, Place
from smoldesk.store.chats import ChatInfo
from smoldesk.store.files import StoredFile
from smoldesk.store.import_history import ToldTurn
from smoldesk.store.policies import ChatPolicy
from smoldesk.store.push_configs import PushConfig

__all__ = [
    "MOST_SELECTED",
    "BuildingInfo",
    "Buildings",
    "ChatInfo",
    "ChatPage",
    "ChatPolicy",
    "Chats",
    "Files",
    "KeptImage",
    "ListedChat",
    "Place",
    "Policies",
    "PushConfig",
    "PushConfigs",
    "Selections",
    "ShownBuilding",
    "StoredFile",
    "ToldTurn",
    "Uploads",
]
