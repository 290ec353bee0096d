"""Every error in this SDK is an `AtriumError`. Branch on its `code` or on the class."""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from typing import Any

from .types import FieldError


class AtriumError(Exception):
    """The base class of every error."""

    code: str
    """The API's code, such as `NOT_FOUND`, or one of this SDK's own, such as `TIMEOUT`."""
    status: int | None
    """The HTTP status; None if there was no response."""
    request_id: str | None
    """Quote it when you report a problem: the server's log lists the request under this id."""
    details: dict[str, Any]
    retry_after: float | None
    """Seconds to wait before trying again, as requested by the server."""

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
        """For CONFLICT and FORBIDDEN: a stable identifier of the cause, such as `slug_taken`."""
        reason = self.details.get("reason")
        return reason if isinstance(reason, str) else None


class ValidationError(AtriumError):
    """400: the body or the query is invalid. `errors` lists every invalid field."""

    @property
    def errors(self) -> list[FieldError]:
        errors = self.details.get("errors")
        if not isinstance(errors, list):
            return []
        return [FieldError.model_validate(error) for error in errors]


class AuthError(AtriumError):
    """401: the key is missing, unknown, expired or revoked, or belongs to the other API."""


class ForbiddenError(AtriumError):
    """403: the caller is not allowed to do this. `reason` says why."""


class NotFoundError(AtriumError):
    """404: the resource does not exist, or the caller can't see it."""


class ConflictError(AtriumError):
    """409: the request conflicts with the current state. `reason` says how."""


class RateLimitError(AtriumError):
    """429, after all retries: the key reached its rate limit. Wait `retry_after` seconds."""


class InternalError(AtriumError):
    """500, after all retries: the server failed. Its log has the cause under `request_id`."""


class ConnectionError(AtriumError, builtins.ConnectionError):
    """No response or an incomplete one: the server can't be reached, or the connection closed."""


class TimeoutError(AtriumError, builtins.TimeoutError):
    """No complete response within `timeout` seconds."""


class NotAtriumError(AtriumError):
    """The response is not Atrium's: another server, a proxy's error page or a redirect."""


class UsageError(AtriumError, ValueError):
    """The call was not sent, because an option, an id or the body is invalid."""

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
    """Creates the error for an API code. An unknown code becomes a plain `AtriumError`."""
    return _CLASSES.get(code, AtriumError)(
        message + _invalid_fields(details) if code == "VALIDATION_ERROR" else message,
        code=code,
        status=status,
        request_id=request_id,
        details=details,
        retry_after=retry_after,
    )


def _invalid_fields(details: Mapping[str, Any]) -> str:
    errors = details.get("errors")
    if not isinstance(errors, list) or not all(isinstance(error, dict) for error in errors):
        return ""
    invalid = [f"{error.get('location')} {error.get('message')}" for error in errors]
    return f" ({'; '.join(invalid)})" if invalid else ""
