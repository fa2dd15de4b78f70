"""What an agent of the desk is told when a conversation is its turn. Pure."""

from collections.abc import Mapping, Sequence

from smoldesk.conversations.models import Member, Message
from smoldesk.conversations.rules import Conversation


def turn_words(
    conversation: Conversation, me: str, messages: Sequence[Message], members: Mapping[str, Member]
) -> str:
    """The message of the run: who talks to it, about what, and what was said since its last turn, oldest first."""
    other = members[conversation.other(me)]
    about = f" It is about: {conversation.purpose}" if conversation.purpose else ""
    head = f"You are {members[me].name}, in conversation {conversation.id} with {other.name} ({other.id}).{about}"
    said = [f"{members[one.from_id].name}{_elsewhere(one, conversation)}: {one.content}" for one in messages]
    if not said:
        said = [f"{other.name} has not said anything yet; you may begin."]
    how = (
        f'Answer by send_message("{other.id}", ...), once. '
        f'When the conversation has done what it is for, end_conversation("{conversation.id}").'
    )
    return "\n\n".join([head, "\n".join(said), how])


def _elsewhere(message: Message, conversation: Conversation) -> str:
    if message.conversation_id == conversation.id:
        return ""
    return f" (in {message.conversation_id})" if message.conversation_id else " (outside a conversation)"
