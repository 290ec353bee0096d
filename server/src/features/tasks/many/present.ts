import { presentTask } from '../present.ts';
import type { UpdatedTask } from './service.ts';

export function presentUpdated({ taskId, task, wasAfterTaskId, error }: UpdatedTask) {
  return {
    taskId,
    task: task ? presentTask(task) : null,
    wasAfterTaskId,
    error: error ? { code: error.code, message: error.message, details: error.details } : null,
  };
}
