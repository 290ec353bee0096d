import type { PlanPrice } from './payments.ts';

/** New subscriptions use the first id. Older ones may still have one of the others. */
export function readPrices(configured: Readonly<Record<string, string>>) {
  const named = Object.entries(configured).map(([name, ids]) => {
    return { name, ids: ids.split(',').map((id) => id.trim()) };
  });
  return {
    /** By `<plan>_<interval>`. */
    idOf: new Map(named.map(({ name, ids }) => [name, ids[0] ?? ''])),
    planOf: new Map(
      named.flatMap(({ name, ids }) => ids.map((id) => [id, readPriceName(name)] as const)),
    ),
  };
}

export function priceName({ plan, interval }: PlanPrice): string {
  return `${plan}_${interval}`;
}

function readPriceName(name: string): PlanPrice {
  const [plan, interval] = name.split('_') as [PlanPrice['plan'], PlanPrice['interval']];
  return { plan, interval };
}
