import { shortKind } from '../../lists/record-kind.ts';
import { presentReminder } from './present.ts';
import { scanReminders } from './store.ts';

export const reminders = shortKind('reminders', scanReminders, presentReminder);
