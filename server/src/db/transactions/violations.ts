import type { ExplainFailure } from '../types.ts';
import { errorCode } from '../../core/error-code.ts';

/**
 * The constraints that a caller's own request can break. A violation is told by the constraint's name,
 * or by table and column for NOT NULL: the SQLSTATE alone also fits a column this build does not know.
 */
const VIOLATIONS = {
  emailTaken: { constraint: 'users_email_key_key' },
  projectSlugTaken: { constraint: 'projects_org_id_slug_key' },
  mentionSlugTaken: { constraint: 'mcp_servers_org_id_mention_slug_key' },
  agentSlugTaken: { constraint: 'agents_org_id_slug_key' },
  mentionNameTaken: { constraint: 'mention_names_pkey' },
  channelMapped: { constraint: 'channel_mappings_org_id_workspace_id_channel_id_key' },
  sessionMapped: { constraint: 'channel_mappings_org_id_session_id_key' },
  mentionAnswered: { constraint: 'messages_by_mention' },
  tooManyReactions: { constraint: 'messages_reactions_check' },
  /** A message that may not be posted has no position, or a taken one: see features/messages/posting/store.ts. */
  noPosition: { table: 'messages', column: 'position' },
  positionTaken: { constraint: 'messages_org_id_session_id_position_key' },
  /** A file that can't be attached has no id there, and one that was deleted meanwhile an unknown one. */
  fileNotAttachable: { table: 'file_uses', column: 'file_id' },
  fileDeleted: { constraint: 'file_uses_org_id_file_id_fkey' },
  /** Another transaction is running the idempotent request, or has recorded its response. */
  requestRunning: { table: 'idempotency_keys', column: 'scope_hash' },
  requestRecorded: { constraint: 'idempotency_keys_pkey' },
} as const satisfies Record<string, { constraint: string } | { table: string; column: string }>;

export type Violation = keyof typeof VIOLATIONS;

export function isViolation(error: unknown, violation: Violation): boolean {
  if (sqlState(error) === undefined) return false;
  const found = placeIn(error as Error);
  const fields = Object.entries(VIOLATIONS[violation]);
  return fields.every(([name, value]) => Reflect.get(found, name) === value);
}

/** Citus passes on only the message of a shard, whose names end with the shard's number, but not those of CHECKs. */
function placeIn(error: Error): object {
  if ('constraint' in error && error.constraint !== undefined) return error;
  if ('table' in error && error.table !== undefined) return error;
  const [, constraint] = /constraint "(\w+?)(?:_\d+)?"/.exec(error.message) ?? [];
  if (constraint !== undefined) return { constraint };
  const [, column, table] = /column "(\w+)" of relation "(\w+?)_\d+"/.exec(error.message) ?? [];
  return { table, column };
}

/** For `atCommit`: this violation becomes that refusal, and any other failure stays what it is. */
export function refusing(violation: Violation, refusal: () => Error): ExplainFailure {
  return (error) => (isViolation(error, violation) ? refusal() : undefined);
}

/** The SQLSTATE of an error that the database sent; undefined for any other failure. */
export function sqlState(error: unknown): string | undefined {
  // Not by class: the embedded engine's driver has its own.
  return error instanceof Error && 'severity' in error ? errorCode(error) : undefined;
}
