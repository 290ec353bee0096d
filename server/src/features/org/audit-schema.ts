import { z } from 'zod';
import { pageOf, pageQuery, pathId, recordId, timestamp } from '../../http/fields.ts';

export const AuditEntry = z
  .object({
    id: recordId(),
    action: z
      .string()
      .meta({ description: 'What happened, such as `project.created` or `member.removed`.' }),
    resourceType: z.string(),
    resourceId: z.string(),
    actorKind: z.string().meta({ description: '`user`, `org-key` or `system`.' }),
    actorUserId: recordId().nullable(),
    keyId: recordId().nullable().meta({ description: 'The key that was used.' }),
    requestId: z.string(),
    details: z.record(z.string(), z.unknown()),
    createdAt: timestamp(),
  })
  .meta({ id: 'AuditEntry' });

export const AuditPage = pageOf(AuditEntry).meta({ id: 'AuditPage' });
export const ListAudit = pageQuery();
export const OrgPath = z.object({ orgId: pathId('org') });
