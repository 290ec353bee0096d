import { shortKind } from '../../../lists/record-kind.ts';
import { presentScheduled } from './present.ts';
import { scanScheduled } from './store.ts';

export const scheduledMessages = shortKind('scheduled-messages', scanScheduled, presentScheduled);
