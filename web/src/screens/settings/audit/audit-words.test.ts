import { describe, expect, it } from 'vitest';
import { actionInWords } from './audit-words.ts';

describe('an action in words', () => {
  it('is readable, even if this app does not know the action', () => {
    expect(actionInWords('org_key.rotated')).toBe('Organisation key rotated');
    expect(actionInWords('mcp_server.deleted')).toBe('Integration deleted');
    expect(actionInWords('org.exported')).toBe('Organisation exported');
    expect(actionInWords('project.member_added')).toBe('Person added to a project');
    expect(actionInWords('space_ship.landed_softly')).toBe('Space ship landed softly');
  });
});
