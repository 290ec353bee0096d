/**
 * Where each table is on Citus. A reference table is copied to every node, and written rarely. A local one
 * is on the coordinator, for what is found without an org. The rest is spread over the nodes by `org_id`.
 */
export const TABLE_PLACES = {
  reference: ['orgs', 'users', 'memberships'],
  local: [
    'api_keys',
    'checkouts',
    'credit_accounts',
    'email_undos',
    'invitations',
    'jobs',
    'payment_events',
    'photos',
    'sandbox_objects',
    'sign_in_links',
    'web_sessions',
  ],
  distributed: [
    'agents',
    'audit_entries',
    'channel_connections',
    'channel_events',
    'channel_mappings',
    'channel_messages',
    'channel_outbox',
    'channel_signatures',
    'credit_reservations',
    'deleted_memories',
    'departures',
    'external_reactions',
    'followed_sessions',
    'idempotency_keys',
    'invitation_mails',
    'ledger_entries',
    'link_pages',
    'mcp_server_projects',
    'mcp_servers',
    'memories',
    'memory_batches',
    'memory_scopes',
    'memory_terms',
    'mention_names',
    'message_periods',
    'messages',
    'model_providers',
    'model_results',
    'model_usage',
    'muted_sessions',
    'notification_digests',
    'notifications',
    'owed_events',
    'project_members',
    'projects',
    'provider_models',
    'reactions',
    'read_marks',
    'reminders',
    'running_exports',
    'saved_messages',
    'scheduled_messages',
    'session_summaries',
    'sessions',
    'task_activity',
    'task_views',
    'tasks',
    'thread_marks',
    'untold_messages',
    'unversioned_changes',
  ],
  /** It says which migrations there are, and stays an ordinary table. */
  unmanaged: ['schema_migrations'],
} as const;

export type Place = keyof typeof TABLE_PLACES;

/** Undefined if nobody has said where the table belongs. */
export function placeOf(table: string): Place | undefined {
  return (Object.keys(TABLE_PLACES) as Place[]).find((place) =>
    (TABLE_PLACES[place] as readonly string[]).includes(table),
  );
}
