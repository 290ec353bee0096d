import { scannedKind } from '../../lists/record-kind.ts';
import { presentSession } from './present.ts';
import { scanSessions } from './store.ts';

export const sessions = scannedKind('sessions', scanSessions, presentSession);
