import { defineRoute, type Route } from '../../http/route.ts';
import { OrgPath } from './schema.ts';

export const orgExportRoutes: Route[] = [
  defineRoute({
    operationId: 'exportOrg',
    tag: 'Org',
    method: 'GET',
    path: '/org/{orgId}/export',
    summary: 'Export the organisation',
    description:
      "Everything of the organisation as a `.tar.gz` with one JSON Lines file for each kind of record, in the format of the API. Secrets and people's PRIVATE memories are not in it. Only one export of an organisation runs at a time; a second one gets 409 `export_running`. Requires OWNER.",
    extension: true,
    auth: 'user',
    roles: ['OWNER'],
    scope: 'org:read',
    limit: 'read',
    request: { params: OrgPath },
    fileType: 'application/gzip',
    handler: (ctx) => ctx.exports.ofOrg(ctx),
  }),
];
