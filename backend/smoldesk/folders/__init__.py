"""The only way the server touches a chat's folder: plain names, no links, regular files.

Code that a model wrote owns that folder and may rename, link or swap anything in it at any time. So every open walks
down from a descriptor of the folder, follows no link, and believes only what fstat says of the descriptor it holds.
"""

from smoldesk.folders.names import checked_name, file_name, free_name
from smoldesk.folders.reading import is_too_deep, open_inside, opened_inside, size_inside
from smoldesk.folders.writing import (
    add,
    move_aside,
    place,
    place_below,
    place_free,
    remove_below,
    remove_tree,
    rename,
    replace_below,
    write,
)

__all__ = [
    "add",
    "checked_name",
    "file_name",
    "free_name",
    "is_too_deep",
    "move_aside",
    "open_inside",
    "opened_inside",
    "place",
    "place_below",
    "place_free",
    "remove_below",
    "remove_tree",
    "rename",
    "replace_below",
    "size_inside",
    "write",
]
