/**
 * Every route × every caller, pinned. The resources belong to the OWNER: a MEMBERS Project with
 * `member` in it and `outsider` not, a memory and an agent of it, and keys of the OWNER and of the org. A
 * new route fails this test until somebody has decided who may call it.
 */
export const CALLERS = [
  'owner',
  'admin',
  'member',
  'outsider',
  'removed',
  'stranger',
  'v1Key',
  'revoked',
  'none',
] as const;
export type CallerName = (typeof CALLERS)[number];

//                                             owner admin member outsider removed stranger v1Key revoked none
export const EXPECTED: Record<string, number[]> = {
  'GET /api/projects': /*                    */ [200, 200, 200, 200, 401, 200, 401, 401, 401],
  'POST /api/projects': /*                   */ [201, 201, 201, 201, 401, 201, 401, 401, 401],
  'GET /api/projects/{projectId}': /*        */ [200, 200, 200, 403, 401, 404, 401, 401, 401],
  'PATCH /api/projects/{projectId}': /*      */ [200, 200, 403, 403, 401, 404, 401, 401, 401],
  'DELETE /api/projects/{projectId}': /*     */ [204, 204, 403, 403, 401, 404, 401, 401, 401],
  'POST /api/projects/{projectId}/restore': /**/ [200, 200, 403, 403, 401, 404, 401, 401, 401],
  'GET /api/projects/{projectId}/members': /**/ [200, 200, 200, 403, 401, 404, 401, 401, 401],
  'PUT /api/projects/{projectId}/members/{userId}': [200, 200, 403, 403, 401, 404, 401, 401, 401],
  'DELETE /api/projects/{projectId}/members/{userId}': [
    204, 204, 403, 403, 401, 404, 401, 401, 401,
  ],
  'GET /api/spaces/{slug}/sessions': /*      */ [200, 200, 200, 403, 401, 404, 401, 401, 401],
  'POST /api/spaces/{slug}/sessions': /*     */ [201, 201, 201, 403, 401, 404, 401, 401, 401],
  'GET /api/spaces/{slug}/sessions/{sessionId}': [200, 200, 200, 403, 401, 404, 401, 401, 401],
  'PATCH /api/spaces/{slug}/sessions/{sessionId}': [200, 200, 200, 403, 401, 404, 401, 401, 401],
  'DELETE /api/spaces/{slug}/sessions/{sessionId}': [204, 204, 403, 403, 401, 404, 401, 401, 401],
  'POST /api/spaces/{slug}/sessions/{sessionId}/restore': [
    200, 200, 403, 403, 401, 404, 401, 401, 401,
  ],
  'PUT /api/spaces/{slug}/sessions/{sessionId}/read': [200, 200, 200, 403, 401, 404, 401, 401, 401],
  'PUT /api/spaces/{slug}/sessions/{sessionId}/unread': [
    200, 200, 200, 403, 401, 404, 401, 401, 401,
  ],
  'GET /api/sessions': /*                    */ [200, 200, 200, 200, 401, 200, 401, 401, 401],
  'POST /api/direct': /*                     */ [200, 200, 200, 200, 401, 400, 401, 401, 401],
  'PUT /api/sessions/read': /*               */ [204, 204, 204, 204, 401, 204, 401, 401, 401],
  'GET /api/threads': /*                     */ [200, 200, 200, 200, 401, 200, 401, 401, 401],
  'PUT /api/spaces/{slug}/sessions/{sessionId}/follow': [
    200, 200, 200, 403, 401, 404, 401, 401, 401,
  ],
  'DELETE /api/spaces/{slug}/sessions/{sessionId}/follow': [
    204, 204, 204, 403, 401, 404, 401, 401, 401,
  ],
  'GET /api/spaces/{slug}/sessions/{sessionId}/reach': [
    200, 200, 200, 403, 401, 404, 401, 401, 401,
  ],
  'PUT /api/spaces/{slug}/sessions/{sessionId}/mute': [200, 200, 200, 403, 401, 404, 401, 401, 401],
  'GET /api/spaces/{slug}/sessions/{sessionId}/messages': [
    200, 200, 200, 403, 401, 404, 401, 401, 401,
  ],
  'POST /api/spaces/{slug}/sessions/{sessionId}/messages': [
    201, 201, 201, 403, 401, 404, 401, 401, 401,
  ],
  'GET /api/spaces/{slug}/sessions/{sessionId}/events': [
    200, 200, 200, 403, 401, 404, 401, 401, 401,
  ],
  'GET /api/spaces/{slug}/messages/{messageId}': [200, 200, 200, 403, 401, 404, 401, 401, 401],
  'PATCH /api/spaces/{slug}/messages/{messageId}': [200, 403, 403, 403, 401, 404, 401, 401, 401],
  'DELETE /api/spaces/{slug}/messages/{messageId}': [204, 204, 403, 403, 401, 404, 401, 401, 401],
  'POST /api/spaces/{slug}/messages/{messageId}/reactions': [
    201, 201, 201, 403, 401, 404, 401, 401, 401,
  ],
  'DELETE /api/spaces/{slug}/messages/{messageId}/reactions/{emoji}': [
    204, 204, 204, 403, 401, 404, 401, 401, 401,
  ],
  'POST /api/spaces/{slug}/messages/{messageId}/retry': [
    200, 409, 409, 403, 401, 404, 401, 401, 401,
  ],
  'PUT /api/spaces/{slug}/messages/{messageId}/branch': [
    200, 200, 200, 403, 401, 404, 401, 401, 401,
  ],
  'POST /api/spaces/{slug}/messages/{messageId}/replies/{mention}/stop': [
    404, 404, 403, 403, 401, 404, 401, 401, 401,
  ],
  'PUT /api/spaces/{slug}/messages/{messageId}/pin': [200, 200, 200, 403, 401, 404, 401, 401, 401],
  'DELETE /api/spaces/{slug}/messages/{messageId}/pin': [
    204, 204, 204, 403, 401, 404, 401, 401, 401,
  ],
  'GET /api/spaces/{slug}/sessions/{sessionId}/pins': [200, 200, 200, 403, 401, 404, 401, 401, 401],
  'PUT /api/spaces/{slug}/messages/{messageId}/saved': [
    204, 204, 204, 403, 401, 404, 401, 401, 401,
  ],
  'DELETE /api/spaces/{slug}/messages/{messageId}/saved': [
    204, 204, 204, 403, 401, 404, 401, 401, 401,
  ],
  'GET /api/saved': /*                       */ [200, 200, 200, 200, 401, 200, 401, 401, 401],
  'GET /api/scheduled-messages': /*          */ [200, 200, 200, 200, 401, 200, 401, 401, 401],
  'PATCH /api/scheduled-messages/{id}': /*   */ [404, 404, 404, 404, 401, 404, 401, 401, 401],
  'DELETE /api/scheduled-messages/{id}': /*  */ [404, 404, 404, 404, 401, 404, 401, 401, 401],
  'POST /api/messages/search': /*            */ [200, 200, 200, 403, 401, 404, 401, 401, 401],
  'GET /api/model-providers': /*             */ [200, 403, 403, 403, 401, 200, 401, 401, 401],
  'POST /api/model-providers': /*            */ [201, 403, 403, 403, 401, 201, 401, 401, 401],
  'PATCH /api/model-providers/{id}': /*      */ [200, 403, 403, 403, 401, 404, 401, 401, 401],
  'DELETE /api/model-providers/{id}': /*     */ [204, 403, 403, 403, 401, 404, 401, 401, 401],
  'POST /api/model-providers/{id}/test': /*  */ [200, 403, 403, 403, 401, 404, 401, 401, 401],
  'GET /api/model-providers/{id}/models': /* */ [200, 403, 403, 403, 401, 404, 401, 401, 401],
  'GET /api/models': /*                      */ [200, 200, 200, 200, 401, 200, 401, 401, 401],
  'GET /api/agents': /*                      */ [200, 200, 200, 200, 401, 200, 401, 401, 401],
  'POST /api/agents': /*                     */ [201, 201, 201, 403, 401, 404, 401, 401, 401],
  'GET /api/agents/{id}': /*                 */ [200, 200, 200, 404, 401, 404, 401, 401, 401],
  'PATCH /api/agents/{id}': /*               */ [200, 200, 403, 404, 401, 404, 401, 401, 401],
  'DELETE /api/agents/{id}': /*              */ [204, 204, 403, 404, 401, 404, 401, 401, 401],
  'POST /api/agents/{id}/restore': /*        */ [200, 200, 403, 404, 401, 404, 401, 401, 401],
  'GET /api/notifications': /*               */ [200, 200, 200, 200, 401, 200, 401, 401, 401],
  'PUT /api/notifications/read': /*          */ [200, 200, 200, 200, 401, 200, 401, 401, 401],
  'POST /api/reminders': /*                  */ [201, 201, 201, 201, 401, 201, 401, 401, 401],
  'GET /api/reminders': /*                   */ [200, 200, 200, 200, 401, 200, 401, 401, 401],
  'PATCH /api/reminders/{id}': /*            */ [404, 404, 404, 404, 401, 404, 401, 401, 401],
  'DELETE /api/reminders/{id}': /*           */ [404, 404, 404, 404, 401, 404, 401, 401, 401],
  'GET /api/projects/{projectId}/tasks': /*  */ [200, 200, 200, 403, 401, 404, 401, 401, 401],
  'POST /api/projects/{projectId}/tasks': /* */ [201, 201, 201, 403, 401, 404, 401, 401, 401],
  'POST /api/projects/{projectId}/tasks/proposals': [200, 200, 200, 403, 401, 404, 401, 401, 401],
  'GET /api/projects/{projectId}/tasks/{taskId}': [200, 200, 200, 403, 401, 404, 401, 401, 401],
  'PATCH /api/projects/{projectId}/tasks/{taskId}': [200, 200, 200, 403, 401, 404, 401, 401, 401],
  'DELETE /api/projects/{projectId}/tasks/{taskId}': [204, 204, 204, 403, 401, 404, 401, 401, 401],
  'POST /api/projects/{projectId}/tasks/{taskId}/restore': [
    200, 200, 200, 403, 401, 404, 401, 401, 401,
  ],
  'GET /api/projects/{projectId}/tasks/{taskId}/activity': [
    200, 200, 200, 403, 401, 404, 401, 401, 401,
  ],
  'PUT /api/projects/{projectId}/tasks/{taskId}/files': [
    200, 200, 200, 403, 401, 404, 401, 401, 401,
  ],
  'PUT /api/projects/{projectId}/tasks/{taskId}/session': [
    200, 200, 200, 403, 401, 404, 401, 401, 401,
  ],
  'POST /api/projects/{projectId}/tasks/{taskId}/start': [
    200, 200, 200, 403, 401, 404, 401, 401, 401,
  ],
  'GET /api/tasks': /*                       */ [200, 200, 200, 200, 401, 200, 401, 401, 401],
  'PATCH /api/projects/{projectId}/tasks': /**/ [200, 200, 200, 403, 401, 404, 401, 401, 401],
  'GET /api/task-views': /*                  */ [200, 200, 200, 200, 401, 200, 401, 401, 401],
  'POST /api/task-views': /*                 */ [201, 201, 201, 201, 401, 201, 401, 401, 401],
  'PATCH /api/task-views/{id}': /*           */ [404, 404, 404, 404, 401, 404, 401, 401, 401],
  'DELETE /api/task-views/{id}': /*          */ [404, 404, 404, 404, 401, 404, 401, 401, 401],
  // Nothing is called: the address is refused, and the stored tokens can't be read.
  'GET /api/channel-connections': /*         */ [200, 200, 200, 200, 401, 200, 401, 401, 401],
  'POST /api/channel-connections': /*        */ [400, 400, 403, 403, 401, 400, 401, 401, 401],
  'PATCH /api/channel-connections/{id}': /*  */ [200, 200, 403, 403, 401, 404, 401, 401, 401],
  'DELETE /api/channel-connections/{id}': /* */ [204, 204, 403, 403, 401, 404, 401, 401, 401],
  'POST /api/channel-connections/{id}/test': /**/ [200, 200, 403, 403, 401, 404, 401, 401, 401],
  'GET /api/channel-connections/{id}/channels': [400, 400, 400, 400, 401, 404, 401, 401, 401],
  'GET /api/projects/{projectId}/channels': /**/ [200, 200, 200, 403, 401, 404, 401, 401, 401],
  'POST /api/projects/{projectId}/channels': [400, 400, 403, 403, 401, 404, 401, 401, 401],
  'PATCH /api/projects/{projectId}/channels/{id}': [200, 200, 403, 403, 401, 404, 401, 401, 401],
  'DELETE /api/projects/{projectId}/channels/{id}': [204, 204, 403, 403, 401, 404, 401, 401, 401],
  'POST /api/billing/checkout': /*           */ [200, 403, 403, 403, 401, 200, 401, 401, 401],
  'POST /api/billing/topup': /*              */ [200, 200, 403, 403, 401, 200, 401, 401, 401],
  'POST /api/billing/portal': /*             */ [200, 200, 403, 403, 401, 200, 401, 401, 401],
  'GET /api/billing/credits': /*             */ [200, 200, 200, 200, 401, 200, 401, 401, 401],
  'GET /api/billing/plans': /*               */ [200, 200, 200, 200, 401, 200, 401, 401, 401],
  'GET /api/billing/ledger': /*              */ [200, 200, 200, 200, 401, 200, 401, 401, 401],
  'GET /api/billing/usage': /*               */ [200, 200, 200, 200, 401, 200, 401, 401, 401],
  'GET /api/memory': /*                      */ [200, 200, 200, 200, 401, 200, 401, 401, 401],
  'POST /api/memory': /*                     */ [201, 201, 201, 403, 401, 404, 401, 401, 401],
  'POST /api/memory/batch': /*               */ [201, 201, 201, 403, 401, 404, 401, 401, 401],
  'POST /api/memory/search': /*              */ [200, 200, 200, 403, 401, 404, 401, 401, 401],
  'GET /api/memory/{memoryId}': /*           */ [200, 200, 200, 404, 401, 404, 401, 401, 401],
  'PATCH /api/memory/{memoryId}': /*         */ [200, 200, 403, 404, 401, 404, 401, 401, 401],
  'DELETE /api/memory/{memoryId}': /*        */ [204, 204, 403, 404, 401, 404, 401, 401, 401],
  'GET /api/files/{id}/text': /*         */ [200, 200, 200, 404, 401, 404, 401, 401, 401],
  'GET /api/files/{id}/matches': /*          */ [200, 200, 200, 404, 401, 404, 401, 401, 401],
  'GET /api/documents/{id}': /*      */ [200, 200, 200, 404, 401, 404, 401, 401, 401],
  'POST /api/documents/search': /*           */ [200, 200, 200, 403, 401, 404, 401, 401, 401],
  'GET /api/v1/memories': /*                 */ [401, 401, 401, 401, 401, 401, 200, 401, 401],
  'POST /api/v1/memories': /*                */ [401, 401, 401, 401, 401, 401, 201, 401, 401],
  'POST /api/v1/memories/batch': /*          */ [401, 401, 401, 401, 401, 401, 201, 401, 401],
  'POST /api/v1/memories/search': /*         */ [401, 401, 401, 401, 401, 401, 200, 401, 401],
  'GET /api/v1/memories/{id}': /*            */ [401, 401, 401, 401, 401, 401, 200, 401, 401],
  'PATCH /api/v1/memories/{id}': /*          */ [401, 401, 401, 401, 401, 401, 200, 401, 401],
  'DELETE /api/v1/memories/{id}': /*         */ [401, 401, 401, 401, 401, 401, 204, 401, 401],
  'GET /api/projects/{projectId}/files': /*  */ [200, 200, 200, 403, 401, 404, 401, 401, 401],
  'GET /api/files': /*                       */ [200, 200, 200, 200, 401, 200, 401, 401, 401],
  'POST /api/projects/{projectId}/files': /* */ [201, 201, 201, 403, 401, 404, 401, 401, 401],
  'GET /api/files/{id}': /*                  */ [200, 200, 200, 404, 401, 404, 401, 401, 401],
  'PATCH /api/files/{id}': /*                */ [200, 200, 403, 404, 401, 404, 401, 401, 401],
  'DELETE /api/files/{id}': /*               */ [204, 204, 403, 404, 401, 404, 401, 401, 401],
  'GET /api/files/{id}/content': /*          */ [200, 200, 200, 404, 401, 404, 401, 401, 401],
  // It is a text, of which there is none.
  'GET /api/files/{id}/preview': /*          */ [404, 404, 404, 404, 401, 404, 401, 401, 401],
  'GET /api/org/{orgId}/files/usage': /*     */ [200, 200, 200, 200, 401, 403, 401, 401, 401],
  'GET /api/org/{orgId}': /*                 */ [200, 200, 200, 200, 401, 403, 401, 401, 401],
  'PATCH /api/org/{orgId}': /*               */ [200, 200, 403, 403, 401, 403, 401, 401, 401],
  'GET /api/org/{orgId}/members': /*         */ [200, 200, 200, 200, 401, 403, 401, 401, 401],
  'GET /api/org/{orgId}/members/{userId}': /**/ [200, 200, 200, 200, 401, 403, 401, 401, 401],
  'PATCH /api/org/{orgId}/members/{userId}': /**/ [200, 200, 403, 403, 401, 403, 401, 401, 401],
  'DELETE /api/org/{orgId}/members/{userId}': [204, 204, 403, 403, 401, 403, 401, 401, 401],
  'GET /api/org/{orgId}/invitations': /*     */ [200, 200, 403, 403, 401, 403, 401, 401, 401],
  'POST /api/org/{orgId}/invitations': /*    */ [201, 201, 403, 403, 401, 403, 401, 401, 401],
  'DELETE /api/org/{orgId}/invitations/{invitationId}': [
    204, 204, 403, 403, 401, 403, 401, 401, 401,
  ],
  'POST /api/org/{orgId}/invitations/{invitationId}/resend': [
    200, 200, 403, 403, 401, 403, 401, 401, 401,
  ],
  'GET /api/org/{orgId}/invitations/{invitationId}/link': [
    200, 200, 403, 403, 401, 403, 401, 401, 401,
  ],
  'POST /api/invitations/{token}/accept': /* */ [403, 403, 403, 403, 401, 403, 401, 401, 401],
  'GET /api/org/{orgId}/audit': /*           */ [200, 200, 403, 403, 401, 403, 401, 401, 401],
  'GET /api/org/{orgId}/export': /*          */ [200, 403, 403, 403, 401, 403, 401, 401, 401],
  'POST /api/orgs': /*                       */ [201, 201, 201, 201, 401, 201, 401, 401, 401],
  'GET /api/me': /*                          */ [200, 200, 200, 200, 401, 200, 401, 401, 401],
  'PATCH /api/me': /*                        */ [200, 200, 200, 200, 401, 200, 401, 401, 401],
  'GET /api/me/export': /*                   */ [200, 200, 200, 200, 401, 200, 401, 401, 401],
  'GET /api/people/{userId}/photos/{photo}': [200, 200, 200, 200, 401, 404, 401, 401, 401],
  'DELETE /api/me': /*                       */ [401, 401, 401, 401, 401, 401, 401, 401, 401],
  'GET /api/keys': /*                        */ [200, 200, 200, 200, 401, 200, 401, 401, 401],
  'POST /api/keys': /*                       */ [201, 201, 201, 201, 401, 201, 401, 401, 401],
  'DELETE /api/keys/{keyId}': /*             */ [200, 404, 404, 404, 401, 404, 401, 401, 401],
  'POST /api/keys/{keyId}/rotate': /*        */ [201, 404, 404, 404, 401, 404, 401, 401, 401],
  'GET /api/org/{orgId}/api-keys': /*        */ [200, 200, 403, 403, 401, 403, 401, 401, 401],
  'POST /api/org/{orgId}/api-keys': /*       */ [201, 201, 403, 403, 401, 403, 401, 401, 401],
  'DELETE /api/org/{orgId}/api-keys/{keyId}': [200, 200, 403, 403, 401, 403, 401, 401, 401],
  'POST /api/org/{orgId}/api-keys/{keyId}/rotate': [201, 201, 403, 403, 401, 403, 401, 401, 401],
  'GET /api/mcp/servers': /*                 */ [200, 200, 200, 200, 401, 200, 401, 401, 401],
  'POST /api/mcp/servers': /*                */ [201, 201, 403, 403, 401, 201, 401, 401, 401],
  'DELETE /api/mcp/servers/{id}': /*         */ [204, 204, 403, 403, 401, 404, 401, 401, 401],
  'POST /api/mcp/servers/{id}/test-connection': [200, 200, 403, 403, 401, 404, 401, 401, 401],
  'PUT /api/mcp/servers/{id}/projects': /*   */ [200, 200, 403, 403, 401, 404, 401, 401, 401],
};

/**
 * In the browser, people may do what a key with every scope could, and nothing of v1. People who are
 * not in an org, no longer or not yet, are known (no 401), and may do no more than this.
 */
export const COOKIES = [
  'owner',
  'admin',
  'member',
  'outsider',
  'stranger',
  'removed',
  'homeless',
] as const;
export type CookieName = (typeof COOKIES)[number];
const WITHOUT_ORG: Record<string, number> = {
  'GET /api/me': 200,
  'PATCH /api/me': 200,
  'GET /api/people/{userId}/photos/{photo}': 404,
  'POST /api/orgs': 201,
  // The handler's own refusal: the invitation is for somebody else.
  'POST /api/invitations/{token}/accept': 403,
};

export function expectedByCookie(path: string, cookie: CookieName): number | undefined {
  if (path.includes(' /api/v1/')) return 401;
  if (path === 'DELETE /api/me') return 403;
  if (cookie === 'removed' || cookie === 'homeless') return WITHOUT_ORG[path] ?? 403;
  return EXPECTED[path]?.[CALLERS.indexOf(cookie)];
}
