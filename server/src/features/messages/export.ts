import { scannedKind } from '../../lists/record-kind.ts';
import { scanMessages } from './pages/store.ts';
import { presentMessage } from './present.ts';

export const messages = scannedKind('messages', scanMessages, presentMessage);
