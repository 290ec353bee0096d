import { defineRoute, type Route } from '../../http/route.ts';
import { presentPage } from '../../lists/present.ts';
import { listAudit } from '../audit/service.ts';
import { AuditPage, ListAudit } from './audit-schema.ts';
import { presentAuditEntry } from './present.ts';
import { OrgPath } from './schema.ts';

export const auditRoutes: Route[] = [
  defineRoute({
    operationId: 'listAudit',
    tag: 'Org',
    method: 'GET',
    path: '/org/{orgId}/audit',
    summary: 'Read the audit log',
    description:
      'Who did what to which resource, with which key, newest first. Filters apply to the whole log and can be combined. Requires OWNER or ADMIN.',
    extension: true,
    auth: 'user',
    roles: ['OWNER', 'ADMIN'],
    scope: 'org:read',
    limit: 'read',
    request: { params: OrgPath, query: ListAudit },
    response: AuditPage,
    example: {
      response: {
        items: [
          {
            id: 'cmf3k2v8q0009x5p7h9d4t6wz',
            action: 'project.created',
            resourceType: 'project',
            resourceId: 'cmf3k2v8q0001x5p7h9d4t6wz',
            resourceName: 'Pricing 2027',
            actorKind: 'user',
            actorUserId: 'cmf3k2v8q0000x5p7h9d4t6wz',
            actorAgent: null,
            keyId: 'cmf3k2v8q0002x5p7h9d4t6wz',
            requestId: 'b7c1a0de-6b1f-4a53-9f3e-2f0c7f4d8e11',
            details: {},
            createdAt: '2026-11-15T09:30:00.000Z',
          },
        ],
        total: 1,
        page: 1,
        limit: 20,
      },
    },
    handler: async (ctx, { query }) =>
      presentPage(await listAudit(ctx, query), query, presentAuditEntry),
  }),
];
