import { recordKind, shortKind } from '../../lists/record-kind.ts';
import { readAudit } from '../audit/service.ts';
import { presentAuditEntry, presentInvitation, presentMember } from './present.ts';
import { listInvitations, listMembers } from './service.ts';

export const audit = recordKind('audit', readAudit, presentAuditEntry);
export const invitations = shortKind('invitations', listInvitations, presentInvitation);
export const members = shortKind('members', listMembers, presentMember);
