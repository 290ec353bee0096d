import { recordKind } from '../../lists/record-kind.ts';
import { presentSession } from './present.ts';
import { readSessions } from './service.ts';

export const sessions = recordKind('sessions', readSessions, presentSession);
