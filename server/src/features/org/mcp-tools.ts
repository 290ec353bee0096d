import { z } from 'zod';
import { presentList } from '../../lists/present.ts';
import { READS } from '../../mcp-endpoint/tool-parts.ts';
import { defineMcpTool } from '../../mcp-endpoint/tool.ts';
import { presentMember } from './present.ts';
import { listSeenMembers, type SeenMember } from './presence.ts';
import { Member } from './schema.ts';

const Colleague = Member.pick({
  userId: true,
  name: true,
  handle: true,
  role: true,
  title: true,
  status: true,
  timeZone: true,
  presence: true,
}).extend({
  localTime: z.string().nullable().meta({
    description: 'What time it is for them, such as Wed 14:05. Null without a time zone.',
  }),
});

export const listMembersTool = defineMcpTool({
  name: 'list_members',
  title: 'List members',
  description:
    'Lists the people of the organisation: what they do, their status, their local time, and whether they are there. Mention one by handle in post_message, in a Project that they belong to.',
  scope: 'org:read',
  ...READS,
  input: z.strictObject({}),
  output: z.object({ items: z.array(Colleague), total: z.int() }),
  async run(ctx) {
    const now = ctx.clock.now();
    return presentList(await listSeenMembers(ctx), (member) => presentColleague(member, now));
  },
});

function presentColleague(seen: SeenMember, now: Date) {
  const { userId, name, handle, role, title, status, timeZone, presence } = presentMember(seen);
  const localTime = timeZone === null ? null : timeThere(timeZone, now);
  return { userId, name, handle, role, title, status, timeZone, presence, localTime };
}

/** Null for a zone that a newer version of Node knew. */
function timeThere(timeZone: string, now: Date): string | null {
  try {
    const options = {
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    } as const;
    return new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).format(now);
  } catch {
    return null;
  }
}
