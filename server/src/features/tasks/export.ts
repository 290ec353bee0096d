import { recordKind } from '../../lists/record-kind.ts';
import { presentActivity, presentTask } from './present.ts';
import { readActivity, readTasks } from './service.ts';

export const tasks = recordKind('tasks', readTasks, presentTask);
export const taskActivity = recordKind('task-activity', readActivity, presentActivity);
