from __future__ import annotations

from collections.abc import Sequence

from .._chosen_models import ChosenModel, models_body
from .._models import NOT_GIVEN, NotGiven
from .._namespace import Namespace
from .._options import RequestOptions
from .._pages import Page
from .._typing import Unpack
from ..types import (
    Model,
    ModelList,
    ModelProviderKind,
    ModelProviderTest,
    OfferedModels,
    OrgModelProvider,
    OrgModelProviderList,
)


class Models(Namespace):
    """Models that can be mentioned, and the providers that OWNERs add."""

    def list(self, **options: Unpack[RequestOptions]) -> Page[Model]:
        """Lists the models that reply when mentioned. The default one replies to `@model`."""
        return self._list(ModelList, "/models", options=options)

    def list_providers(self, **options: Unpack[RequestOptions]) -> Page[OrgModelProvider]:
        """Lists the organisation's model providers. Keys are never returned."""
        return self._list(OrgModelProviderList, "/model-providers", options=options)

    def create_provider(
        self,
        *,
        kind: ModelProviderKind,
        name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        models: Sequence[ChosenModel] | None = None,
        **options: Unpack[RequestOptions],
    ) -> OrgModelProvider:
        """Adds a model provider. Its models answer at once, and its key is stored encrypted."""
        body = {
            "kind": kind,
            "name": name,
            "baseUrl": base_url,
            "apiKey": api_key,
            "models": models_body(models),
        }
        return self._call(OrgModelProvider, "POST", "/model-providers", body=body, options=options)

    def update_provider(
        self,
        id: str,
        *,
        name: str | NotGiven | None = NOT_GIVEN,
        base_url: str | NotGiven | None = NOT_GIVEN,
        api_key: str | NotGiven | None = NOT_GIVEN,
        is_enabled: bool | NotGiven | None = NOT_GIVEN,
        models: Sequence[ChosenModel] | NotGiven | None = NOT_GIVEN,
        **options: Unpack[RequestOptions],
    ) -> OrgModelProvider:
        """Updates the given fields. `models` replaces all of them; None removes the key."""
        body = {
            "name": name,
            "baseUrl": base_url,
            "apiKey": api_key,
            "isEnabled": is_enabled,
            "models": models_body(models),
        }
        path = "/model-providers/{id}"
        return self._call(OrgModelProvider, "PATCH", path, id, body=body, options=options)

    def delete_provider(self, id: str, **options: Unpack[RequestOptions]) -> None:
        """Deletes a model provider, its models and its stored key."""
        self._do("DELETE", "/model-providers/{id}", id, options=options)

    def test_provider(
        self,
        id: str,
        *,
        model: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> ModelProviderTest:
        """Asks a model to say hello. A failed test is a result, not an error: check `ok`."""
        path = "/model-providers/{id}/test"
        body = {"model": model}
        return self._call(ModelProviderTest, "POST", path, id, body=body, options=options)

    def list_offered(self, id: str, **options: Unpack[RequestOptions]) -> OfferedModels:
        """Asks the provider which models it offers. If it can't be asked, `error` says why."""
        path = "/model-providers/{id}/models"
        return self._call(OfferedModels, "GET", path, id, options=options)
