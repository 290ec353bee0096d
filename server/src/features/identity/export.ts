import { shortKind } from '../../lists/record-kind.ts';
import { describePerson } from './service.ts';

export const account = shortKind(
  'account',
  async (ctx) => [await describePerson(ctx)],
  (person) => person,
);
