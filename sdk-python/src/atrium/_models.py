"""What the generated models in `types.py` are made of."""

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
"""Leaves a field of an update as it is. `None` clears it."""


def to_camel(name: str) -> str:
    return re.sub(r"_([a-z0-9])", lambda match: match[1].upper(), name)


OPEN: Final = GetPydanticSchema(lambda _source, handler: handler(str))
"""Marks a `Literal` whose list may grow: a newer server's value is kept, not refused."""


class AnswerPart(BaseModel):
    """Part of an answer. Fields that this version does not know are kept in `model_extra`."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        extra="allow",
        populate_by_name=True,
        protected_namespaces=(),
    )


class Result(AnswerPart):
    """What an operation answers with. Two are equal when their data is."""

    __slots__ = ("_request_id",)

    @property
    def request_id(self) -> str | None:
        """The server's log has the request under it. None for an item of a list: see the page's."""
        request_id: str | None = getattr(self, "_request_id", None)
        return request_id


def note_request_id(result: Result, request_id: str | None) -> None:
    object.__setattr__(result, "_request_id", request_id)


class ItemsResult(Result, Generic[T]):
    """An answer that is a list of items. Iterating over it gives them."""

    items: list[T]

    def __iter__(self) -> Iterator[T]:  # type: ignore[override]
        return iter(self.items)
