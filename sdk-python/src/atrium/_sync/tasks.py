from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Literal

from .._models import NOT_GIVEN, NotGiven
from .._namespace import Namespace
from .._options import RequestOptions
from .._pages import Page
from .._task_changes import TaskChange, TaskFilters, TaskRunStatus, changes_body
from .._typing import Unpack
from ..types import (
    Session,
    Task,
    TaskActivity,
    TaskActivityList,
    TaskList,
    TaskPage,
    TaskPriority,
    TaskStatus,
    TaskView,
    TaskViewList,
    UpdatedTaskList,
)

TaskSort = Literal["rank", "dueOn", "priority", "updatedAt"]
TaskLayout = Literal["BOARD", "LIST"]
TaskGroups = Literal["NONE", "STATUS", "ASSIGNEE", "PRIORITY", "DUE"]

TASKS = "/projects/{projectId}/tasks"
TASK = "/projects/{projectId}/tasks/{taskId}"
VIEWS = "/task-views"
VIEW = "/task-views/{id}"


class Tasks(Namespace):
    """Tasks: work in a Project that people and agents share."""

    def list(
        self,
        project_id: str,
        *,
        page: int | None = None,
        limit: int | None = None,
        status: Sequence[TaskStatus] | None = None,
        assignee_user_id: str | None = None,
        assignee_agent: str | None = None,
        assignee: Sequence[str] | None = None,
        priority: Sequence[TaskPriority] | None = None,
        run: Sequence[TaskRunStatus] | None = None,
        label: str | None = None,
        due_before: date | None = None,
        parent_task_id: str | None = None,
        number: int | None = None,
        query: str | None = None,
        archived: bool | None = None,
        sort: TaskSort | None = None,
        **options: Unpack[RequestOptions],
    ) -> Page[Task]:
        """Lists a Project's tasks, by column and place unless `sort` says otherwise."""
        filters = {
            "page": page,
            "limit": limit,
            "status": status,
            "assigneeUserId": assignee_user_id,
            "assigneeAgent": assignee_agent,
            "assignee": assignee,
            "priority": priority,
            "run": run,
            "label": label,
            "dueBefore": due_before,
            "parentTaskId": parent_task_id,
            "number": number,
            "query": query,
            "archived": archived,
            "sort": sort,
        }
        return self._list(TaskPage, TASKS, project_id, query=filters, options=options)

    def list_all(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        status: Sequence[TaskStatus] | None = None,
        assignee_user_id: str | None = None,
        assignee_agent: str | None = None,
        assignee: Sequence[str] | None = None,
        priority: Sequence[TaskPriority] | None = None,
        run: Sequence[TaskRunStatus] | None = None,
        label: str | None = None,
        due_before: date | None = None,
        parent_task_id: str | None = None,
        number: int | None = None,
        query: str | None = None,
        archived: bool | None = None,
        sort: TaskSort | None = None,
        **options: Unpack[RequestOptions],
    ) -> Page[Task]:
        """Lists the tasks of all your Projects. `assignee_user_id="me"` lists your own."""
        filters = {
            "page": page,
            "limit": limit,
            "status": status,
            "assigneeUserId": assignee_user_id,
            "assigneeAgent": assignee_agent,
            "assignee": assignee,
            "priority": priority,
            "run": run,
            "label": label,
            "dueBefore": due_before,
            "parentTaskId": parent_task_id,
            "number": number,
            "query": query,
            "archived": archived,
            "sort": sort,
        }
        return self._list(TaskPage, "/tasks", query=filters, options=options)

    def create(
        self,
        project_id: str,
        *,
        title: str,
        description: str | None = None,
        status: TaskStatus | None = None,
        priority: TaskPriority | None = None,
        assignee_user_id: str | None = None,
        assignee_agent: str | None = None,
        due_on: date | None = None,
        labels: Sequence[str] | None = None,
        parent_task_id: str | None = None,
        source_message_id: str | None = None,
        after_task_id: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Task:
        """Creates a task. It gets the next number of the Project."""
        body = {
            "title": title,
            "description": description,
            "status": status,
            "priority": priority,
            "assigneeUserId": assignee_user_id,
            "assigneeAgent": assignee_agent,
            "dueOn": due_on,
            "labels": labels,
            "parentTaskId": parent_task_id,
            "sourceMessageId": source_message_id,
            "afterTaskId": after_task_id,
        }
        return self._call(Task, "POST", TASKS, project_id, body=body, options=options)

    def decide(
        self,
        project_id: str,
        *,
        accept: Sequence[str] | None = None,
        decline: Sequence[str] | None = None,
        **options: Unpack[RequestOptions],
    ) -> TaskList:
        """Accepts and declines proposed tasks, several at once."""
        path = "/projects/{projectId}/tasks/proposals"
        body = {"accept": accept, "decline": decline}
        return self._call(TaskList, "POST", path, project_id, body=body, options=options)

    def get(self, project_id: str, task_id: str, **options: Unpack[RequestOptions]) -> Task:
        """Gets a task by id, archived or not."""
        return self._call(Task, "GET", TASK, project_id, task_id, options=options)

    def update(
        self,
        project_id: str,
        task_id: str,
        *,
        title: str | NotGiven | None = NOT_GIVEN,
        description: str | NotGiven | None = NOT_GIVEN,
        status: TaskStatus | NotGiven | None = NOT_GIVEN,
        priority: TaskPriority | NotGiven | None = NOT_GIVEN,
        assignee_user_id: str | NotGiven | None = NOT_GIVEN,
        assignee_agent: str | NotGiven | None = NOT_GIVEN,
        due_on: date | NotGiven | None = NOT_GIVEN,
        labels: Sequence[str] | NotGiven | None = NOT_GIVEN,
        parent_task_id: str | NotGiven | None = NOT_GIVEN,
        after_task_id: str | NotGiven | None = NOT_GIVEN,
        version: int | NotGiven | None = NOT_GIVEN,
        **options: Unpack[RequestOptions],
    ) -> Task:
        """Updates the given fields. With `version`, it fails if the task has changed meanwhile."""
        body = {
            "title": title,
            "description": description,
            "status": status,
            "priority": priority,
            "assigneeUserId": assignee_user_id,
            "assigneeAgent": assignee_agent,
            "dueOn": due_on,
            "labels": labels,
            "parentTaskId": parent_task_id,
            "afterTaskId": after_task_id,
            "version": version,
        }
        return self._call(Task, "PATCH", TASK, project_id, task_id, body=body, options=options)

    def update_many(
        self,
        project_id: str,
        *,
        changes: Sequence[TaskChange],
        **options: Unpack[RequestOptions],
    ) -> UpdatedTaskList:
        """Changes up to 100 tasks at once. `error` of an item says why its change was refused."""
        body = {"changes": changes_body(changes)}
        return self._call(UpdatedTaskList, "PATCH", TASKS, project_id, body=body, options=options)

    def archive(self, project_id: str, task_id: str, **options: Unpack[RequestOptions]) -> None:
        """Archives a task. It keeps its number and its place."""
        self._do("DELETE", TASK, project_id, task_id, options=options)

    def restore(self, project_id: str, task_id: str, **options: Unpack[RequestOptions]) -> Task:
        """Undoes an archive."""
        path = "/projects/{projectId}/tasks/{taskId}/restore"
        return self._call(Task, "POST", path, project_id, task_id, options=options)

    def open_session(
        self, project_id: str, task_id: str, **options: Unpack[RequestOptions]
    ) -> Session:
        """Opens the session where the task is discussed. The first call creates it."""
        path = "/projects/{projectId}/tasks/{taskId}/session"
        return self._call(Session, "PUT", path, project_id, task_id, options=options)

    def set_files(
        self,
        project_id: str,
        task_id: str,
        *,
        file_ids: Sequence[str],
        **options: Unpack[RequestOptions],
    ) -> Task:
        """Sets the files that the task has: those that are left out are removed from it."""
        path = "/projects/{projectId}/tasks/{taskId}/files"
        body = {"fileIds": file_ids}
        return self._call(Task, "PUT", path, project_id, task_id, body=body, options=options)

    def start(
        self,
        project_id: str,
        task_id: str,
        *,
        agent: str | None = None,
        instructions: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Task:
        """Has an agent work on the task. Its reply moves the task to IN_REVIEW."""
        path = "/projects/{projectId}/tasks/{taskId}/start"
        body = {"agent": agent, "instructions": instructions}
        return self._call(Task, "POST", path, project_id, task_id, body=body, options=options)

    def list_activity(
        self,
        project_id: str,
        task_id: str,
        *,
        before: str | None = None,
        limit: int | None = None,
        **options: Unpack[RequestOptions],
    ) -> Page[TaskActivity]:
        """Lists who changed what in a task, newest first."""
        path = "/projects/{projectId}/tasks/{taskId}/activity"
        query = {"before": before, "limit": limit}
        return self._list(TaskActivityList, path, project_id, task_id, query=query, options=options)

    def list_views(self, **options: Unpack[RequestOptions]) -> Page[TaskView]:
        """Lists your views of tasks, in your order."""
        return self._list(TaskViewList, VIEWS, options=options)

    def create_view(
        self,
        *,
        name: str,
        project_id: str | None = None,
        layout: TaskLayout | None = None,
        filters: TaskFilters | None = None,
        sort: TaskSort | None = None,
        group_by: TaskGroups | None = None,
        after_view_id: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> TaskView:
        """Saves a view: filters, an order and a layout, of one Project or of all of yours."""
        body = {
            "name": name,
            "projectId": project_id,
            "layout": layout,
            "filters": filters,
            "sort": sort,
            "groupBy": group_by,
            "afterViewId": after_view_id,
        }
        return self._call(TaskView, "POST", VIEWS, body=body, options=options)

    def update_view(
        self,
        id: str,
        *,
        name: str | NotGiven | None = NOT_GIVEN,
        layout: TaskLayout | NotGiven | None = NOT_GIVEN,
        filters: TaskFilters | NotGiven | None = NOT_GIVEN,
        sort: TaskSort | NotGiven | None = NOT_GIVEN,
        group_by: TaskGroups | NotGiven | None = NOT_GIVEN,
        after_view_id: str | NotGiven | None = NOT_GIVEN,
        **options: Unpack[RequestOptions],
    ) -> TaskView:
        """Changes a view's name, what it shows, or its place."""
        body = {
            "name": name,
            "layout": layout,
            "filters": filters,
            "sort": sort,
            "groupBy": group_by,
            "afterViewId": after_view_id,
        }
        return self._call(TaskView, "PATCH", VIEW, id, body=body, options=options)

    def delete_view(self, id: str, **options: Unpack[RequestOptions]) -> None:
        """Deletes a view. The tasks stay as they are."""
        self._do("DELETE", VIEW, id, options=options)
