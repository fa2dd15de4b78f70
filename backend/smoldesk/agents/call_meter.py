"""Observer of a chat's model calls, which may refuse the next one: the budget of an exam is one."""

from smoldesk.events import ModelCalled


class CallMeter:
    """Meter that allows every call. It is called on the thread of the run, also for managed agents."""

    def before_call(self, prompt_tokens: int) -> None:
        """Allow a call with a prompt of about this many tokens, or raise a DeskError, which fails the run."""

    def after_call(self, call: ModelCalled) -> None:
        """Take note of a call that ended."""
