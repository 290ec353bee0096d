"""Every namespace against the real server, with the sync and the async client."""

from __future__ import annotations

import inspect
import re
import tarfile
import time
import uuid
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from atrium import (
    AsyncAtrium,
    AuthError,
    ConflictError,
    ForbiddenError,
    NotFoundError,
    RateLimitError,
    ValidationError,
)
from atrium.types import Project, Session

from .either import Kind
from .server import READ_LIMIT, Server


def unique(name: str) -> str:
    return f"{name} {uuid.uuid4().hex[:8]}"


async def make_session(client: AsyncAtrium) -> tuple[Project, Session]:
    project = await client.projects.create(name=unique("Talk"))
    return project, await client.sessions.create(project.slug, name="Price list")


async def test_projects(client: AsyncAtrium, server: Server) -> None:
    project = await client.projects.create(name=unique("Pricing"), description="d", tags=["a", "b"])
    assert project.request_id
    assert project.created_at.tzinfo is not None
    assert (await client.projects.get(project.id)) == project
    kept = await client.projects.update(project.id, name="Renamed")
    assert (kept.name, kept.slug, kept.description) == ("Renamed", project.slug, "d")
    cleared = await client.projects.update(
        project.id,
        description=None,
        tags=["c"],
        access="MEMBERS",
        default_agent="recall",
        broadcasts="ADMINS",
    )
    assert (cleared.description, cleared.tags, cleared.access) == (None, ["c"], "MEMBERS")
    assert cleared.default_agent == "recall"
    assert cleared.broadcasts == "ADMINS"
    member = await client.projects.add_member(project.id, server.user_id)
    assert member.role == "OWNER"
    members = await client.projects.list_members(project.id)
    assert [each.user_id for each in members.items] == [server.user_id]
    assert (members.total, members.has_next_page) == (1, False)
    await client.projects.remove_member(project.id, server.user_id)
    assert project.id in [each.id async for each in client.projects.list()]
    await client.projects.archive(project.id)
    assert (await client.projects.get(project.id)).archived_at is not None
    assert (await client.projects.restore(project.id)).archived_at is None


async def test_rename_org(client: AsyncAtrium, server: Server) -> None:
    renamed = await client.org.update(server.org_id, name=unique("Team"))
    assert (await client.org.update(server.org_id)).name == renamed.name
    assert (await client.org.update(server.org_id, link_previews=True)) == renamed
    assert (await client.org.get(server.org_id)) == renamed
    assert (await client.identity.me()).org.name == renamed.name


async def test_sessions(client: AsyncAtrium, server: Server) -> None:
    project, session = await make_session(client)
    assert session.participant_user_ids == [server.user_id]
    titled = await client.sessions.update(project.slug, session.id, title="T", model="recall")
    assert (titled.title, titled.model) == ("T", "recall")
    cleared = await client.sessions.update(project.slug, session.id, title=None)
    assert (cleared.title, cleared.model) == (None, "recall")
    emptied = await client.sessions.update(project.slug, session.id, participant_user_ids=[])
    assert (emptied.access, emptied.participant_user_ids) == ("PROJECT", [])
    secret = await client.sessions.create(project.slug, name="Ours", access="PARTICIPANTS")
    assert secret.access == "PARTICIPANTS"
    alone = await client.sessions.update(project.slug, secret.id, answers_without_mention=True)
    assert alone.answers_without_mention
    await client.sessions.archive(project.slug, secret.id)
    message = await client.messages.post(project.slug, session.id, body="Hello")
    read = await client.sessions.mark_read(project.slug, session.id, message_id=message.id)
    assert read.unread_count == 0
    again = await client.sessions.mark_unread(project.slug, session.id, message_id=message.id)
    assert again.unread_count == 0
    assert session.id in [each.id async for each in client.sessions.list_all(limit=100)]
    await client.sessions.mark_all_read()
    unread = await client.sessions.list_all(unread=True)
    assert (unread.items, unread.unread_total) == ([], 0)
    await client.messages.post(project.slug, session.id, body="Yes", parent_message_id=message.id)
    threads = await client.messages.list_threads()
    assert threads.items[0].id == message.id
    with pytest.raises(ValidationError):
        await client.sessions.open_direct(user_ids=[session.created_by_id])
    await client.sessions.leave(project.slug, session.id)
    assert not (await client.sessions.get(project.slug, session.id)).is_followed
    reach = await client.sessions.get_reach(project.slug, session.id)
    assert reach.may_broadcast
    followed = await client.sessions.follow(project.slug, session.id, level="MENTIONS")
    assert (followed.is_followed, followed.level) == (True, "MENTIONS")
    assert session.id in {each.id for each in (await client.sessions.list_all(followed=True)).items}
    assert (await client.sessions.mute(project.slug, session.id, muted=True)).muted
    details = await client.sessions.get(project.slug, session.id)
    assert (details.id, details.answers_as, details.summary) == (session.id, "recall", None)
    await client.sessions.archive(project.slug, session.id)
    archived = await client.sessions.list(project.slug, status="ARCHIVED")
    assert {each.id for each in archived.items} == {session.id, secret.id}
    assert (await client.sessions.list(project.slug)).items == []
    with pytest.raises(ConflictError) as caught:
        await client.messages.post(project.slug, session.id, body="Too late")
    assert caught.value.reason == "session_archived"
    assert (await client.sessions.restore(project.slug, session.id)).status == "ACTIVE"


async def test_messages(client: AsyncAtrium) -> None:
    project, session = await make_session(client)
    slug = project.slug
    message = await client.messages.post(slug, session.id, body="Shall we?")
    reply = await client.messages.post(slug, session.id, body="No.", parent_message_id=message.id)
    thread = await client.messages.list(slug, session.id, parent_message_id=message.id)
    assert [each.id for each in thread.items] == [reply.id]
    found = await client.messages.search(query="shall", session_id=session.id, limit=1)
    [match] = found.items
    assert (match.message.id, match.project.slug, match.session.id) == (
        message.id,
        slug,
        session.id,
    )
    assert (match.highlights[0].start, match.highlights[0].end) == (0, 5)
    reaction = await client.messages.react(slug, message.id, emoji="❤️")
    assert reaction.emoji == "❤️"
    assert (await client.messages.get(slug, message.id)).reactions[0].count == 1
    await client.messages.unreact(slug, message.id, "❤️")
    assert (await client.messages.get(slug, message.id)).reactions == []
    assert (await client.messages.edit(slug, reply.id, body="Not yet.")).edited_at is not None
    assert (await client.messages.edit(slug, reply.id, hide_previews=True)).previews == []
    with pytest.raises(ConflictError) as caught:
        await client.messages.retry(slug, reply.id)
    assert caught.value.reason == "reply_not_failed"
    with pytest.raises(NotFoundError):
        await client.messages.stop_reply(slug, message.id, "model")
    await client.messages.delete(slug, reply.id)
    assert (await client.messages.get(slug, reply.id)).body == ""
    window = client.messages.list(slug, session.id, around=message.id, limit=1)
    assert [each.id async for each in window] == [message.id]


async def test_a_repeated_post_is_replayed(client: AsyncAtrium) -> None:
    name, key = unique("Once"), str(uuid.uuid4())
    first = await client.projects.create(name=name, idempotency_key=key)
    second = await client.projects.create(name=name, idempotency_key=key)
    assert second == first
    assert second.request_id != first.request_id
    with pytest.raises(ConflictError) as caught:
        await client.projects.create(name=unique("Other"), idempotency_key=key)
    assert caught.value.reason == "idempotency_key_reused"
    with pytest.raises(ConflictError) as caught:
        await client.projects.create(name=name)
    assert caught.value.details["slug"] == first.slug


async def test_memory(client: AsyncAtrium) -> None:
    tag = unique("tag")
    start = datetime.now(timezone.utc) - timedelta(minutes=1)
    made = await client.memory.create(
        content="Seats cost 12 EUR.",
        visibility="PRIVATE",
        tags=[tag],
        source_url="https://a.example",
    )
    assert await client.memory.get(made.id) == made
    changed = await client.memory.update(made.id, source_url=None, visibility="ORG")
    assert (changed.source_url, changed.tags, changed.visibility) == (None, [tag], "ORG")
    assert [each.id async for each in client.memory.list(tag=tag)] == [made.id]
    found = await client.memory.search(query="price of a seat", tags=[tag], created_after=start)
    assert [match.id for match in found] == [made.id]
    assert 0 <= found.items[0].scores.lexical <= 1
    assert found.request_id
    later = await client.memory.search(
        query="price", tags=[tag], created_after=start + timedelta(hours=1)
    )
    assert later.items == []
    await client.memory.delete(made.id)
    with pytest.raises(NotFoundError):
        await client.memory.get(made.id)


async def test_v1_memories(client: AsyncAtrium, server: Server, kind: Kind) -> None:
    key = await client.keys.create_org_key(server.org_id, name="Import")
    assert key.key not in repr(key)
    async with kind.memory(api_key=key.key, base_url=server.base_url) as memory:
        tag = unique("v1")
        made = await memory.memories.create(content="On Thursdays.", visibility="ORG", tags=[tag])
        assert made.owner_user_id is None
        assert (await memory.memories.get(made.id)).id == made.id
        await memory.memories.update(made.id, content="On Mondays.")
        assert [each.content async for each in memory.memories.list(tag=tag)] == ["On Mondays."]
        assert (await memory.memories.search(query="which day?", tags=[tag])).items[0].id == made.id
        with pytest.raises(ForbiddenError) as caught:
            await memory.memories.create(content="psst", visibility="PRIVATE")
        assert caught.value.reason == "role"
        await memory.memories.delete(made.id)
        assert (await client.keys.revoke_org_key(server.org_id, key.id)).revoked_at is not None
        with pytest.raises(AuthError):
            await memory.memories.get(made.id)


async def test_keys(client: AsyncAtrium, server: Server, kind: Kind) -> None:
    key = await client.keys.create(name="Reader", scopes=["projects:read"])
    assert key.secret not in repr(key)
    async with kind.atrium(api_key=key.secret, base_url=server.base_url) as reader:
        await reader.projects.list(limit=1)
        with pytest.raises(ForbiddenError) as caught:
            await reader.projects.create(name="No")
        assert caught.value.reason == "missing_scope"
        assert caught.value.details["scopes"] == ["projects:write"]
    rotated = await client.keys.rotate(key.id, grace_period_seconds=60)
    assert rotated.replaced_key_id == key.id
    assert rotated.id in [each.id for each in (await client.keys.list()).items]
    assert (await client.keys.revoke(rotated.id)).revoked_at is not None
    org_key = await client.keys.create_org_key(server.org_id, name="K", scopes=["memory:read"])
    next_key = await client.keys.rotate_org_key(server.org_id, org_key.id)
    assert next_key.key.startswith("sk_live_")
    assert next_key.id in [each.id async for each in client.keys.list_org_keys(server.org_id)]


async def test_org_and_identity(client: AsyncAtrium, server: Server) -> None:
    me = await client.identity.me()
    assert (me.user_id, me.org.id, me.role) == (server.user_id, server.org_id, "OWNER")
    renamed = await client.identity.update(handle="sdk.user", email_notifications="ALL")
    assert (renamed.handle, renamed.email_notifications) == ("sdk.user", "ALL")
    told = await client.notifications.list(unread=True, limit=1)
    assert told.unread_total is not None
    earlier = datetime.now(timezone.utc) - timedelta(seconds=1)
    assert (await client.notifications.mark_read(until=earlier)).unread_total >= 0
    assert (await client.notifications.mark_read(task_id="none")).unread_total >= 0
    made = await client.org.create(name="Another")
    assert (made.name, made.role) == ("Another", "OWNER")
    with pytest.raises(ForbiddenError) as elsewhere:
        await client.org.list_members(made.id)
    assert elsewhere.value.reason == "wrong_org"
    email = f"{uuid.uuid4().hex[:8]}@example.com"
    invitation = await client.org.invite(me.org.id, email=email, role="MEMBER")
    pending = await client.org.list_invitations(me.org.id)
    assert email in [each.email for each in pending.items]
    token = wait_for_invitation(server.data / "mail", email)
    with pytest.raises(ForbiddenError) as caught:
        await client.org.accept_invitation(token)
    assert caught.value.reason == "wrong_invitee"
    resent = await client.org.resend_invitation(me.org.id, invitation.id)
    assert resent.id == invitation.id
    await client.org.revoke_invitation(me.org.id, invitation.id)
    members = await client.org.list_members(me.org.id)
    assert server.user_id in [each.user_id for each in members.items]
    with pytest.raises(ConflictError) as conflict:
        await client.org.update_member(me.org.id, me.user_id, role="MEMBER")
    assert conflict.value.reason == "last_owner"
    with pytest.raises(NotFoundError):
        await client.org.remove_member(me.org.id, "c" + "0" * 24)
    entry = (await client.org.list_audit(me.org.id, limit=1)).items[0]
    assert (entry.actor_user_id, bool(entry.request_id)) == (me.user_id, True)
    later = entry.created_at + timedelta(days=1)
    assert (await client.org.list_audit(me.org.id, created_after=later)).total == 0
    assert (await client.org.list_audit(me.org.id, action="no.such")).items == []


async def test_exports_arrive_as_files(client: AsyncAtrium, server: Server, tmp_path: Path) -> None:
    me = await client.identity.me()
    for name, download in (
        ("org", await client.org.export(me.org.id)),
        ("account", await client.identity.export()),
    ):
        path = tmp_path / f"{name}.tar.gz"
        saved: Any = download.save(path)
        if inspect.isawaitable(saved):
            await saved
        with tarfile.open(path) as archive:
            file = archive.extractfile(f"{name}.jsonl")
            assert file is not None
            assert me.org.id in file.read().decode() or name == "account"
    with pytest.raises(ForbiddenError):
        await client.org.export("c" + "0" * 24)


def wait_for_invitation(folder: Path, email: str) -> str:
    for _ in range(600):
        for file in folder.glob(f"*{email}*"):
            text = re.sub(r"=\r?\n", "", file.read_text())
            if match := re.search(r"/invite/([\w-]+)", text):
                return match[1]
        time.sleep(0.1)
    raise AssertionError(f"no email to {email}")


async def test_billing(client: AsyncAtrium) -> None:
    credits = await client.billing.credits()
    assert credits.plan in ("free", "pro", "team", "enterprise")
    assert [entry.kind async for entry in client.billing.ledger(limit=1)][-1] == "GRANT"
    today = datetime.now(timezone.utc).date()
    usage = await client.billing.usage(from_=today - timedelta(days=3), to=today)
    assert usage.total == len(usage.items)
    assert (await client.billing.topup(pack="small")).url.startswith("http")
    assert (await client.billing.topup(credits=100)).id
    with pytest.raises(ValidationError):
        await client.billing.topup()
    checkout = await client.billing.checkout(plan="pro", success_url="https://a.example/done")
    assert checkout.id


async def test_mcp_and_models(client: AsyncAtrium) -> None:
    assert "recall" in [model.slug for model in (await client.models.list()).items]
    with pytest.raises(ValidationError) as caught:
        await client.mcp.create(
            display_name="Inside",
            mention_slug="inside",
            endpoint_url="https://127.0.0.1/mcp",
            auth_type="NONE",
        )
    assert [error.location for error in caught.value.errors] == ["body.endpointUrl"]
    assert (await client.mcp.list()).items == []
    nobody = "c" + "0" * 24
    with pytest.raises(NotFoundError):
        await client.mcp.test_connection(nobody)
    with pytest.raises(NotFoundError):
        await client.mcp.bind_projects(nobody, project_ids=[])
    with pytest.raises(NotFoundError):
        await client.mcp.delete(nobody)


async def test_model_providers(client: AsyncAtrium) -> None:
    slug = f"house-{uuid.uuid4().hex[:8]}"
    made = await client.models.create_provider(
        kind="openai-compatible",
        name="Ours",
        base_url="https://93.184.216.34:22/v1",
        api_key="k",
        models=[{"slug": slug, "model": "m"}],
    )
    assert made.has_key
    assert made.models[0].slug == slug
    changed = await client.models.update_provider(made.id, api_key=None, is_enabled=False)
    assert not changed.has_key
    assert not changed.is_enabled
    assert made.id in [each.id for each in (await client.models.list_providers()).items]
    assert not (await client.models.test_provider(made.id)).ok
    assert (await client.models.list_offered(made.id)).error is not None
    await client.models.delete_provider(made.id)


async def test_agents(client: AsyncAtrium) -> None:
    slug = f"helper-{uuid.uuid4().hex[:8]}"
    made = await client.agents.create(slug=slug, name="Helper", tools=["remember"])
    assert [agent.id for agent in (await client.agents.list()).items] == [made.id]
    changed = await client.agents.update(made.id, instructions="Be brief.", tools=None)
    assert (changed.instructions, changed.tools, changed.slug) == ("Be brief.", [], slug)
    await client.agents.archive(made.id)
    assert (await client.agents.get(made.id)).archived_at is not None
    assert (await client.agents.list()).items == []
    assert made.id in [agent.id for agent in (await client.agents.list(archived=True)).items]
    assert (await client.agents.restore(made.id)).archived_at is None
    await client.agents.archive(made.id)


async def test_429_from_the_real_server(client: AsyncAtrium, server: Server, kind: Kind) -> None:
    key = await client.keys.create(name="Busy", scopes=["projects:read"])
    async with kind.atrium(api_key=key.secret, base_url=server.base_url, max_retries=0) as busy:
        for _ in range(READ_LIMIT):
            await busy.projects.list(limit=1)
        with pytest.raises(RateLimitError) as caught:
            await busy.projects.list(limit=1)
    assert caught.value.retry_after is not None
    assert 1 <= caught.value.retry_after <= 60
    assert caught.value.details["limit"] == READ_LIMIT


async def test_tasks(client: AsyncAtrium) -> None:
    project = await client.projects.create(name=f"Tasks {uuid.uuid4().hex[:8]}")
    made = await client.tasks.create(project.id, title="Compare", due_on=date(2027, 3, 31))
    other = await client.tasks.create(project.id, title="Think", status="PROPOSED")
    both = await client.tasks.list(project.id, status=["TODO", "PROPOSED"])
    assert [task.id for task in both.items] == [other.id, made.id]
    changed = await client.tasks.update(project.id, made.id, priority="HIGH", version=made.version)
    assert (changed.priority, str(changed.due_on)) == ("HIGH", "2027-03-31")
    with pytest.raises(ConflictError) as caught:
        await client.tasks.update(project.id, made.id, title="x", version=made.version)
    assert caught.value.details["reason"] == "version_conflict"
    decided = await client.tasks.decide(project.id, decline=[other.id])
    assert [task.status for task in decided.items] == ["CANCELLED"]
    session = await client.tasks.open_session(project.id, made.id)
    assert session.task_id == made.id
    started = await client.tasks.start(project.id, made.id, agent="recall")
    assert (started.status, started.session_id) == ("IN_PROGRESS", session.id)
    activity = await client.tasks.list_activity(project.id, made.id)
    assert [entry.version for entry in activity.items][-2:] == [2, 1]
    await client.tasks.archive(project.id, made.id)
    assert (await client.tasks.get(project.id, made.id)).archived_at is not None
    assert (await client.tasks.restore(project.id, made.id)).archived_at is None
    assert project.id in {task.project_id for task in (await client.tasks.list_all()).items}
