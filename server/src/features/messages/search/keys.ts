import { ONLY_READERS } from '../../../access/readable.ts';

/**
 * The keys that messages are found by, as SQL. A key is made from a term's hash, the scope of the message's
 * session and the number of its period. The number is in bits 52 to 63, the hash below it, and the scope is
 * XORed into bits 0 to 31. So what is posted goes to one end of the index, and a term's keys of a period are
 * next to each other.
 *
 * The key of no term, 0, comes first and is the base: any other is the base XOR a hash. So a search looks up
 * only what its caller may see, and can begin with the newest messages.
 */

const HASH_BITS = 52;
const SCOPE_BITS = 32;

/** Who may read a session, as a number: that of its Project, or its own if only some members may. */
export const scopeOf = (id: string) =>
  `('x' || left(md5(${id}), ${SCOPE_BITS / 4}))::bit(${SCOPE_BITS})::bigint`;

/** The scope of session `s`. Who takes part in it may change, and the scope stays. */
const SESSION_SCOPE = scopeOf(`CASE WHEN ${ONLY_READERS} IS NULL THEN s.project_id ELSE s.id END`);

export const baseOf = (period: string, scope: string) =>
  `(${period}::bigint << ${HASH_BITS} | ${scope})`;

export const keyOf = (base: string, hash: string) => `(${base} # ${hash})`;

/** The keys of these hashes, for somebody who knows the base, as an array of the database. */
export function keysFrom(base: bigint, hashes: readonly number[]): string {
  return `{${[base, ...hashes.map((hash) => base ^ BigInt(hash))].join(',')}}`;
}

export const scopeOfBase = (base: string) => `${base} & ${2 ** SCOPE_BITS - 1}`;

/**
 * What the keys of a message of session `s` from this time are made from. A message that is older than its
 * session counts as equally old, because searches look no further back.
 */
export const keyParts = (time: string) =>
  `${SESSION_SCOPE} AS search_scope, greatest(${time}, s.created_at) AS search_time`;

const PERIOD = `coalesce((SELECT mp.number FROM message_periods mp
  WHERE mp.org_id = $1 AND mp.starts_at <= search_time ORDER BY mp.starts_at DESC LIMIT 1), 0)`;

/** The keys of these hashes. `parts` is a table with one row of `keyParts`. OFFSET 0: made once. */
export const keysOf = (hashes: string, parts: string) =>
  `ARRAY(SELECT ${keyOf('base.base', 'hash')} FROM (
    SELECT ${baseOf(PERIOD, 'search_scope')} FROM ${parts} OFFSET 0) AS base (base),
    unnest(0::bigint || ${hashes}::bigint[]) AS hash)`;

/** The keys of a message that is there. */
export const keysInSession = (hashes: string, sessionId: string, time: string) =>
  keysOf(
    hashes,
    `(SELECT ${keyParts(time)} FROM sessions s WHERE s.org_id = $1 AND s.id = ${sessionId}) AS parts`,
  );

/** Whether message `m` has the term. */
export const hasTerm = (hash: string) => `${keyOf('m.search_keys[1]', hash)} = ANY (m.search_keys)`;
