"""smolagents' OpenAIModel, made stoppable and predictable: for OpenAI and every server that speaks like it.

What differs from smolagents' own: one retry layer that a stop wakes, a limit on silence instead of on length, a
`close` that ends a blocked read, faults translated before smolagents can wrap or log them, reasoning
passed on, and an answer without token counts taken as it is.
"""

import ssl
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from typing import Any, cast
from urllib.parse import urlsplit

import httpx2
import openai
from pydantic import SecretStr
from smolagents import ChatMessage, ChatMessageStreamDelta, OpenAIModel
from smolagents.models import agglomerate_stream_deltas, remove_content_after_stop_sequences

from smoldesk.errors import BadInput, ModelFault, Stopped
from smoldesk.models.access import (
    NO_NAMES,
    Access,
    Names,
    customary,
    revealed,
)
from smoldesk.models.adaptation import AdaptingCalls
from smoldesk.models.bounded_answers import UNPACKED, bound
from smoldesk.models.capabilities import Capability
from smoldesk.models.connections import Connections
from smoldesk.models.errors import translate
from smoldesk.models.hosted import priced_as
from smoldesk.models.options import NO_OPTIONS, ModelOptions
from smoldesk.models.reasoning import ReasoningRetryer, with_reasoning
from smoldesk.models.retries import Retries

OPENAI_URL = "https://api.openai.com/v1"
# Key for a server that needs none: the client requires some value.
NO_KEY = "none"
# Header of the server that reports the progress of a prompt to who requests it.
LLAMACPP = "llama.cpp"

CONNECT_SECONDS = 10.0


class StoppableOpenAIModel(OpenAIModel):
    """One run's connection to an OpenAI-compatible server.

    `generate` and `generate_stream` raise ModelFault when the provider fails and Stopped after `close`.
    """

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
        self._key = key
        self._base_url = base_url or OPENAI_URL
        self._names = names
        self._options = options
        # OpenAI's name since its reasoning models, which refuse the other; most other servers have only the old one
        self._limit_name = "max_completion_tokens" if self._base_url == OPENAI_URL else "max_tokens"
        self._capability = capability or Capability()
        self._silence = timeout
        self._connections = Connections()
        self._lock = threading.Lock()
        self._calls = 0
        super().__init__(model_id=model_id, retry=False)
        self.priced_as = priced_as(model_id, base_url)
        """Its name in LiteLLM's table of prices; a server of one's own has none."""
        self.retries = Retries(retries)
        self.adapting = AdaptingCalls(self.retries, self._capability, (key,))
        self.retryer = cast(Any, ReasoningRetryer(self.adapting))  # in the place of smolagents' own

    def create_client(self) -> openai.OpenAI:
        """Create the real client. Called by smolagents' constructor."""
        return openai.OpenAI(
            api_key=revealed(self._key) or NO_KEY, base_url=self._base_url, **self.client_options()
        )

    def client_options(self) -> dict[str, Any]:
        """Return the options of every openai client: our time-outs, no retries of its own, sockets that can be closed."""
        timeout = openai.Timeout(self._silence, connect=min(self._silence, CONNECT_SECONDS))
        local = urlsplit(self._base_url).hostname in ("localhost", "127.0.0.1", "::1")
        http = openai.DefaultHttpxClient(
            timeout=timeout,
            verify=_certificates(),
            trust_env=not local,  # a proxy from the environment cannot reach this machine's loopback
            follow_redirects=False,  # a prompt goes to no other address than the one that was named
            event_hooks={"request": [self._connections.watch], "response": [bound(httpx2), self._recognise]},
        )
        return {
            "timeout": timeout,
            "max_retries": 0,
            "http_client": http,
            "default_headers": UNPACKED,
        }

    def _recognise(self, response: httpx2.Response) -> None:
        if response.headers.get("server") == LLAMACPP:
            self._capability.reports_progress = True

    def close(self) -> None:
        """End the call under way, at once and from any thread, and refuse later ones."""
        self.retries.close()
        self._connections.cut()
        self._close_when_idle()

    def generate_stream(self, *args: Any, **kwargs: Any) -> Generator[ChatMessageStreamDelta]:
        """smolagents' own stream, with its faults translated and its reasoning kept. Arguments as there."""
        self.retries.check()
        try:
            with self._track_request():
                arguments = self._options.arguments(kwargs, self._limit_name)
                if self._capability.reports_progress:
                    arguments["extra_body"] = {"return_progress": True, **(arguments.get("extra_body") or {})}
                yield from with_reasoning(super().generate_stream(*args, **arguments))
            return
        except (openai.OpenAIError, httpx2.HTTPError) as error:
            fault = self._fault(error)
        except (ValueError, TypeError, AttributeError, RuntimeError) as error:
            # chunks that are no JSON or of another shape, and httpx's word for a client closed in between
            fault = self._fault(error)
        raise fault  # outside the except: a traceback must not show the provider's words, which may hold the key

    def generate(
        self, messages: Any, stop_sequences: list[str] | None = None, *args: Any, **kwargs: Any
    ) -> ChatMessage:
        """Return the complete answer. It is streamed internally: only a stream tells a long answer from a stalled one."""
        deltas = list(self.generate_stream(messages, stop_sequences, *args, **kwargs))
        answer = agglomerate_stream_deltas(deltas)
        if stop_sequences is not None and not self.supports_stop_parameter:
            answer.content = remove_content_after_stop_sequences(str(answer.content), stop_sequences)
        return answer

    @contextmanager
    def _track_request(self) -> Generator[None]:
        """Count a call; the last one out closes a client that was asked to close."""
        with self._lock:
            self._calls += 1
        try:
            yield
        finally:
            with self._lock:
                self._calls -= 1
            self._close_when_idle()

    def _close_when_idle(self) -> None:
        """Give the descriptors back, but never under a thread that still reads: their numbers get used again."""
        with self._lock:
            if self.retries.closed and not self._calls:
                self.client.close()

    def _fault(self, error: Exception) -> ModelFault | Stopped:
        if self.retries.closed:
            return Stopped("the model call was stopped")
        return translate(error, self._key, names=self._names)


def build(name: str, access: Access) -> StoppableOpenAIModel:
    """Build the model of OpenAI, or of the server at the base URL, which may need no key. Raises BadInput for OpenAI
    without one.
    """
    # OPENAI_API_KEY is meant for OpenAI: no other server is sent it
    key = access.openai_api_key or (None if access.openai_base_url else customary("OPENAI_API_KEY"))
    if key is None and not access.openai_base_url:
        raise BadInput(
            f'The model "openai:{name}" needs a key.',
            "Add it with its key on the page; or the operator sets SMOLDESK_OPENAI_API_KEY, or SMOLDESK_OPENAI_BASE_URL for a "
            "server that wants none.",
            "model_auth",
        )
    names = access.names_of("openai")
    if key is not None and key is not access.openai_api_key:
        names = replace(names, key="OPENAI_API_KEY")
    return StoppableOpenAIModel(
        name,
        key=key,
        base_url=access.openai_base_url,
        timeout=access.timeout,
        retries=access.retries,
        names=names,
        options=access.options,
        capability=access.capability(f"openai:{name}"),
    )


@lru_cache(maxsize=1)
def _certificates() -> ssl.SSLContext:
    """Load the certificates once per process: it takes longer than all other work of a client."""
    return httpx2.create_ssl_context()
