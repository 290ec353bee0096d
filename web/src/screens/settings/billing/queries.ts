import { keepPreviousData } from '@tanstack/react-query';
import { keys } from '../../../data/query-keys.ts';
import { useFetched, useItems } from '../../../data/use-fetched.ts';

export function useCredits() {
  return useFetched(
    (orgId) => [...keys.billing(orgId), 'credits'],
    ({ client }, options) => client.billing.credits(options),
  );
}

export function usePlans() {
  const key = (orgId: string) => [...keys.billing(orgId), 'plans'];
  return useItems(key, ({ client }, options) => client.billing.plans(options), {
    staleTime: 10 * 60_000,
  });
}

export const LEDGER_PAGE = 20;

export function useLedger(page: number) {
  return useFetched(
    (orgId) => [...keys.billing(orgId), 'ledger', page],
    async ({ client }, options) => {
      const params = { page, limit: LEDGER_PAGE };
      const { items, total } = await client.billing.ledger(params, options);
      return { items, total: total ?? items.length };
    },
    { placeholderData: keepPreviousData },
  );
}
