import { shortKind } from '../../lists/record-kind.ts';
import { describeOrg, describePerson } from './service.ts';

export const org = shortKind(
  'org',
  async (ctx) => [await describeOrg(ctx)],
  (one) => one,
);
export const account = shortKind(
  'account',
  async (ctx) => [await describePerson(ctx)],
  (person) => person,
);
