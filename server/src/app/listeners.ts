import type { Listeners, Preparations } from '../events/create-events.ts';
import { recordAudit } from '../features/audit/entries.ts';
import { requireNoSubscription } from '../features/billing/service.ts';
import { openOrgNext } from '../features/identity/listeners.ts';
import { revokeOrgKeys } from '../features/keys/service.ts';
import { hintPages } from '../features/live/hint-of.ts';
import { forgetNotificationsOf, notifyOfAcceptance } from '../features/notifications/listeners.ts';
import { leaveProject, leaveSessions } from '../features/sessions/participants/listeners.ts';

/** Who hears of what happens: in the commit that does it, or afterwards. Features emit, and know none of them. */
export const LISTENERS: Listeners = {
  'org.created': { inCommit: [openOrgNext, recordAudit] },
  'org.updated': { inCommit: [recordAudit], afterwards: [hintPages] },
  'org.exported': { inCommit: [recordAudit] },
  'credits.changed': { afterwards: [hintPages] },
  'billing.checkout_opened': { inCommit: [recordAudit] },

  'member.joined': { inCommit: [recordAudit], afterwards: [hintPages] },
  'member.role_changed': { inCommit: [leaveSessions, recordAudit], afterwards: [hintPages] },
  'member.handle_changed': { inCommit: [recordAudit], afterwards: [hintPages] },
  'member.renamed': { afterwards: [hintPages] },
  'member.removed': {
    inCommit: [forgetNotificationsOf, leaveSessions, recordAudit],
    afterwards: [hintPages],
  },
  'member.exported': { inCommit: [recordAudit] },
  'invitation.created': { inCommit: [recordAudit], afterwards: [hintPages] },
  'invitation.resent': { inCommit: [recordAudit], afterwards: [hintPages] },
  'invitation.revoked': { inCommit: [recordAudit], afterwards: [hintPages] },
  'invitation.accepted': { inCommit: [notifyOfAcceptance, recordAudit] },

  'key.created': { inCommit: [recordAudit] },
  'key.revoked': { inCommit: [recordAudit] },
  'key.rotated': { inCommit: [recordAudit] },
  'org_key.created': { inCommit: [recordAudit] },
  'org_key.revoked': { inCommit: [recordAudit] },
  'org_key.rotated': { inCommit: [recordAudit] },

  'project.created': { inCommit: [recordAudit], afterwards: [hintPages] },
  'project.updated': { inCommit: [recordAudit, leaveProject], afterwards: [hintPages] },
  'project.archived': { inCommit: [recordAudit], afterwards: [hintPages] },
  'project.restored': { inCommit: [recordAudit], afterwards: [hintPages] },
  'project.member_added': { inCommit: [recordAudit], afterwards: [hintPages] },
  'project.member_removed': { inCommit: [leaveSessions, recordAudit], afterwards: [hintPages] },

  'session.created': { inCommit: [recordAudit], afterwards: [hintPages] },
  'session.updated': { inCommit: [recordAudit], afterwards: [hintPages] },
  'session.archived': { inCommit: [recordAudit], afterwards: [hintPages] },
  'session.restored': { inCommit: [recordAudit], afterwards: [hintPages] },
  'session.summarised': { afterwards: [hintPages] },
  'session.read': { afterwards: [hintPages] },
  'session.typing': { afterwards: [hintPages] },
  'sessions.read': { afterwards: [hintPages] },

  'message.created': { afterwards: [hintPages] },
  'message.edited': { inCommit: [recordAudit], afterwards: [hintPages] },
  'message.deleted': { inCommit: [recordAudit], afterwards: [hintPages] },
  'message.reacted': { afterwards: [hintPages] },
  'message.updated': { afterwards: [hintPages] },
  'reply.replaced': { afterwards: [hintPages] },

  'task.created': { inCommit: [recordAudit], afterwards: [hintPages] },
  'task.updated': { inCommit: [recordAudit], afterwards: [hintPages] },
  'task.archived': { inCommit: [recordAudit], afterwards: [hintPages] },
  'task.restored': { inCommit: [recordAudit], afterwards: [hintPages] },

  'memory.created': { inCommit: [recordAudit], afterwards: [hintPages] },
  'memory.updated': { inCommit: [recordAudit], afterwards: [hintPages] },
  'memory.deleted': { inCommit: [recordAudit], afterwards: [hintPages] },

  'agent.created': { inCommit: [recordAudit], afterwards: [hintPages] },
  'agent.updated': { inCommit: [recordAudit], afterwards: [hintPages] },
  'agent.archived': { inCommit: [recordAudit], afterwards: [hintPages] },
  'mcp_server.created': { inCommit: [recordAudit], afterwards: [hintPages] },
  'mcp_server.deleted': { inCommit: [recordAudit], afterwards: [hintPages] },
  'mcp_server.bound': { inCommit: [recordAudit], afterwards: [hintPages] },
  'mcp_server.tested': { afterwards: [hintPages] },

  'channel_connection.created': { inCommit: [recordAudit], afterwards: [hintPages] },
  'channel_connection.updated': { inCommit: [recordAudit], afterwards: [hintPages] },
  'channel_connection.deleted': { inCommit: [recordAudit], afterwards: [hintPages] },
  'channel_connection.checked': { afterwards: [hintPages] },
  'channel_connection.broken': { afterwards: [hintPages] },
  'channel.mapped': { inCommit: [recordAudit], afterwards: [hintPages] },
  'channel.updated': { inCommit: [recordAudit], afterwards: [hintPages] },
  'channel.unmapped': { inCommit: [recordAudit], afterwards: [hintPages] },
  'channel.broken': { afterwards: [hintPages] },

  'notification.created': { afterwards: [hintPages] },
  'notification.read': { afterwards: [hintPages] },
};

/** Who has to read or lock something before it happens. */
export const PREPARATIONS: Preparations = {
  'message.editing': [],
  'message.deleting': [],
  'reply.retrying': [],
  'reply.landing': [],
  'session.muting': [],
  'org.closing': [requireNoSubscription, revokeOrgKeys],
};
