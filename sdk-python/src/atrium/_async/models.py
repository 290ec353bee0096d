# Generated from ../_sync/models.py by scripts/generate.ts. Change that file, not this one.
from __future__ import annotations

from .._namespace import AsyncNamespace
from .._options import RequestOptions
from .._pages import AsyncPager
from .._typing import Unpack
from ..types import Model, ModelList


class AsyncModels(AsyncNamespace):
    """Models that can be mentioned."""

    def list(self, **options: Unpack[RequestOptions]) -> AsyncPager[Model]:
        """Lists the models that reply when mentioned. The default one replies to `@model`."""
        return self._list(ModelList, "/models", options=options)
