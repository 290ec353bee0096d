import type { AuditEntry, ListAuditParams } from '@atrium/sdk';
import { keepPreviousData } from '@tanstack/react-query';
import { keys } from '../../../data/query-keys.ts';
import { useAgentNames, usePeople } from '../../../data/queries.ts';
import { useFetched, useItems } from '../../../data/use-fetched.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { dayEnd, dayStart } from '../../../ui/text/days.ts';
import { toCsv } from './csv.ts';
import { actionInWords, actorInWords } from './audit-words.ts';

export const AUDIT_PAGE = 50;

/** Empty for any. `after` and `before` are the first and the last day. */
export interface AuditFilter {
  resourceType: string;
  actorUserId: string;
  after?: string | undefined;
  before?: string | undefined;
}

export const NO_FILTER: AuditFilter = { resourceType: '', actorUserId: '' };

function paramsOf({ resourceType, actorUserId, after, before }: AuditFilter): ListAuditParams {
  const [createdAfter, createdBefore] = [dayStart(after), dayEnd(before)];
  return {
    ...(resourceType && { resourceType }),
    ...(actorUserId && { actorUserId }),
    ...(createdAfter && { createdAfter }),
    ...(createdBefore && { createdBefore }),
  };
}

export function useAudit(page: number, filter: AuditFilter) {
  return useFetched(
    (orgId) => [...keys.audit(orgId), page, filter],
    async ({ client, org }, options) => {
      const params = { ...paramsOf(filter), page, limit: AUDIT_PAGE };
      const { items, total } = await client.org.listAudit(org.id, params, options);
      return { items, total: total ?? items.length };
    },
    // No hint says that the log has grown, so each visit reads it again.
    { placeholderData: keepPreviousData, staleTime: 0 },
  );
}

const MOST_IN_CSV = 20_000;
const HEADINGS = ['Time', 'Who', 'How', 'What', 'Name', 'Action', 'Resource', 'Key', 'Request'];

/** Everything that matches, newest first, as a file. Longer logs are in the organisation's export. */
export function useAuditCsv(filter: AuditFilter): () => Promise<ReadableStream<Uint8Array>> {
  const { client, org } = useWorkspace();
  const nameActor = useActorInWords();
  return async () => {
    // What is written from now on would move entries to later pages.
    const createdBefore = dayEnd(filter.before) ?? new Date().toISOString();
    const params = { ...paramsOf(filter), createdBefore, limit: 100 };
    const rows: string[][] = [HEADINGS];
    for await (const entry of client.org.listAudit(org.id, params)) {
      const { who, how } = nameActor(entry);
      const { createdAt, action, resourceName, resourceId, keyId, requestId } = entry;
      const words = [who, how, actionInWords(action), resourceName ?? ''];
      rows.push([createdAt, ...words, action, resourceId ?? '', keyId ?? '', requestId]);
      if (rows.length > MOST_IN_CSV) break;
    }
    return new Blob([toCsv(rows)]).stream();
  };
}

/** Who did it, and how. */
export function useActorInWords(): (entry: AuditEntry) => { who: string; how: string } {
  const personOf = usePeople();
  const { data: orgKeys } = useItems(
    (orgId) => [...keys.orgKeys(orgId), 'names'],
    ({ client, org }, options) => client.keys.listOrgKeys(org.id, options),
    { staleTime: 60_000 },
  );
  const agent = useAgentNames();
  return (entry) =>
    actorInWords(entry, {
      person: (userId) => personOf(userId).name,
      agent,
      orgKey: (keyId) => orgKeys?.find(({ id }) => id === keyId)?.name,
    });
}
