"""The base classes of the generated models in `types.py`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, GetPydanticSchema

T = TypeVar("T")


class NotGiven:
    """The type of `NOT_GIVEN`."""

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "NOT_GIVEN"


NOT_GIVEN: Final = NotGiven()
"""Keeps a field of an update unchanged. `None` clears it."""


def to_camel(name: str) -> str:
    return re.sub(r"_([a-z0-9])", lambda match: match[1].upper(), name)


OPEN: Final = GetPydanticSchema(lambda _source, handler: handler(str))
"""Marks a `Literal` that may grow: a value from a newer server is accepted."""


def _alias_of(name: str) -> str:
    """`from_` stands for `from`, which is a keyword."""
    return to_camel(name.rstrip("_"))


class ResponsePart(BaseModel):
    """Part of a response. Fields that this version doesn't know are kept in `model_extra`."""

    model_config = ConfigDict(
        alias_generator=_alias_of,
        extra="allow",
        populate_by_name=True,
        protected_namespaces=(),
    )


class Result(ResponsePart):
    """The result of an operation. Two results with the same data are equal."""

    __slots__ = ("_request_id",)

    @property
    def request_id(self) -> str | None:
        """Identifies the request in the server's log. None for list items: see the page's."""
        request_id: str | None = getattr(self, "_request_id", None)
        return request_id


def note_request_id(result: Result, request_id: str | None) -> None:
    object.__setattr__(result, "_request_id", request_id)


class ItemsResult(Result, Generic[T]):
    """A result that is a list of items. Iterate over it to get them."""

    items: list[T]

    def __iter__(self) -> Iterator[T]:  # type: ignore[override]
        return iter(self.items)
