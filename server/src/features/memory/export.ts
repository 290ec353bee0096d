import { recordKind } from '../../lists/record-kind.ts';
import { presentMemory } from './present.ts';
import { readMemories } from './service.ts';

export const memories = recordKind('memories', readMemories, presentMemory);
