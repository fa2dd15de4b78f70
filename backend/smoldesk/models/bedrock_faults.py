"""Amazon Bedrock's errors in the desk's words: botocore names them by code, and by class when no answer came."""

from typing import Any

from pydantic import SecretStr

from smoldesk.errors import ModelFault, Stopped
from smoldesk.models import errors
from smoldesk.models.access import BEDROCK
from smoldesk.models.retries import MayPass

AUTH = frozenset(
    (
        "AccessDeniedException",
        "UnrecognizedClientException",
        "InvalidSignatureException",
        "ExpiredTokenException",
        "InvalidClientTokenId",
        "IncompleteSignature",
        "MissingAuthenticationToken",
        "NoCredentialsError",
        "PartialCredentialsError",
        "TokenRetrievalError",
        "UnauthorizedSSOTokenError",
        "SSOTokenLoadError",
        "ProfileNotFound",
    )
)
BUSY = frozenset(("ThrottlingException", "TooManyRequestsException", "ServiceQuotaExceededException"))
SILENT = frozenset(("ModelTimeoutException", "ReadTimeoutError", "ConnectTimeoutError"))
GONE = frozenset(
    (
        "EndpointConnectionError",
        "ConnectionClosedError",
        "ConnectionError",
        "ProxyConnectionError",
        "SSLError",
        "HTTPClientError",
        "ResponseStreamingError",
        "ProtocolError",
        "IncompleteReadError",
        "NoEventStreamException",
    )
)
FAILED = frozenset(
    (
        "InternalServerException",
        "ServiceUnavailableException",
        "ModelErrorException",
        "ModelStreamErrorException",
    )
)


def translate(error: Exception, *secrets: SecretStr | None) -> ModelFault | Stopped:
    """The fault behind an error of boto3's client; `secrets` never appear in it."""
    code, status, words = _facts(error)
    words = errors.scrub(words, *secrets)
    if code in AUTH or status in (401, 403):
        return errors.no_key(BEDROCK)
    if code in BUSY or status == 429:
        return errors.rate_limited(words, _asked(error))
    if code in SILENT:
        return errors.silent()
    if code in GONE:
        return errors.cut_off(BEDROCK)
    if code == "NoRegionError":
        return ModelFault(
            "Bedrock needs a region.", "Set SMOLDESK_BEDROCK_REGION, or AWS_REGION.", "model_auth"
        )
    if code == "ResourceNotFoundException" or status == 404 or "model identifier is invalid" in words:
        return errors.unknown(words, BEDROCK)
    if code in FAILED or status >= 500:
        return errors.of_status(status if status >= 500 else 500, words)
    if status:
        return errors.refused(words)
    return errors.translate(error, *secrets, names=BEDROCK)


def passing(error: Exception) -> MayPass | None:
    """Whether trying again may help, before the first piece of an answer."""
    code, status, _ = _facts(error)
    if code in BUSY | SILENT | GONE | FAILED or status >= 500 or status in (408, 429):
        return MayPass(_asked(error))
    return None


def _facts(error: Exception) -> tuple[str, int, str]:
    """(the error's code or class, its HTTP status or 0, its words)"""
    response: Any = getattr(error, "response", None) or {}
    said: Any = response.get("Error") or {}
    metadata: Any = response.get("ResponseMetadata") or {}
    status: Any = metadata.get("HTTPStatusCode", 0)
    code = str(said.get("Code") or type(error).__name__)
    # inside a stream the codes begin with a small letter
    return (
        code[:1].upper() + code[1:],
        status if isinstance(status, int) else 0,
        str(said.get("Message") or error),
    )


def _asked(error: Exception) -> float | None:
    response: dict[str, Any] = getattr(error, "response", None) or {}
    try:
        seconds = float(response["ResponseMetadata"]["HTTPHeaders"]["retry-after"])
    except (KeyError, TypeError, ValueError):
        return None
    return seconds if 0 <= seconds < float("inf") else None
