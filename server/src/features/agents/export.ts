import { scannedKind } from '../../lists/record-kind.ts';
import { presentAgent } from './present.ts';
import { scanAgents } from './store.ts';

export const agents = scannedKind('agents', scanAgents, presentAgent);
