from __future__ import annotations

from .._namespace import Namespace
from .._options import RequestOptions
from .._pages import Page
from .._typing import Unpack
from ..types import Model, ModelList


class Models(Namespace):
    """Who answers when mentioned."""

    def list(self, **options: Unpack[RequestOptions]) -> Page[Model]:
        """The models of this server; the default one answers `@model`."""
        return self._list(ModelList, "/models", options=options)
