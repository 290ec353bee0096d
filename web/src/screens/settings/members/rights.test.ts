import { expect, it } from 'vitest';
import type { Role } from '../../../data/web-api.ts';
import { rightsOver } from './rights.ts';

const member = (userId: string, role: Role) => ({ userId, role });

it('lets an OWNER change and remove everyone', () => {
  const rights = rightsOver(member('ada', 'OWNER'), { userId: 'me', role: 'OWNER' }, 2);
  expect(rights).toMatchObject({ roles: ['OWNER', 'ADMIN', 'MEMBER'], mayRemove: true });
});

it('keeps the last OWNER, and says why', () => {
  const rights = rightsOver(member('me', 'OWNER'), { userId: 'me', role: 'OWNER' }, 1);
  expect(rights).toMatchObject({ roles: [], mayRemove: false });
  expect(rights.why).toMatch(/last owner/);
});

it('does not let an ADMIN change an OWNER or make one', () => {
  const me = { userId: 'me', role: 'ADMIN' } as const;
  expect(rightsOver(member('ada', 'OWNER'), me, 2)).toMatchObject({ roles: [], mayRemove: false });
  expect(rightsOver(member('bob', 'MEMBER'), me, 2).roles).toEqual(['ADMIN', 'MEMBER']);
});

it('lets a MEMBER leave, and nothing else', () => {
  const me = { userId: 'me', role: 'MEMBER' } as const;
  expect(rightsOver(member('me', 'MEMBER'), me, 1)).toMatchObject({ roles: [], mayRemove: true });
  expect(rightsOver(member('bob', 'MEMBER'), me, 1)).toMatchObject({ roles: [], mayRemove: false });
});
