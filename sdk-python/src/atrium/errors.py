"""Every error of this SDK is an `AtriumError`. Branch on its `code`, or on the class."""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from typing import Any

from .types import FieldError


class AtriumError(Exception):
    """The base of them all."""

    code: str
    """The API's code, such as `NOT_FOUND`, or one of this SDK's own, such as `TIMEOUT`."""
    status: int | None
    """The HTTP status; None where there was no answer."""
    request_id: str | None
    """Quote it when you report a problem: the server's log has the request under it."""
    details: dict[str, Any]
    retry_after: float | None
    """Seconds after which the server says to try again."""

    def __init__(
        self,
        message: str,
        *,
        code: str = "UNKNOWN",
        status: int | None = None,
        request_id: str | None = None,
        details: Mapping[str, Any] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.request_id = request_id
        self.details = dict(details or {})
        self.retry_after = retry_after

    def __str__(self) -> str:
        return self.message

    @property
    def reason(self) -> str | None:
        """With CONFLICT and FORBIDDEN: the stable word for what is in the way, as `slug_taken`."""
        reason = self.details.get("reason")
        return reason if isinstance(reason, str) else None


class ValidationError(AtriumError):
    """400: the body or the query is not valid. `errors` has every failing field."""

    @property
    def errors(self) -> list[FieldError]:
        errors = self.details.get("errors")
        if not isinstance(errors, list):
            return []
        return [FieldError.model_validate(error) for error in errors]


class AuthError(AtriumError):
    """401: no key, or one that is unknown, expired, revoked or of the other family."""


class ForbiddenError(AtriumError):
    """403: the caller may not do this; `reason` says why."""


class NotFoundError(AtriumError):
    """404: it does not exist, or the caller cannot see it."""


class ConflictError(AtriumError):
    """409: something is in the way; `reason` says what."""


class RateLimitError(AtriumError):
    """429, after the retries: the key's limit is used up. `retry_after` has the seconds to wait."""


class InternalError(AtriumError):
    """500, after the retries: the server's mistake. Its log has the cause under `request_id`."""


class ConnectionError(AtriumError, builtins.ConnectionError):
    """No answer, or half of one: the server could not be reached, or the connection broke."""


class TimeoutError(AtriumError, builtins.TimeoutError):
    """No answer within `timeout` seconds."""


class NotAtriumError(AtriumError):
    """The answer is not Atrium's: another server, a proxy's error page, a redirect."""


class UsageError(AtriumError, ValueError):
    """The call could not be sent as it was written: an option, an id or a body is not usable."""

    def __init__(self, message: str) -> None:
        super().__init__(message, code="USAGE_ERROR")


_CLASSES: dict[str, type[AtriumError]] = {
    "VALIDATION_ERROR": ValidationError,
    "AUTH_ERROR": AuthError,
    "FORBIDDEN": ForbiddenError,
    "NOT_FOUND": NotFoundError,
    "CONFLICT": ConflictError,
    "RATE_LIMIT": RateLimitError,
    "INTERNAL_ERROR": InternalError,
}


def error_of_code(
    message: str,
    code: str,
    *,
    status: int,
    request_id: str | None,
    details: Mapping[str, Any],
    retry_after: float | None,
) -> AtriumError:
    """The error the API's code stands for. A code not known here is a plain `AtriumError`."""
    return _CLASSES.get(code, AtriumError)(
        message + _failing_fields(details) if code == "VALIDATION_ERROR" else message,
        code=code,
        status=status,
        request_id=request_id,
        details=details,
        retry_after=retry_after,
    )


def _failing_fields(details: Mapping[str, Any]) -> str:
    errors = details.get("errors")
    if not isinstance(errors, list) or not all(isinstance(error, dict) for error in errors):
        return ""
    failing = [f"{error.get('location')} {error.get('message')}" for error in errors]
    return f" ({'; '.join(failing)})" if failing else ""
