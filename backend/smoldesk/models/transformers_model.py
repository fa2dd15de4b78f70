"""A model on this machine, by transformers. Its weights are loaded once per process and answer one call at a time."""

import threading
from collections.abc import Sequence
from typing import Any

from pydantic import SecretStr
from smolagents import ChatMessageStreamDelta, TokenUsage

from smoldesk.errors import ModelFault, Stopped
from smoldesk.models import errors
from smoldesk.models.access import NO_NAMES, Access, Names, library, revealed
from smoldesk.models.options import NO_OPTIONS, ModelOptions
from smoldesk.models.overflow import Overflow
from smoldesk.models.pumped import EmitDelta, PumpedModel
from smoldesk.models.reasoning import ReasonedDelta
from smoldesk.models.retries import RetryHint
from smoldesk.output_parser.model_text import partial_mark_length


class StopSequenceFilter:
    """Fed with pieces, gives back what may be shown: never a stop sequence, not even its beginning."""

    def __init__(self, sequences: Sequence[str] | None) -> None:
        self._sequences = [sequence for sequence in sequences or () if sequence]
        self._buffer = ""
        self.reached = False

    def feed(self, text: str) -> str:
        """Return the text that cannot be part of a stop sequence; empty after one was reached."""
        if self.reached:
            return ""
        text_ = self._buffer + text
        ends = [at for sequence in self._sequences if (at := text_.find(sequence)) >= 0]
        if ends:
            self.reached, self._buffer = True, ""
            return text_[: min(ends)]
        keep = max((partial_mark_length(text_, sequence) for sequence in self._sequences), default=0)
        self._buffer = text_[len(text_) - keep :]
        return text_[: len(text_) - keep]

    def flush(self) -> str:
        """Return the buffered text at the end of the answer."""
        text_, self._buffer = self._buffer, ""
        return text_


MAX_NEW_TOKENS = 4096

_loading = threading.Lock()
_loaded: dict[str, "Weights"] = {}


class Weights:
    """A model and its tokenizer; `turn` is held while it answers."""

    def __init__(self, model_id: str, token: str | None) -> None:
        transformers = library("transformers", "transformers", f"transformers:{model_id}")
        self.torch = library("torch", "transformers", f"transformers:{model_id}")
        self.turn = threading.Lock()
        self.tokenizer: Any = transformers.AutoTokenizer.from_pretrained(model_id, token=token)
        self.model: Any = transformers.AutoModelForCausalLM.from_pretrained(
            model_id, token=token, dtype="auto"
        )
        if self.torch.cuda.is_available():
            self.model.to("cuda")
        self.model.eval()

    @property
    def room(self) -> int | None:
        """Tokens of a prompt and its answer together, when the model names a limit."""
        limit = getattr(self.model.config, "max_position_embeddings", None)
        return limit if isinstance(limit, int) else None

    def ends(self, token: int) -> bool:
        """Return whether a token ends an answer by itself."""
        ends: Any = self.model.generation_config.eos_token_id
        return token in ends if isinstance(ends, list) else token == ends


def weights_of(model_id: str, token: str | None) -> Weights:
    """Return loaded weights; the first caller loads (and may download) them, all others share them."""
    with _loading:
        if model_id not in _loaded:
            _loaded[model_id] = Weights(model_id, token)
        return _loaded[model_id]


class StoppableTransformersModel(PumpedModel):
    """One run's use of the weights. No time-out: a slow machine is not a broken one, and Stop ends any wait."""

    def __init__(
        self,
        model_id: str,
        *,
        token: SecretStr | None,
        options: ModelOptions = NO_OPTIONS,
        names: Names = NO_NAMES,
    ) -> None:
        for needed in ("torch", "transformers"):
            library(needed, "transformers", f"transformers:{model_id}")
        super().__init__(model_id, retries=0, passing=_never, names=names, secrets=(token,))
        self.flatten_messages_as_text = True
        self._token = token
        self._options = options

    def fault(self, error: Exception) -> ModelFault | Stopped:
        """See PumpedModel.fault. transformers says OSError for a model it cannot find."""
        message = errors.scrub(str(error), self._token)
        if isinstance(error, OSError):
            denied = any(sign in message.lower() for sign in ("gated", "401", "403", "token"))
            return (
                errors.no_key(self._names)
                if denied and "gated" in message
                else errors.unknown(message, self._names)
            )
        return super().fault(error)

    def stream_reply(
        self, emit: EmitDelta, messages: Any, stop_sequences: list[str] | None, **kwargs: Any
    ) -> None:
        """See PumpedModel.speak."""
        weights = weights_of(str(self.model_id), revealed(self._token))
        with weights.turn:
            self.retries.check()
            self._answer(weights, emit, messages, stop_sequences, **kwargs)

    def _answer(
        self,
        weights: Weights,
        emit: EmitDelta,
        messages: Any,
        stop_sequences: list[str] | None,
        **kwargs: Any,
    ) -> None:
        prompt = self._prompt(weights, messages, kwargs.get("tools_to_call_from"))
        length = int(prompt["input_ids"].shape[1])
        options = self._options.arguments(kwargs)
        most = int(options.get("max_tokens") or MAX_NEW_TOKENS)
        if weights.room is not None:
            if length >= weights.room:
                overflow = Overflow(length, weights.room)
                raise errors.TooLong(
                    overflow,
                    f"the prompt of {length} tokens is too long, the model takes {weights.room}.",
                    self._names,
                )
            most = min(most, weights.room - length)
        stop = StopSequenceFilter(stop_sequences)
        transformers = library("transformers", "transformers", str(self.model_id))

        class Teller(transformers.TextStreamer):
            """Streamer that passes text on as soon as a word is complete."""

            def on_finalized_text(self, text: str, stream_end: bool = False) -> None:
                if visible := stop.feed(text):
                    emit(ChatMessageStreamDelta(content=visible))

        def enough(*_: Any, **__: Any) -> Any:
            return weights.torch.tensor([self.retries.closed or stop.reached], device=weights.model.device)

        with weights.torch.inference_mode():
            output: Any = weights.model.generate(
                **prompt,
                max_new_tokens=most,
                **sampling(options.get("temperature")),
                streamer=Teller(weights.tokenizer, skip_prompt=True, skip_special_tokens=True),
                stopping_criteria=transformers.StoppingCriteriaList([enough]),
            )
        remaining_text = "" if stop.reached else stop.flush()
        usage = TokenUsage(length, int(output.shape[1]) - length)
        cut = usage.output_tokens >= most and not stop.reached and not weights.ends(int(output[0, -1]))
        emit(ReasonedDelta(remaining_text, None, usage, finish_reason="length" if cut else "stop"))

    def _prompt(self, weights: Weights, messages: Any, tools: Any) -> Any:
        """Return the conversation in the model's own form, as tensors."""
        ready = self._prepare_completion_kwargs(messages=messages, tools_to_call_from=tools, tool_choice=None)
        if weights.tokenizer.chat_template is None:
            raise ModelFault(
                "This model cannot hold a conversation: its tokenizer has no chat template.",
                "Choose a model made for chats, often called Instruct.",
                "model_refused",
            )
        chat = [
            {"role": str(getattr(m["role"], "value", m["role"])), "content": m["content"]}
            for m in ready["messages"]
        ]
        return weights.tokenizer.apply_chat_template(
            chat, tools=ready.get("tools"), add_generation_prompt=True, return_tensors="pt", return_dict=True
        ).to(weights.model.device)


def sampling(temperature: float | None) -> dict[str, Any]:
    """Return the arguments of `generate` for a temperature; None leaves the choice to the model's own configuration."""
    if temperature is None:
        return {}
    return {"do_sample": True, "temperature": temperature} if temperature else {"do_sample": False}


def _never(_: Exception) -> RetryHint | None:
    return None


def build(name: str, access: Access) -> StoppableTransformersModel:
    """Return one run's model; see smoldesk.models."""
    names = access.names_of("transformers")
    return StoppableTransformersModel(name, token=access.hf_token, options=access.options, names=names)
