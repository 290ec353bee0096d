"""Changes of many tasks, and the filters of a view, as they are sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Literal, TypedDict

from ._models import to_camel
from .types import TaskPriority, TaskStatus

TaskRunStatus = Literal["RUNNING", "COMPLETED", "FAILED", "STOPPED"]


class _TaskChange(TypedDict):
    task_id: str


class TaskChange(_TaskChange, total=False):
    """What changes in one task. None empties a field."""

    title: str
    description: str | None
    status: TaskStatus
    priority: TaskPriority
    assignee_user_id: str | None
    assignee_agent: str | None
    due_on: date | None
    labels: Sequence[str] | None
    parent_task_id: str | None
    after_task_id: str | None
    version: int
    archived: bool


class TaskFilters(TypedDict, total=False):
    """The tasks that a view shows."""

    status: Sequence[TaskStatus]
    assignee: Sequence[str]
    priority: Sequence[TaskPriority]
    run: Sequence[TaskRunStatus]
    label: str
    due: Literal["OVERDUE", "TODAY", "WEEK", "MONTH"]
    query: str


def changes_body(changes: Sequence[Mapping[str, object]]) -> list[dict[str, object]]:
    return [{to_camel(name): value for name, value in each.items()} for each in changes]
