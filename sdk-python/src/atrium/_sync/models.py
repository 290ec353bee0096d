from __future__ import annotations

from .._namespace import Namespace
from .._options import RequestOptions
from .._pages import Page
from .._typing import Unpack
from ..types import Model, ModelList


class Models(Namespace):
    """Models that can be mentioned."""

    def list(self, **options: Unpack[RequestOptions]) -> Page[Model]:
        """Lists the models that reply when mentioned. The default one replies to `@model`."""
        return self._list(ModelList, "/models", options=options)
