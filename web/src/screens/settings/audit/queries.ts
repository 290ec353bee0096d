import type { AuditEntry } from '@atrium/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { useIntegrations, useMembers, useProjects } from '../../../data/queries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';

export const AUDIT_PAGE = 50;

export function useAudit(page: number) {
  const { client, org } = useWorkspace();
  return useQuery({
    queryKey: [...keys.audit(org.id), page],
    queryFn: async ({ signal }) => {
      const answer = await client.org.listAudit(org.id, { page, limit: AUDIT_PAGE }, { signal });
      return { items: answer.items, total: answer.total ?? answer.items.length };
    },
    placeholderData: keepPreviousData,
    // No hint says that the log has grown, so each visit reads it again.
    staleTime: 0,
  });
}

/** The name of what an entry is about, if it still exists and has one. */
export function useResourceNames(): (entry: AuditEntry) => string | undefined {
  const { data: projects } = useProjects();
  const { data: members } = useMembers();
  const { data: integrations } = useIntegrations();
  return useMemo(() => {
    const names = new Map([
      ...(projects ?? []).map(({ id, name }) => [id, name] as const),
      ...(members ?? []).map(({ userId, name }) => [userId, name] as const),
      ...(integrations ?? []).map(({ id, displayName }) => [id, displayName] as const),
    ]);
    return ({ resourceId }) => names.get(resourceId);
  }, [projects, members, integrations]);
}

/** Looks up the names of the org's v1 keys. */
export function useOrgKeyNames(): (keyId: string | null) => string | undefined {
  const { client, org } = useWorkspace();
  const { data } = useQuery({
    queryKey: [...keys.orgKeys(org.id), 'names'],
    queryFn: async ({ signal }) => (await client.keys.listOrgKeys(org.id, { signal })).items,
    staleTime: 60_000,
  });
  return useMemo(() => {
    const names = new Map(data?.map(({ id, name }) => [id, name]));
    return (keyId) => names.get(keyId ?? '');
  }, [data]);
}
