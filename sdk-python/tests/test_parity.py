"""Compares both clients with the OpenAPI documents: operations, parameters and results."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timezone
from typing import Any, Literal, get_type_hints

import httpx
import pytest

import atrium
from atrium import NOT_GIVEN, AsyncDownload, AsyncPager, Download, NotGiven, Page, types

from .server import ROOT

METHODS: dict[str, str] = json.loads((ROOT / "openapi/sdk-methods.json").read_text())
KEYS = {"v2": "atr_" + "a" * 46, "v1": "sk_live_" + "a" * 46}
SYNC = {"v2": atrium.Atrium, "v1": atrium.AtriumMemory}
ASYNC = {"v2": atrium.AsyncAtrium, "v1": atrium.AsyncAtriumMemory}
HELPERS = {
    "messages.post_and_wait",
    "memory.create_many",
    "memories.create_many",
    "files.upload",
    "files.wait_until_ready",
}
ITEMS = {
    "CreateMemory": atrium.NewMemory,
    "ChosenModel": atrium.ChosenModel,
    "StatusInput": atrium.NewStatus,
    "TaskChange": atrium.TaskChange,
    "NewTaskViewFilters": atrium.TaskFilters,
}
"""The types of objects inside a body."""
SEARCHES = {"searchDocuments", "searchMemories", "searchMessages", "v1SearchMemories"}
Json = dict[str, Any]


@dataclass(frozen=True)
class Operation:
    surface: str
    verb: str
    path: str
    spec: Json
    schemas: dict[str, Json]

    @property
    def id(self) -> str:
        return str(self.spec["operationId"])

    @property
    def name(self) -> tuple[str, str]:
        assert self.id in METHODS, f"openapi/sdk-methods.json has no name for {self.id}"
        namespace, method = METHODS[self.id].split(".")
        return namespace, snake(method)

    def parameters(self, where: str) -> list[Json]:
        return [each for each in self.spec.get("parameters", []) if each["in"] == where]

    @property
    def body(self) -> Json:
        content = self.spec.get("requestBody", {}).get("content", {})
        return self.resolve(content.get("application/json", {}).get("schema", {}))

    @property
    def success(self) -> tuple[int, Json]:
        return next(
            (int(status), answer.get("content", {}).get("application/json", {}))
            for status, answer in self.spec["responses"].items()
            if status.startswith("2")
        )

    def resolve(self, schema: Json) -> Json:
        return self.schemas[schema["$ref"].split("/")[-1]] if "$ref" in schema else schema

    def fields(self) -> dict[str, tuple[Json, bool]]:
        """The fields of the query and the body, and whether each is required."""
        query = {
            each["name"]: (each["schema"], each["required"]) for each in self.parameters("query")
        }
        variants = self.body.get("anyOf", [self.body])
        body = {
            name: (schema, all(name in variant.get("required", []) for variant in variants))
            for variant in variants
            for name, schema in variant.get("properties", {}).items()
        }
        return {**query, **body}

    def annotation(self, schema: Json) -> Any:
        if schema.get("$ref", "").split("/")[-1] in ITEMS:
            return ITEMS[schema["$ref"].split("/")[-1]]
        schema = self.resolve(schema)
        if "anyOf" in schema:
            (schema,) = [each for each in schema["anyOf"] if each.get("type") != "null"]
            return self.annotation(schema)
        if isinstance(schema.get("type"), list):
            (kind,) = [each for each in schema["type"] if each != "null"]
            schema = {**schema, "type": kind}
        if "enum" in schema:
            return Literal[tuple(schema["enum"])]
        if schema["type"] == "array":
            return Sequence[self.annotation(schema["items"])]  # type: ignore[misc]
        if schema["type"] == "string":
            return {"date": date, "date-time": datetime}.get(schema.get("format", ""), str)
        return {"integer": int, "number": float, "boolean": bool}[schema["type"]]

    @property
    def is_file(self) -> bool:
        content = self.spec["responses"].get("200", {}).get("content", {})
        return bool(content) and "application/json" not in content

    def result(self, page: Any) -> Any:
        if self.is_file:
            return AsyncDownload if page is AsyncPager else Download
        data = self.success[1].get("schema", {}).get("properties", {}).get("data")
        if data is None:
            return type(None)
        name = data["$ref"].split("/")[-1]
        items = self.schemas[name].get("properties", {}).get("items")
        if self.verb == "get" and items:
            return page[getattr(types, items["items"]["$ref"].split("/")[-1])]
        return getattr(types, name)


def operations() -> list[Operation]:
    found = []
    for surface in ("v2", "v1"):
        document = json.loads((ROOT / f"openapi/{surface}.json").read_text())
        schemas = document["components"]["schemas"]
        found += [
            Operation(surface, verb, path, spec, schemas)
            for path, item in document["paths"].items()
            for verb, spec in item.items()
        ]
    return found


def snake(name: str) -> str:
    text = re.sub(r"[A-Z]", lambda match: "_" + match[0].lower(), name)
    return "from_" if text == "from" else text


def sample(annotation: Any) -> Any:
    if annotation is datetime:
        return datetime(2026, 11, 15, 9, 30, tzinfo=timezone.utc)
    known = {str: "x/é 1", int: 3, float: 0.5, bool: True, date: date(2026, 11, 15)}
    if annotation in known:
        return known[annotation]
    if annotation is atrium.NewMemory:
        return {"content": "x", "visibility": "ORG", "project_id": "p", "tags": ["t"]}
    if annotation is atrium.ChosenModel:
        return {"slug": "s", "model": "m"}
    if annotation is atrium.NewStatus:
        return {"text": "In a meeting"}
    if annotation is atrium.TaskChange:
        return {"task_id": "t", "due_on": date(2026, 11, 15)}
    if annotation is atrium.TaskFilters:
        return {"assignee": ["me"], "due": "WEEK"}
    first = annotation.__args__[0]
    return first if isinstance(first, str) else [sample(first)]


OPERATIONS = operations()
PLAIN = [each for each in OPERATIONS if each.id != "streamSession"]  # test_streaming.py has it.
each_operation = pytest.mark.parametrize("operation", PLAIN, ids=lambda each: each.id)
each_kind = pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])


def test_every_operation_has_one_method_and_every_method_one_operation() -> None:
    named = [".".join(operation.name) for operation in OPERATIONS]
    assert len(set(named)) == len(named)
    for clients in (SYNC, ASYNC):
        methods = {
            f"{namespace}.{method}"
            for client in clients.values()
            for namespace in vars(client)
            if not namespace.startswith("_") and namespace != "spaces"
            for method in vars(namespace_class(client, namespace))
            if not method.startswith("_")
        }
        assert methods == set(named) | HELPERS


@each_operation
@each_kind
def test_a_methods_parameters_and_result(operation: Operation, is_async: bool) -> None:
    method = method_of(operation, is_async)
    parameters = dict(inspect.signature(method).parameters)
    hints = get_type_hints(method)
    assert parameters.pop("options").kind is inspect.Parameter.VAR_KEYWORD
    del parameters["self"]
    if "206" in operation.spec["responses"]:
        del parameters["byte_range"]

    ids = [snake(each["name"]) for each in operation.parameters("path")]
    assert list(parameters) == ids + [snake(name) for name in operation.fields()]
    for name in ids:
        assert parameters[name].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
        assert hints[name] is str
    for name, (schema, is_required) in operation.fields().items():
        parameter, expected = parameters[snake(name)], operation.annotation(schema)
        assert parameter.kind is inspect.Parameter.KEYWORD_ONLY
        if is_required:
            assert parameter.default is inspect.Parameter.empty
            assert hints[snake(name)] == expected
        elif operation.verb == "patch":
            assert parameter.default is NOT_GIVEN
            assert hints[snake(name)] == expected | NotGiven | None
        else:
            assert parameter.default is None
            assert hints[snake(name)] == expected | None

    expected = operation.result(AsyncPager if is_async else Page)
    assert hints["return"] == expected
    is_pager = getattr(expected, "__origin__", None) is AsyncPager
    assert inspect.iscoroutinefunction(method) == (is_async and not is_pager)


@each_operation
@each_kind
async def test_what_a_method_sends_and_reads(operation: Operation, is_async: bool) -> None:
    """Passes every field, and responds with the document's example."""
    requests: list[httpx.Request] = []
    status, content = operation.success

    def answer(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        if operation.is_file:
            return httpx.Response(200, content=b"x", headers={"content-type": "application/gzip"})
        return httpx.Response(status, json=content.get("example"))

    ids = [f"id {index}/é" for index, _ in enumerate(operation.parameters("path"))]
    fields = {
        name: sample(operation.annotation(schema))
        for name, (schema, _) in operation.fields().items()
    }
    result = await call(operation, is_async, answer, ids, {snake(k): v for k, v in fields.items()})

    (request,) = requests
    prefix = "/api/v1" if operation.surface == "v1" else "/api"
    path = prefix + operation.path
    for given in ids:
        path = re.sub(
            r"\{\w+\}",
            given.replace(" ", "%20").replace("/", "%2F").replace("é", "%C3%A9"),
            path,
            count=1,
        )
    assert request.method == operation.verb.upper()
    assert request.url.raw_path.decode().split("?")[0] == path
    assert request.headers["authorization"] == f"Bearer {KEYS[operation.surface]}"
    query = {each["name"] for each in operation.parameters("query")}
    assert set(request.url.params) == query
    body = json.loads(request.content) if request.content else {}
    assert set(body) == set(fields) - query
    takes_key = operation.verb == "post" and operation.id not in SEARCHES
    assert ("idempotency-key" in request.headers) == takes_key

    expected = operation.result(AsyncPager if is_async and operation.is_file else Page)
    if getattr(expected, "__origin__", None) is Page:
        assert result.items
        assert all(type(item) is expected.__args__[0] for item in result.items)
        assert result.items[0].model_extra == {}
    else:
        assert type(result) is expected
    if isinstance(result, atrium._models.Result):
        data = content["example"]["data"]
        assert json.loads(result.model_dump_json(by_alias=True, exclude_unset=True)) == normal(data)
        assert result.request_id == content["example"]["metadata"]["requestId"]


@each_operation
def test_api_md_lists_it(operation: Operation) -> None:
    text = (ROOT / "sdk-python/api.md").read_text()
    assert f"| `{operation.verb.upper()} {operation.path}`" in text
    assert f"| `{operation.name[1]}(" in text


def normal(data: Any) -> Any:
    """Formats times as pydantic does."""
    if isinstance(data, dict):
        return {name: normal(value) for name, value in data.items()}
    if isinstance(data, list):
        return [normal(value) for value in data]
    if isinstance(data, str) and re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:]+\.000Z", data):
        return data.replace(".000Z", "Z")
    return data


def namespace_class(client: type, namespace: str) -> Any:
    return get_type_hints(vars(client)[namespace].func)["return"]


def method_of(operation: Operation, is_async: bool) -> Any:
    client = (ASYNC if is_async else SYNC)[operation.surface]
    namespace, method = operation.name
    assert namespace in vars(client), f"{client.__name__} has no {namespace}"
    found = vars(namespace_class(client, namespace))
    assert method in found, f"{client.__name__}.{namespace} has no {method}"
    return found[method]


async def call(
    operation: Operation, is_async: bool, answer: Any, ids: list[str], fields: dict[str, Any]
) -> Any:
    namespace, method = operation.name
    key, transport = KEYS[operation.surface], httpx.MockTransport(answer)
    if is_async:
        async with httpx.AsyncClient(transport=transport) as async_http:
            client: Any = ASYNC[operation.surface](api_key=key, http_client=async_http)
            return await getattr(getattr(client, namespace), method)(*ids, **fields)
    with httpx.Client(transport=transport) as http:
        client = SYNC[operation.surface](api_key=key, http_client=http)
        return await asyncio.to_thread(getattr(getattr(client, namespace), method), *ids, **fields)
