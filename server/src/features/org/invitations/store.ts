import type { Context } from '../../../core/context.ts';
import { emailKey } from '../../../core/email.ts';
import type { Queryable } from '../../../db/types.ts';

export interface InvitationRow {
  id: string;
  email: string;
  role: 'ADMIN' | 'MEMBER';
  status: 'PENDING' | 'ACCEPTED' | 'REVOKED' | 'EXPIRED';
  invitedById: string;
  expiresAt: Date;
  createdAt: Date;
  tokenNumber: number;
}

type OrgContext = Pick<Context, 'db' | 'orgId'>;

const LIFE = "interval '7 days'";

const INVITATION_FIELDS = `i.id, i.email, i.role, i.invited_by_id AS "invitedById",
  i.expires_at AS "expiresAt", i.created_at AS "createdAt", i.token_number AS "tokenNumber"`;

/** A pending invitation past its expiry is EXPIRED, even if the row doesn't say so yet. */
const INVITATION_COLUMNS = `${INVITATION_FIELDS},
  CASE WHEN i.status = 'PENDING' AND i.expires_at <= now() THEN 'EXPIRED' ELSE i.status END AS status`;

export async function isMemberEmail(ctx: OrgContext, email: string): Promise<boolean> {
  const rows = await ctx.db.query(
    `SELECT 1 AS found FROM memberships m JOIN users u ON u.id = m.user_id
     WHERE m.org_id = $1 AND u.email_key = $2`,
    [ctx.orgId, emailKey(email)],
  );
  return rows.length > 0;
}

export function listPendingInvitations(ctx: OrgContext): Promise<InvitationRow[]> {
  return ctx.db.query<InvitationRow>(
    `SELECT ${INVITATION_COLUMNS} FROM invitations i
     WHERE i.org_id = $1 AND i.status = 'PENDING' AND i.expires_at > now() ORDER BY i.position DESC`,
    [ctx.orgId],
  );
}

const MOST_SENT = 100;

/** In every org: those that were sent in the person's name since then, and not revoked or erased. */
export function listSentInvitations(db: Queryable, userId: string, since: Date) {
  return db.query<{ email: string; isAccepted: boolean; orgName: string }>(
    `SELECT i.email, i.status = 'ACCEPTED' AS "isAccepted", o.name AS "orgName"
     FROM invitations i JOIN orgs o ON o.id = i.org_id
     WHERE i.invited_by_id = $1 AND i.created_at >= $2 AND i.email <> ''
       AND (i.status = 'ACCEPTED' OR i.status = 'PENDING' AND i.expires_at > now())
     ORDER BY i.position LIMIT ${MOST_SENT}`,
    [userId, since],
  );
}

type NewInvitation = Omit<InvitationRow, 'status' | 'expiresAt' | 'createdAt'> & {
  tokenHash: Buffer;
};

/** Undefined if the address has a pending invitation. An expired one doesn't count. */
export async function insertInvitation(
  ctx: OrgContext,
  invitation: NewInvitation,
): Promise<InvitationRow | undefined> {
  const { id, email, role, tokenNumber, tokenHash, invitedById } = invitation;
  const key = emailKey(email);
  await ctx.db.query(
    `UPDATE invitations SET status = 'EXPIRED'
     WHERE org_id = $1 AND email_key = $2 AND status = 'PENDING' AND expires_at <= now()`,
    [ctx.orgId, key],
  );
  const [row] = await ctx.db.query<InvitationRow>(
    `INSERT INTO invitations AS i (id, org_id, email, email_key, role, status, token_number,
       token_hash, invited_by_id, expires_at)
     VALUES ($1, $2, $3, $4, $5, 'PENDING', $6, $7, $8, now() + ${LIFE})
     ON CONFLICT (org_id, email_key) WHERE status = 'PENDING' DO NOTHING
     RETURNING ${INVITATION_FIELDS}, i.status`,
    [id, ctx.orgId, email, key, role, tokenNumber, tokenHash, invitedById],
  );
  return row;
}

/** Locked until the transaction ends, so that resends run one after the other. */
export async function lockInvitation(ctx: OrgContext, invitationId: string) {
  const [row] = await ctx.db.query<InvitationRow>(
    `SELECT ${INVITATION_COLUMNS} FROM invitations i WHERE i.org_id = $1 AND i.id = $2 FOR UPDATE`,
    [ctx.orgId, invitationId],
  );
  return row;
}

export async function findInvitation(ctx: OrgContext, invitationId: string) {
  const [row] = await ctx.db.query<InvitationRow>(
    `SELECT ${INVITATION_COLUMNS} FROM invitations i WHERE i.org_id = $1 AND i.id = $2`,
    [ctx.orgId, invitationId],
  );
  return row;
}

/** In any org, like a token. */
export async function findCurrentToken(db: Queryable, invitationId: string) {
  const [row] = await db.query<{ id: string; tokenNumber: number; tokenHash: Buffer }>(
    `SELECT id, token_number AS "tokenNumber", token_hash AS "tokenHash" FROM invitations
     WHERE id = $1`,
    [invitationId],
  );
  return row;
}

/** Undefined unless it is pending. An expired one becomes valid again. */
export async function renewToken(
  ctx: OrgContext,
  invitationId: string,
  tokenNumber: number,
  tokenHash: Buffer,
): Promise<InvitationRow | undefined> {
  const [row] = await ctx.db.query<InvitationRow>(
    `UPDATE invitations i SET token_number = $3, token_hash = $4, expires_at = now() + ${LIFE}
     WHERE i.org_id = $1 AND i.id = $2 AND i.status = 'PENDING'
     RETURNING ${INVITATION_FIELDS}, i.status`,
    [ctx.orgId, invitationId, tokenNumber, tokenHash],
  );
  return row;
}

/** False unless it was pending. */
export async function revokeInvitation(ctx: OrgContext, invitationId: string): Promise<boolean> {
  const rows = await ctx.db.query(
    `UPDATE invitations SET status = 'REVOKED'
     WHERE org_id = $1 AND id = $2 AND status = 'PENDING' RETURNING 1 AS revoked`,
    [ctx.orgId, invitationId],
  );
  return rows.length === 1;
}

export async function revokePendingInvitations(ctx: OrgContext): Promise<void> {
  await ctx.db.query(
    `UPDATE invitations SET status = 'REVOKED' WHERE org_id = $1 AND status = 'PENDING'`,
    [ctx.orgId],
  );
}

/** Removes addresses from all invitations to them, in any org. Ordered, to avoid deadlocks. */
export async function eraseInvitee(db: Queryable, emails: readonly string[]): Promise<void> {
  await db.query(
    `UPDATE invitations SET email = '', email_key = 'deleted:' || id,
       status = CASE status WHEN 'PENDING' THEN 'REVOKED' ELSE status END
     WHERE id = ANY (ARRAY(
       SELECT id FROM invitations WHERE email_key = ANY ($1::text[]) ORDER BY id FOR UPDATE))`,
    [emails.map(emailKey)],
  );
}

/** Found by its token alone, in any org. Locked, so that acceptances run one after the other. */
export async function lockInvitationByToken(db: Queryable, tokenHash: Buffer) {
  const [row] = await db.query<
    InvitationRow & { orgId: string; orgName: string; emailKey: string }
  >(
    `SELECT ${INVITATION_COLUMNS}, i.org_id AS "orgId", o.name AS "orgName", i.email_key AS "emailKey"
     FROM invitations i JOIN orgs o ON o.id = i.org_id WHERE i.token_hash = $1 FOR UPDATE OF i`,
    [tokenHash],
  );
  return row;
}

interface DescribedInvitation extends InvitationRow {
  orgId: string;
  orgName: string;
  inviterName: string;
  /** Whether a person has the invited address. */
  hasAccount: boolean;
}

export async function findInvitationByToken(db: Queryable, tokenHash: Buffer) {
  const [row] = await db.query<DescribedInvitation>(
    `SELECT ${INVITATION_COLUMNS}, i.org_id AS "orgId", o.name AS "orgName", u.name AS "inviterName",
       EXISTS (SELECT 1 FROM users invitee WHERE invitee.email_key = i.email_key) AS "hasAccount"
     FROM invitations i JOIN orgs o ON o.id = i.org_id JOIN users u ON u.id = i.invited_by_id
     WHERE i.token_hash = $1`,
    [tokenHash],
  );
  return row;
}

/** The address as the newest pending invitation of any org spells it. Undefined if there is none. */
export async function findInvitedEmail(db: Queryable, email: string): Promise<string | undefined> {
  const [row] = await db.query<{ email: string }>(
    `SELECT email FROM invitations
     WHERE email_key = $1 AND status = 'PENDING' AND expires_at > now()
     ORDER BY position DESC LIMIT 1`,
    [emailKey(email)],
  );
  return row?.email;
}

export async function acceptInvitation(db: Queryable, invitationId: string): Promise<void> {
  await db.query(`UPDATE invitations SET status = 'ACCEPTED' WHERE id = $1`, [invitationId]);
}

export interface InvitationMailRow extends InvitationRow {
  tokenHash: Buffer;
  /** The address as the account spells it, if there is one; the invitation may spell it differently. */
  recipient: string;
  orgName: string;
  inviterName: string;
  inviterEmail: string;
}

export async function findInvitationForMail(db: Queryable, orgId: string, invitationId: string) {
  const [row] = await db.query<InvitationMailRow>(
    `SELECT ${INVITATION_COLUMNS}, i.token_hash AS "tokenHash", o.name AS "orgName",
       u.name AS "inviterName", u.email AS "inviterEmail",
       COALESCE(invitee.email, i.email) AS recipient
     FROM invitations i JOIN orgs o ON o.id = i.org_id JOIN users u ON u.id = i.invited_by_id
       LEFT JOIN users invitee ON invitee.email_key = i.email_key
     WHERE i.org_id = $1 AND i.id = $2`,
    [orgId, invitationId],
  );
  return row;
}
