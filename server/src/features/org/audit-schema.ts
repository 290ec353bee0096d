import { z } from 'zod';
import { moment, pageOf, pageQuery, recordId, text, timestamp } from '../../core/fields.ts';

export const AuditEntry = z
  .object({
    id: recordId(),
    action: z
      .string()
      .meta({ description: 'What happened, such as `project.created` or `member.removed`.' }),
    resourceType: z.string(),
    resourceId: z.string().nullable().meta({
      description: 'Null for a session, or a message in one, that you may not read.',
    }),
    resourceName: z.string().nullable().meta({
      description:
        'The name that it has now. Null if it has none, no longer exists, or the caller cannot see it.',
    }),
    actorKind: z.string().meta({ description: '`user`, `org-key` or `system`.' }),
    actorUserId: recordId()
      .nullable()
      .meta({ description: 'The person, or the one who asked the agent.' }),
    actorAgent: z.string().nullable().meta({
      description: 'The slug of the agent that did it. `mcp`: an MCP client. Null if a person did.',
    }),
    keyId: recordId().nullable().meta({ description: 'The key that was used.' }),
    requestId: z.string(),
    details: z.record(z.string(), z.unknown()),
    createdAt: timestamp(),
  })
  .meta({ id: 'AuditEntry' });

export const AuditPage = pageOf(AuditEntry).meta({ id: 'AuditPage' });
export const ListAudit = pageQuery().extend({
  action: filter('Only this action, such as `project.created`.'),
  resourceType: filter('Only this type, such as `project`.'),
  resourceId: filter('Only what happened to this resource.'),
  actorUserId: filter('Only what this person did.'),
  createdAfter: moment().optional().meta({ description: 'Only entries of this time or later.' }),
  createdBefore: moment().optional().meta({ description: 'Only entries before this time.' }),
});

function filter(description: string) {
  return text({ max: 100 }).optional().meta({ description });
}
