"""LiteLLM: a hundred providers behind one library. Its exceptions are openai's, so they read like them."""

import contextlib
import os
from typing import Any, cast

from pydantic import SecretStr
from smolagents import LiteLLMModel

from smoldesk.models.access import NO_NAMES, Access, Names, library, revealed
from smoldesk.models.adaptation import AdaptingCalls
from smoldesk.models.bounded_answers import bound_litellm, close_answers
from smoldesk.models.capabilities import Capability
from smoldesk.models.options import NO_OPTIONS, ModelOptions
from smoldesk.models.pumped import EmitDelta, PumpedModel
from smoldesk.models.reasoning import ReasoningRetryer, with_reasoning
from smoldesk.models.retries import openai_passing


class StoppableLiteLLMModel(PumpedModel):
    """One run's way to `provider/model`; without `key` LiteLLM looks for the provider's own variable."""

    def __init__(
        self,
        model_id: str,
        *,
        key: SecretStr | None,
        base_url: str,
        timeout: float,
        retries: int,
        names: Names = NO_NAMES,
        options: ModelOptions = NO_OPTIONS,
        capability: Capability | None = None,
    ) -> None:
        _prepare(model_id)
        super().__init__(model_id, retries=retries, passing=openai_passing, names=names, secrets=(key,))
        self._options = options
        self.priced_as = None if base_url else model_id
        self._inner = LiteLLMModel(
            model_id,
            api_base=base_url or None,
            api_key=revealed(key),
            retry=False,
            timeout=timeout,
            max_retries=0,
            num_retries=0,
            **caching_marks(model_id),
        )
        self.adapting = AdaptingCalls(self.retries, capability or Capability(), (key,))
        self._inner.retryer = cast(Any, ReasoningRetryer(self.adapting))  # in the place of smolagents' own

    def stream_reply(
        self, emit: EmitDelta, messages: Any, stop_sequences: list[str] | None, **kwargs: Any
    ) -> None:
        """See PumpedModel.speak."""
        arguments = self._options.arguments(kwargs)  # LiteLLM knows what each provider calls `max_tokens`
        stream = self._inner.generate_stream(messages, stop_sequences, **arguments)
        try:
            with contextlib.closing(stream):
                for piece in with_reasoning(stream):
                    emit(piece)
        finally:
            close_answers()


def caching_marks(model_id: str) -> dict[str, Any]:
    """Return the options that make a provider cache the start of a prompt, if it needs them: Anthropic's models.

    The system prompt is one such place; the other is the newest message, with which the next call's prompt starts.
    """
    if "claude" not in model_id.lower():
        return {}
    places = [{"location": "message", "role": "system"}, {"location": "message", "index": -1}]
    return {"cache_control_injection_points": places}


def _prepare(model_id: str) -> None:
    """Import LiteLLM without its download of prices, its advertisements on stdout and its own retries."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    litellm = library("litellm", "litellm", f"litellm:{model_id}")
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    litellm.drop_params = True  # a provider that knows no `stop` answers all the same
    bound_litellm()


def build(name: str, access: Access) -> StoppableLiteLLMModel:
    """Return one run's model; see smoldesk.models."""
    return StoppableLiteLLMModel(
        name,
        key=access.litellm_api_key,
        base_url=access.litellm_base_url,
        timeout=access.timeout,
        retries=access.retries,
        names=access.names_of("litellm"),
        options=access.options,
        capability=access.capability(f"litellm:{name}"),
    )
