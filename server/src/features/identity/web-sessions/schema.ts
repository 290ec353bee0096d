import { z } from 'zod';
import { listOf, pathId, recordId, timestamp } from '../../../core/fields.ts';

export const WebSessionList = listOf(
  z.object({
    id: recordId(),
    /** Such as "Firefox on Linux". */
    device: z.string(),
    userAgent: z.string(),
    createdAt: timestamp(),
    lastSeenAt: timestamp(),
    expiresAt: timestamp(),
    current: z.boolean(),
  }),
);

export const WebSessionPath = z.object({ id: pathId('session') });
