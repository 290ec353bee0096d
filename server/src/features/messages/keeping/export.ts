import { isoTime } from '../../../db/utc-time.ts';
import { shortKind } from '../../../lists/record-kind.ts';
import { scanSaved } from './store.ts';

export const saved = shortKind('saved', scanSaved, ({ messageId, savedAt }) => ({
  messageId,
  savedAt: isoTime(savedAt),
}));
