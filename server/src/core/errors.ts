/** The seven codes of the API. Services throw them; `http/` maps each to a status. */
export type ErrorCode =
  | 'AUTH_ERROR'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'VALIDATION_ERROR'
  | 'CONFLICT'
  | 'RATE_LIMIT'
  | 'INTERNAL_ERROR';

export type ForbiddenReason =
  | 'missing_scope'
  | 'role'
  | 'not_project_member'
  | 'wrong_org'
  | 'wrong_invitee'
  | 'cross_origin'
  | 'fresh_sign_in';

export type ConflictReason =
  | 'slug_taken'
  | 'limit_reached'
  | 'version_conflict'
  | 'idempotency_key_reused'
  | 'idempotency_in_progress'
  | 'idempotency_response_dropped'
  | 'session_archived'
  | 'direct_session'
  | 'project_archived'
  | 'agent_archived'
  | 'task_archived'
  | 'task_running'
  | 'subtasks_open'
  | 'parent_closed'
  | 'message_deleted'
  | 'reply_not_failed'
  | 'reply_ended'
  | 'reply_pending'
  | 'branch_inactive'
  | 'last_owner'
  | 'already_member'
  | 'invitation_pending'
  | 'invitation_closed'
  | 'key_inactive'
  | 'subscription_active'
  | 'billing_not_configured'
  | 'link_used'
  | 'link_expired'
  | 'email_taken'
  | 'account_exists'
  | 'export_running'
  | 'channel_mapped'
  | 'quota_reached'
  | 'file_not_ready'
  | 'upload_conflict'
  | 'text_pending';

/** The limits in `details.limit`, for programs. */
export type ShareLimit =
  | 'orgs_per_person'
  | 'keys_per_person'
  | 'keys_per_org'
  | 'handle_changes'
  | 'agents_per_org'
  | 'channel_connections_per_org'
  | 'model_providers_per_org'
  | 'proposed_tasks_per_project'
  | 'pins_per_session'
  | 'branches_per_message'
  | 'saved_per_person'
  | 'reminders_per_person'
  | 'scheduled_messages_per_person'
  | 'task_views_per_person'
  | 'invitation_mails_per_address'
  | 'invitation_mails_per_org';

export interface FieldError {
  location: string;
  code: string;
  message: string;
}

export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown>;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    details: Record<string, unknown> = {},
    retryAfterSeconds?: number,
  ) {
    super(message);
    this.name = 'AppError';
    this.code = code;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export function notFound(what: string): AppError {
  return new AppError('NOT_FOUND', `${what} does not exist, or you cannot see it.`);
}

export function requireFound<T>(found: T | undefined, what: string): T {
  if (found === undefined) throw notFound(what);
  return found;
}

export function forbidden(
  reason: ForbiddenReason,
  message: string,
  details: Record<string, unknown> = {},
): AppError {
  return new AppError('FORBIDDEN', message, { reason, ...details });
}

export function conflict(
  reason: ConflictReason,
  message: string,
  details: Record<string, unknown> = {},
): AppError {
  return new AppError('CONFLICT', message, { reason, ...details });
}

/** A person or org has reached a limit: `limit` says which one, `max` how high it is. */
export function limitReached(limit: ShareLimit, max: number, message: string): AppError {
  return conflict('limit_reached', message, { limit, max });
}

export function invalid(errors: FieldError[]): AppError {
  const first = errors[0];
  const rest = errors.length > 1 ? ` (and ${errors.length - 1} more; see details.errors)` : '';
  return new AppError(
    'VALIDATION_ERROR',
    first ? `${first.location}: ${first.message}${rest}` : 'The request is invalid.',
    { errors },
  );
}

/** For one field that is known not to fit only after a look into the database. */
export function invalidValue(location: string, message: string): AppError {
  return invalid([{ location, code: 'invalid_value', message }]);
}
