import { recordKind } from '../../lists/record-kind.ts';
import { presentAgent } from './present.ts';
import { readAgents } from './service.ts';

export const agents = recordKind('agents', readAgents, presentAgent);
