import { describe, expect, it } from 'vitest';
import { actionInWords, matches } from './words.ts';

describe('an action in words', () => {
  it('is readable, even if this app does not know the action', () => {
    expect(actionInWords('org_key.rotated')).toBe('Organisation key rotated');
    expect(actionInWords('mcp_server.deleted')).toBe('Integration deleted');
    expect(actionInWords('project.member_added')).toBe('Person added to a project');
    expect(actionInWords('space_ship.landed_softly')).toBe('Space ship landed softly');
  });
});

describe('matches', () => {
  it('needs every word, in any order and case', () => {
    expect(matches('API key revoked key.revoked Ada', 'ada KEY')).toBe(true);
    expect(matches('API key revoked key.revoked Ada', 'ada created')).toBe(false);
    expect(matches('anything', '')).toBe(true);
  });
});
