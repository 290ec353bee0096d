import { scannedKind, shortKind } from '../../lists/record-kind.ts';
import { scanActivity } from './activity/store.ts';
import { presentActivity, presentTask } from './present.ts';
import { scanTasks } from './store.ts';
import { presentView } from './views/present.ts';
import { listViews } from './views/store.ts';

export const tasks = scannedKind('tasks', scanTasks, presentTask);
export const taskActivity = scannedKind('task-activity', scanActivity, presentActivity);
export const taskViews = shortKind('task-views', listViews, presentView);
