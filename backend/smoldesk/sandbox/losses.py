"""Why a chat's variables are gone: what is said of it begins with these words, by which a page knows the reason."""

LOSSES = {
    "idle": "they were not used for",
    "memory": "the machine was short of memory",
    "place": "another chat needed the place",
    "stopped": "the code was stopped and did not end by itself",
    "deadline": "the code ran too long",
    "full": "the chat's folder was full",
    "ended": "the Python process ended",
    "gone": "their Python process is gone",
    "moved": "another server went on with this chat",
    "abandoned": "a run had to be abandoned",
}


def loss_of(reason: str) -> str:
    """The key of a reason, or its own words when it is none of these."""
    return next((key for key, words in LOSSES.items() if reason.startswith(words)), reason)
