import { shortKind } from '../../lists/record-kind.ts';
import { presentKey } from './present.ts';
import { listOwnedKeys, myKeys, orgKeys } from './service.ts';

export const keysOfOrg = shortKind(
  'org-keys',
  (ctx) => listOwnedKeys(ctx, orgKeys(ctx)),
  presentKey,
);
export const keysOfCaller = shortKind('keys', (ctx) => listOwnedKeys(ctx, myKeys(ctx)), presentKey);
