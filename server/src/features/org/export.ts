import { recordKind, shortKind } from '../../lists/record-kind.ts';
import { readAudit } from '../audit/service.ts';
import { listInvitations } from './invitations/service.ts';
import {
  presentAuditEntry,
  presentInvitation,
  presentStoredMember,
  presentOrg,
} from './present.ts';
import { getOrg, listMembers } from './service.ts';

export const audit = recordKind('audit', readAudit, presentAuditEntry);
export const invitations = shortKind('invitations', listInvitations, presentInvitation);
export const members = shortKind('members', listMembers, presentStoredMember);
export const org = shortKind('org', async (ctx) => [await getOrg(ctx)], presentOrg);
