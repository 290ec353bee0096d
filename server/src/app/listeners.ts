import type { Listeners, Preparations } from '../events/create-events.ts';
import { recordAudit } from '../features/audit/entries.ts';
import { requireNoSubscription } from '../features/billing/service.ts';
import { removeFromChannels, shareChange, wakeRelay } from '../features/channels/listeners.ts';
import { readCheckedFiles } from '../features/documents/reading/job.ts';
import { leaveMessages, showFileChange } from '../features/files/attaching/listeners.ts';
import { dropUploads } from '../features/files/leaving/listeners.ts';
import { openOrgNext } from '../features/identity/listeners.ts';
import { revokeOrgKeys } from '../features/keys/service.ts';
import { hintPages } from '../features/live/hint-of.ts';
import {
  forgetNotificationsOf,
  markEverythingRead,
  markPlaceRead,
  notifyOfAcceptance,
  notifyOfBreakage,
  notifyOfReminder,
  notifyOfTask,
  notifyOfUnsent,
  tellBeforeEdit,
  tellBeforeMute,
  tellPeople,
} from '../features/notifications/listeners.ts';
import { leaveProject, leaveSessions } from '../features/sessions/participants/listeners.ts';
import { renameAssignee } from '../features/tasks/listeners.ts';
import { leaveTasks } from '../features/tasks/files/listeners.ts';
import { endRun, landRun, resumeRun } from '../features/tasks/runs/listeners.ts';

/**
 * The listeners of each event: in the commit that does it, afterwards, or durably. Features emit, and know none
 * of them.
 */
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
  'member.profile_changed': { inCommit: [recordAudit], afterwards: [hintPages] },
  'member.removed': {
    inCommit: [forgetNotificationsOf, leaveSessions, dropUploads, recordAudit],
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
  'session.named': { afterwards: [hintPages] },
  'session.read': { afterwards: [hintPages] },
  'session.followed': { afterwards: [hintPages] },
  'session.typing': { afterwards: [hintPages] },
  'sessions.read': { afterwards: [hintPages] },

  'message.created': { afterwards: [hintPages], durably: [tellPeople] },
  'message.edited': { inCommit: [recordAudit, shareChange], afterwards: [hintPages] },
  'message.deleted': { inCommit: [recordAudit, shareChange], afterwards: [hintPages] },
  'message.reacted': { inCommit: [shareChange], afterwards: [hintPages] },
  'message.updated': { afterwards: [hintPages] },
  'message.branched': { afterwards: [hintPages] },
  'reply.replaced': { inCommit: [shareChange], afterwards: [hintPages] },

  'task.created': { inCommit: [notifyOfTask, recordAudit], afterwards: [hintPages] },
  'task.updated': { inCommit: [notifyOfTask, recordAudit], afterwards: [hintPages] },
  'task.archived': { inCommit: [recordAudit], afterwards: [hintPages] },
  'task.restored': { inCommit: [recordAudit], afterwards: [hintPages] },
  'task.discussed': { afterwards: [hintPages] },

  'memory.created': { inCommit: [recordAudit], afterwards: [hintPages] },
  'memory.updated': { inCommit: [recordAudit], afterwards: [hintPages] },
  'memory.deleted': { inCommit: [recordAudit], afterwards: [hintPages] },

  'file.created': { inCommit: [recordAudit] },
  'file.checked': {
    inCommit: [showFileChange],
    afterwards: [hintPages],
    durably: [readCheckedFiles],
  },
  'file.updated': { inCommit: [recordAudit, showFileChange], afterwards: [hintPages] },
  'file.deleted': { inCommit: [recordAudit], afterwards: [hintPages] },
  'file.used': { afterwards: [hintPages] },

  'agent.created': { inCommit: [recordAudit], afterwards: [hintPages] },
  'agent.updated': { inCommit: [renameAssignee, recordAudit], afterwards: [hintPages] },
  'agent.archived': { inCommit: [recordAudit], afterwards: [hintPages] },
  'agent.restored': { inCommit: [recordAudit], afterwards: [hintPages] },
  'mcp_server.created': { inCommit: [recordAudit], afterwards: [hintPages] },
  'mcp_server.deleted': { inCommit: [recordAudit], afterwards: [hintPages] },
  'mcp_server.bound': { inCommit: [recordAudit], afterwards: [hintPages] },
  'mcp_server.tested': { afterwards: [hintPages] },

  'model_provider.created': { inCommit: [recordAudit], afterwards: [hintPages] },
  'model_provider.updated': { inCommit: [recordAudit], afterwards: [hintPages] },
  'model_provider.deleted': { inCommit: [recordAudit], afterwards: [hintPages] },
  'model_provider.tested': { afterwards: [hintPages] },

  'channel_connection.created': { inCommit: [recordAudit, wakeRelay], afterwards: [hintPages] },
  'channel_connection.updated': { inCommit: [recordAudit, wakeRelay], afterwards: [hintPages] },
  'channel_connection.deleted': { inCommit: [recordAudit, wakeRelay], afterwards: [hintPages] },
  'channel_connection.tested': { inCommit: [wakeRelay], afterwards: [hintPages] },
  'channel_connection.connected': { afterwards: [hintPages] },
  'channel_connection.broken': { inCommit: [notifyOfBreakage], afterwards: [hintPages] },
  'channel.mapped': { inCommit: [recordAudit, wakeRelay], afterwards: [hintPages] },
  'channel.updated': { inCommit: [recordAudit, wakeRelay], afterwards: [hintPages] },
  'channel.unmapped': { inCommit: [recordAudit, wakeRelay], afterwards: [hintPages] },
  'channel.broken': { inCommit: [notifyOfBreakage], afterwards: [hintPages] },

  'kept.changed': { afterwards: [hintPages] },
  'reminder.due': { inCommit: [notifyOfReminder] },
  'scheduled_message.failed': { inCommit: [notifyOfUnsent] },

  'notification.created': { afterwards: [hintPages] },
  'notification.read': { afterwards: [hintPages] },
};

/** Who has to read or lock something before it happens. */
export const PREPARATIONS: Preparations = {
  'message.editing': [tellBeforeEdit],
  'message.deleting': [endRun],
  'file.deleting': [leaveTasks, leaveMessages, removeFromChannels],
  'reply.retrying': [resumeRun],
  'reply.landing': [landRun],
  'session.muting': [tellBeforeMute],
  'session.reading': [markPlaceRead],
  'sessions.reading': [markEverythingRead],
  'org.closing': [requireNoSubscription, revokeOrgKeys],
};
