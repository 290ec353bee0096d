import { shortKind } from '../../lists/record-kind.ts';
import { presentKey } from './present.ts';
import { listKeys, myKeys, orgKeys } from './service.ts';

export const keysOfOrg = shortKind('org-keys', (ctx) => listKeys(ctx.db, orgKeys(ctx)), presentKey);
export const keysOfCaller = shortKind('keys', (ctx) => listKeys(ctx.db, myKeys(ctx)), presentKey);
