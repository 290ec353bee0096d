import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useItems } from '../../../data/queries.ts';
import { keys } from '../../../data/query-keys.ts';
import { useWorkspace } from '../../../data/workspace.tsx';

export function useCredits() {
  const { client, org } = useWorkspace();
  return useQuery({
    queryKey: [...keys.billing(org.id), 'credits'],
    queryFn: ({ signal }) => client.billing.credits({ signal }),
  });
}

export function usePlans() {
  const key = (orgId: string) => [...keys.billing(orgId), 'plans'];
  return useItems(key, ({ client }, options) => client.billing.plans(options), {
    staleTime: 10 * 60_000,
  });
}

export const LEDGER_PAGE = 20;

export function useLedger(page: number) {
  const { client, org } = useWorkspace();
  return useQuery({
    queryKey: [...keys.billing(org.id), 'ledger', page],
    queryFn: async ({ signal }) => {
      const { items, total } = await client.billing.ledger(
        { page, limit: LEDGER_PAGE },
        { signal },
      );
      return { items, total: total ?? items.length };
    },
    placeholderData: keepPreviousData,
  });
}
