"""Errors of conversations. Their codes are part of the protocol: agents read them as they are.

AgentFault carries the code alone, unless a hint helps the agent.
"""

from smoldesk.errors import BadInput, DeskError, NotFound


class AgentFault(DeskError):
    """Refused tool call; `code` identifies the error, `hint` tells the agent how to avoid it."""

    def __init__(self, code: str, hint: str = "") -> None:
        super().__init__(code, hint, code=code)


INVALID_SESSION = "invalid_session"
AUTHENTICATION_FAILED = "authentication_failed"
TOO_MANY_ATTEMPTS = "too_many_attempts"
NOT_AUTHORIZED = "not_authorized"
WITH_SELF = "cannot_conversation_with_self"
WITH_HUMAN = "cannot_start_conversation_with_human"
NOT_IN_PROJECT = "target_agent_not_in_project"
ALREADY_ACTIVE = "conversation_already_active"
NO_ACTIVE = "no_active_conversation"
SEVERAL = "several_conversations"
NOT_A_PARTICIPANT = "not_a_participant"
TOO_LONG = "too_long"
EMPTY = "empty"


def no_such_project(project_id: str) -> NotFound:
    """Return the error for an unknown project."""
    return NotFound(f"There is no project {project_id[:40]!r}.", code="project_not_found")


def no_such_member(member_id: str) -> NotFound:
    """Return the error for an unknown member, or one of other projects only."""
    return NotFound(f"There is no agent {member_id[:40]!r} in this project.", code="agent_not_found")


def no_such_conversation(conversation_id: str) -> NotFound:
    """Return the error for an unknown conversation."""
    return NotFound(f"There is no conversation {conversation_id[:40]!r}.", code="conversation_not_found")


def name_of(text: str, what: str) -> str:
    """Return a name without surrounding blanks. Raises BadInput for an empty or long one."""
    name = text.strip()
    if not name or len(name) > LONGEST_NAME:
        raise BadInput(
            f"The name of {what} is {'empty' if not name else f'{len(name)} characters long'}.",
            f"Expected 1 to {LONGEST_NAME} characters.",
            code="bad_name",
        )
    return name


# Characters of a name.
LONGEST_NAME = 200
