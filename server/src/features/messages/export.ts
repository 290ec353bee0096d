import { recordKind } from '../../lists/record-kind.ts';
import { presentMessage } from './present.ts';
import { readMessages } from './service.ts';

export const messages = recordKind('messages', readMessages, presentMessage);
