import type { UserContext } from '../../core/context.ts';
import { recordPage, type RecordPage, type RecordQuery } from '../../lists/record-page.ts';
export { purgeEntries as purgeAudit } from './store.ts';
import {
  findNames,
  findReadableMessages,
  listEntries,
  scanEntries,
  type AuditFilter,
  type AuditRow,
} from './store.ts';

/** An entry with the name that its resource has now, as far as the caller may see it. */
export interface NamedEntry extends AuditRow {
  resourceName: string | null;
}

export async function listAudit(
  ctx: UserContext,
  query: { page: number; limit: number } & AuditFilter,
): Promise<{ items: ShownEntry[]; total: number }> {
  const { items, total } = await listEntries(ctx, query);
  return { items: await withoutPrivate(ctx, await withNames(ctx, items)), total };
}

/** An entry about a session or message that the caller may not read does not say which. */
export interface ShownEntry extends Omit<NamedEntry, 'resourceId'> {
  resourceId: string | null;
}

async function withoutPrivate(
  ctx: UserContext,
  entries: readonly NamedEntry[],
): Promise<ShownEntry[]> {
  const messages = entries.filter(({ resourceType }) => resourceType === 'message');
  const ids = messages.map(({ resourceId }) => resourceId);
  const readable = new Set(ids.length === 0 ? [] : await findReadableMessages(ctx, ids));
  const isPrivate = ({ resourceType, resourceId, resourceName }: NamedEntry) =>
    (resourceType === 'message' && !readable.has(resourceId)) ||
    // Every session has a name, and who may read it gets it.
    (resourceType === 'session' && resourceName === null);
  return entries.map((entry) => (isPrivate(entry) ? { ...entry, resourceId: null } : entry));
}

/** For exports. Who may read everything is for the caller to check. */
export async function readAudit(
  ctx: UserContext,
  query: RecordQuery,
): Promise<RecordPage<NamedEntry>> {
  const { rows, next } = recordPage(await scanEntries(ctx, query));
  return { rows: await withNames(ctx, rows), next };
}

async function withNames(ctx: UserContext, entries: readonly AuditRow[]): Promise<NamedEntry[]> {
  const names = new Map<string, string>();
  const types = Map.groupBy(entries, ({ resourceType }) => resourceType);
  await Promise.all(
    [...types].map(async ([type, group]) => {
      const ids = [...new Set(group.map(({ resourceId }) => resourceId))];
      for (const { id, name } of await findNames(ctx, type, ids)) names.set(id, name);
    }),
  );
  return entries.map((entry) => ({ ...entry, resourceName: names.get(entry.resourceId) ?? null }));
}
