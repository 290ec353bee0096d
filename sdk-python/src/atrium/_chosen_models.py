"""The models of a provider, as they are sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from ._models import NotGiven


class TokenPrices(TypedDict):
    """Credits for a million tokens."""

    input: float
    output: float


class _ChosenModel(TypedDict):
    slug: str
    model: str


class ChosenModel(_ChosenModel, total=False):
    """A model that people can mention by its slug. Without prices it costs nothing."""

    credits_per_million_tokens: TokenPrices | None
    vision: bool | None
    """Whether it takes images. Default: false."""


def models_body(
    models: Sequence[ChosenModel] | NotGiven | None,
) -> list[dict[str, object]] | NotGiven | None:
    if models is None or isinstance(models, NotGiven):
        return models
    names = {"credits_per_million_tokens": "creditsPerMillionTokens"}
    return [{names.get(name, name): value for name, value in each.items()} for each in models]
