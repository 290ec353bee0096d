import type { Queryable } from '../../../../db/database.ts';
import { withoutParts } from '../events.ts';
import { refused } from '../failure.ts';
import { listOf } from '../objects/subscription.ts';
import { findById, getObject, listObjects } from '../store.ts';

type Tree = Record<string, unknown>;

/** An object as the API shows it, with other objects in place of their ids where that was asked for. */
export async function present(
  db: Queryable,
  object: object,
  paths: readonly string[],
): Promise<object> {
  const shown = structuredClone(withoutParts(object)) as Tree;
  for (const path of paths) await expandPath(db, shown, path.split('.'), path);
  return shown;
}

async function expandPath(
  db: Queryable,
  value: unknown,
  keys: readonly string[],
  path: string,
): Promise<void> {
  if (Array.isArray(value)) {
    for (const each of value) await expandPath(db, each, keys, path);
    return;
  }
  const [key, ...rest] = keys;
  if (key === undefined || typeof value !== 'object' || value === null) return;
  const tree = value as Tree;
  const found = await lookUp(db, tree, key);
  if (found === undefined)
    throw refused(`This property cannot be expanded (${path}).`, undefined, 'expand');
  tree[key] = found;
  await expandPath(db, found, rest, path);
}

async function lookUp(db: Queryable, tree: Tree, key: string): Promise<unknown> {
  const value = Object.hasOwn(tree, key) ? tree[key] : undefined;
  if (value === undefined) return listPart(db, tree, key);
  if (typeof value !== 'string') return value;
  const found = await findById(db, value);
  return found && withoutParts(found);
}

/** Lists that are part of an object only when asked for. */
async function listPart(db: Queryable, tree: Tree, key: string): Promise<unknown> {
  const { id, object } = tree as { id: string; object: string };
  switch (`${object}.${key}`) {
    case 'checkout.session.line_items':
      return (await getObject(db, 'checkout.session', id)).line_items;
    case 'invoice.payments':
      return listOf(
        `/v1/invoice_payments?invoice=${id}`,
        await listObjects(db, 'invoice_payment', { filter: { invoice: id } }),
      );
    case 'charge.refunds':
      return listOf(
        `/v1/charges/${id}/refunds`,
        await listObjects(db, 'refund', { filter: { charge: id } }),
      );
    case 'customer.subscriptions':
      return listOf(
        `/v1/customers/${id}/subscriptions`,
        await listObjects(db, 'subscription', {
          filter: { customer: id },
          exceptStatus: 'canceled',
        }),
      );
    default:
      return undefined;
  }
}
