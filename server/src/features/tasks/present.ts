import { isoTime } from '../../db/utc-time.ts';
import { presentAttached } from '../files/attaching/present.ts';
import type { ActivityRow } from './activity/store.ts';
import type { TaskRow } from './store.ts';

export function presentTask(task: TaskRow) {
  return {
    id: task.id,
    projectId: task.projectId,
    number: task.number,
    title: task.title,
    description: task.description,
    status: task.status,
    priority: task.priority,
    assigneeUserId: task.assigneeUserId,
    assigneeAgent: task.assigneeAgent,
    dueOn: task.dueOn,
    labels: task.labels,
    parentTaskId: task.parentTaskId,
    parentNumber: task.parentNumber,
    subtasks: { total: task.subtaskTotal, done: task.subtaskDone },
    attachments: task.attachments.map(presentAttached),
    sessionId: task.sessionId,
    sourceMessageId: task.sourceMessageId,
    run: task.run && {
      messageId: task.run.messageId,
      agent: task.run.agent,
      status: task.run.status,
      startedAt: task.run.startedAt,
    },
    createdById: task.createdById,
    createdByAgent: task.createdByAgent,
    version: task.version,
    createdAt: isoTime(task.createdAt),
    updatedAt: isoTime(task.updatedAt),
    startedAt: task.startedAt && isoTime(task.startedAt),
    completedAt: task.completedAt && isoTime(task.completedAt),
    archivedAt: task.archivedAt && isoTime(task.archivedAt),
  };
}

export function presentActivity(entry: ActivityRow) {
  return {
    id: entry.id,
    taskId: entry.taskId,
    version: entry.version,
    actorUserId: entry.actorUserId,
    actorAgent: entry.actorAgent,
    // In the database, the fields have another order.
    changes: entry.changes.map(({ field, from, to }) => ({ field, from, to })),
    createdAt: isoTime(entry.createdAt),
  };
}
