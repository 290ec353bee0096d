import { expect, it } from 'vitest';
import { actionInWords, actorInWords } from './audit-words.ts';

it('an action in words is readable, even if this app does not know the action', () => {
  expect(actionInWords('org_key.rotated')).toBe('Organisation key rotated');
  expect(actionInWords('mcp_server.deleted')).toBe('Integration deleted');
  expect(actionInWords('org.exported')).toBe('Organisation exported');
  expect(actionInWords('project.member_added')).toBe('Person added to a project');
  expect(actionInWords('space_ship.landed_softly')).toBe('Space ship landed softly');
});

it('what an agent did is not shown as done by the person who asked it', () => {
  const names = { person: () => 'Ada', agent: (slug: string) => `@${slug}`, orgKey: () => 'Old' };
  const inWords = (entry: Partial<Parameters<typeof actorInWords>[0]>) => {
    const nobody = { actorKind: 'user', actorUserId: 'ada', actorAgent: null, keyId: null };
    const { who, how } = actorInWords({ ...nobody, ...entry }, names);
    return `${who} ${how}`;
  };
  expect(inWords({})).toBe('Ada in the browser');
  expect(inWords({ keyId: 'k' })).toBe('Ada with an API key');
  expect(inWords({ actorAgent: 'planner' })).toBe('@planner asked by Ada');
  expect(inWords({ actorAgent: 'mcp', keyId: 'k' })).toBe('@mcp asked by Ada with an API key');
  expect(inWords({ actorKind: 'org-key', keyId: 'k' })).toBe('Old (v1 organisation key)');
  expect(inWords({ actorKind: 'system' })).toBe('Atrium automatically');
});
