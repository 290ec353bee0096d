"""Invalid options, wrong servers and unsendable bodies: the errors say what to do."""

from __future__ import annotations

import builtins
import logging
import pickle
import warnings
from datetime import datetime
from typing import Any, cast

import httpx
import pytest

import atrium
from atrium import (
    AsyncAtrium,
    Atrium,
    AtriumError,
    AtriumMemory,
    ConnectionError,
    LogEntry,
    NotAtriumError,
    UsageError,
    ValidationError,
)

from .conftest import KEY
from .either import Kind
from .fake import FakeServer, Say, failure, say_json, success
from .test_retries import ME, PROJECT

V1_KEY = "sk_live_" + "a" * 46


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "API key missing.*ATRIUM_API_KEY"),
        ({"api_key": "  "}, "API key missing"),
        ({"api_key": V1_KEY}, "sk_live_ key is for AtriumMemory"),
        ({"api_key": "Bearer " + KEY}, "Invalid API key"),
        ({"api_key": "atr_a b"}, "Invalid API key"),
        ({"api_key": KEY, "base_url": "127.0.0.1:3000/api"}, "must start with http://"),
        ({"api_key": KEY, "base_url": "http://"}, "must start with|is invalid"),
        ({"api_key": KEY, "base_url": "http://a b/api"}, "is invalid"),
        ({"api_key": KEY, "base_url": "http://h:99999/api"}, "is invalid"),
        ({"api_key": KEY, "base_url": "http://h/api?x=1"}, "is invalid"),
        ({"api_key": KEY, "base_url": "http://u:secret@h/api"}, "must not contain a user name"),
        ({"api_key": KEY, "base_url": "http://h/api/v1"}, "for AtriumMemory"),
        ({"api_key": KEY, "timeout": 0}, "timeout must be a positive number"),
        ({"api_key": KEY, "max_retries": -1}, "max_retries must be a whole number"),
        ({"api_key": KEY, "headers": {"X-A": "top\nsecret"}}, "The header 'X-A'"),
    ],
)
def test_invalid_client_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        Atrium(**options)
    assert isinstance(caught.value, ValueError)
    assert "secret" not in str(caught.value)
    with pytest.raises(UsageError, match=message):
        AsyncAtrium(**options)


def test_the_memory_client_takes_v1_keys() -> None:
    with pytest.raises(UsageError, match="atr_ key is for Atrium"):
        AtriumMemory(api_key=KEY)
    for url in ("http://h/api", "http://h/api/", "http://h/api/v1"):
        with AtriumMemory(api_key=V1_KEY, base_url=url) as client:
            assert repr(client) == "<AtriumMemory: http://h/api/v1>"


def test_key_and_url_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATRIUM_API_KEY", KEY + "\n")
    monkeypatch.setenv("ATRIUM_BASE_URL", "https://atrium.example.com/api/")
    with Atrium() as client:
        assert repr(client) == "<Atrium: https://atrium.example.com/api>"
        assert client._settings.headers["authorization"] == f"Bearer {KEY}"


async def test_ids_that_would_change_the_path(faked: AsyncAtrium, fake: FakeServer) -> None:
    fake.says(success(PROJECT))
    for bad in ("", ".", "..", cast(str, None), cast(str, 3), "\ud800"):
        with pytest.raises(UsageError, match=r"GET /projects/{projectId}.*projectId"):
            await faked.projects.get(bad)
    assert fake.heard == []


async def test_bodies_that_cannot_be_sent(faked: AsyncAtrium, fake: FakeServer) -> None:
    loop: list[Any] = []
    loop.append(loop)
    fake.says(success(PROJECT))
    for tags, why in (
        ({"a"}, r"body\.tags has the type set"),
        (["a", b"b"], r"body\.tags\[1\] has the type bytes"),
        ([float("nan")], r"body\.tags\[0\] is nan"),
        (["\ud800"], r"body\.tags\[0\] contains an unpaired surrogate"),
        (loop, "contains itself"),
    ):
        with pytest.raises(
            UsageError, match=f"POST /projects: the body can't be sent as JSON: .*{why}"
        ):
            await faked.projects.create(name="n", tags=cast(Any, tags))
    with pytest.raises(UsageError, match="has no time zone"):
        await faked.memory.search(query="x", created_after=datetime(2026, 1, 1))
    for key in ("", "a b", "é", "x" * 256):
        with pytest.raises(UsageError, match="idempotency_key"):
            await faked.projects.create(name="n", idempotency_key=key)
    with pytest.raises(UsageError, match="timeout"):
        await faked.identity.me(timeout=-1)
    assert fake.heard == []


async def test_a_server_that_is_not_atrium(faked: AsyncAtrium, fake: FakeServer) -> None:
    html = {"Content-Type": "text/html; charset=utf-8"}
    for answer, message in (
        (Say(b"<h1>Welcome to nginx</h1>", headers=html), r"200 \(text/html\).*base URL.*/api"),
        (Say(b"<h1>Not Found</h1>", status=404, headers=html), r"404 \(text/html\)"),
        (Say(b"Hello", headers={"Content-Type": "text/plain"}), r"200 \(text/plain\)"),
        (say_json(["not", "an", "envelope"]), r"200 \(application/json\)"),
        (
            Say(status=301, headers={"Location": "https://h/api/me?x"}),
            r"redirected to https://h/api/me\.",
        ),
        (success({"userId": 1}), "an unexpected shape.*same version"),
        (success(None), "an unexpected shape"),
    ):
        fake.says(answer)
        with pytest.raises(NotAtriumError, match=message) as caught:
            await faked.identity.me()
        assert caught.value.code == "NOT_ATRIUM"
        assert len(fake.heard) == 1


async def test_an_unreachable_server(kind: Kind) -> None:
    async with kind.atrium(api_key=KEY, base_url="http://127.0.0.1:9/api") as client:
        with pytest.raises(
            ConnectionError,
            match=r"can't connect to http://127\.0\.0\.1:9/api.*that the server is running",
        ) as caught:
            await client.identity.me()
    assert isinstance(caught.value, builtins.ConnectionError)
    assert isinstance(caught.value.__cause__, httpx.ConnectError)


async def test_errors_have_the_fields_of_the_response(faked: AsyncAtrium, fake: FakeServer) -> None:
    fields = [{"location": "body.name", "code": "required", "message": "is required"}]
    fake.says(failure(400, "VALIDATION_ERROR", "Not valid.", details={"errors": fields}))
    with pytest.raises(ValidationError) as caught:
        await faked.projects.create(name="")
    error = caught.value
    assert str(error) == "Not valid. (body.name is required)"
    assert (error.status, error.request_id) == (400, "request-1")
    assert error.errors[0].code == "required"
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.code, copy.details, str(copy)) == (error.code, error.details, str(error))

    fake.says(failure(418, "TEAPOT", "Short and stout."))
    with pytest.raises(AtriumError) as unknown:
        await faked.identity.me()
    assert (type(unknown.value), unknown.value.code) == (AtriumError, "TEAPOT")


async def test_a_newer_server(faked: AsyncAtrium, fake: FakeServer) -> None:
    """Unknown fields are kept, and unknown enum values are accepted."""
    fake.says(success({**ME, "role": "AUDITOR", "shoeSize": 44}))
    me = await faked.identity.me()
    assert str(me.role) == "AUDITOR"
    assert me.model_extra == {"shoeSize": 44}


async def test_log_entries_have_no_key_body_or_token(
    fake: FakeServer, kind: Kind, caplog: pytest.LogCaptureFixture
) -> None:
    entries: list[LogEntry] = []
    fake.says(failure(500, "INTERNAL_ERROR"), failure(404, "NOT_FOUND", "No token-xyz."))
    logger = logging.getLogger("atrium-test")
    for given in (entries.append, logger):
        with caplog.at_level(logging.DEBUG, logger="atrium-test"):
            async with kind.atrium(api_key=KEY, base_url=fake.base_url, logger=given) as client:
                with pytest.raises(AtriumError):
                    await client.org.accept_invitation("token-xyz", headers={"X-S": "token-xyz"})
    assert [(entry.attempt, entry.status, entry.error) for entry in entries] == [
        (1, 500, "INTERNAL_ERROR"),
        (2, 404, "NOT_FOUND"),
    ]
    assert entries[0].path == "/invitations/{token}/accept"
    written = repr(entries) + "".join(
        record.getMessage() for record in caplog.records if record.name == "atrium-test"
    )
    assert "POST /invitations/{token}/accept: 404 NOT_FOUND in" in written
    assert "token-xyz" not in written
    assert KEY not in written


async def test_a_failing_logger_does_not_fail_the_call(fake: FakeServer, kind: Kind) -> None:
    def fail(entry: LogEntry) -> None:
        raise RuntimeError("full disk")

    fake.says(success(ME))
    async with kind.atrium(api_key=KEY, base_url=fake.base_url, logger=fail) as client:
        await client.identity.me()


async def test_headers_of_client_and_call(fake: FakeServer, kind: Kind) -> None:
    fake.says(success(ME))
    headers = {"X-Team": "a", "X-Both": "client"}
    async with kind.atrium(api_key=KEY, base_url=fake.base_url, headers=headers) as client:
        await client.identity.me(headers={"x-both": "call", "X-Request-Id": "mine"})
    sent = fake.heard[0].headers
    assert (sent["x-team"], sent["x-both"], sent["x-request-id"]) == ("a", "call", "mine")
    assert sent["user-agent"].startswith(f"atrium-sdk-python/{atrium.__version__} Python/3.")


def test_spaces_is_deprecated_and_warns_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(atrium._clients, "_warned_of_spaces", False)
    with Atrium(api_key=KEY) as client, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert client.spaces is client.projects
        assert client.spaces is client.projects
    assert [warning.category for warning in caught] == [DeprecationWarning]
    assert "client.projects" in str(caught[0].message)
    assert caught[0].filename == __file__


def test_your_own_http_client_stays_open() -> None:
    with httpx.Client() as http:
        with Atrium(api_key=KEY, http_client=http):
            pass
        assert not http.is_closed
    with Atrium(api_key=KEY) as client:
        pass
    assert client._http.is_closed


def test_exported_names() -> None:
    """Removing one of these names is a breaking change."""
    names = (
        "Atrium AsyncAtrium AtriumMemory AsyncAtriumMemory Page AsyncPage AsyncPager NOT_GIVEN "
        "Download AsyncDownload EventStream AsyncEventStream SessionEvent ReplyDelta ToolProgress "
        "NotGiven RequestOptions WaitOptions LogEntry PostedWithReplies NewMemory AtriumError "
        "AuthError ConflictError ConnectionError ForbiddenError InternalError NotAtriumError "
        "NotFoundError RateLimitError TimeoutError UsageError ValidationError __version__ "
        "errors types ChosenModel NewStatus TaskChange TaskFilters UploadProgress UploadSource"
    )
    assert sorted(atrium.__all__) == sorted(names.split())
    assert all(hasattr(atrium, name) for name in atrium.__all__)
    assert atrium.__version__ == "0.3.0"
    assert not bool(atrium.NOT_GIVEN)
    assert repr(atrium.NOT_GIVEN) == "NOT_GIVEN"
