import { setImmediate } from 'node:timers/promises';
import type { OrgTransaction } from '../../../db/types.ts';
import { scopeOf } from '../sharing.ts';
import type { NewMemory } from '../store.ts';

export interface TermChange {
  scope: string;
  terms: readonly number[];
  /** 1 for an added memory, -1 for a removed one. */
  by: 1 | -1;
}

export function addedTerms({ memory, form }: NewMemory): TermChange {
  return { scope: scopeOf(memory), terms: form.terms, by: 1 };
}

type ScopedTerms = Pick<TermChange, 'scope' | 'terms'>;

/** Terms that stay in the same scope are not counted out and in again. */
export function termChanges(before: ScopedTerms, after: ScopedTerms): TermChange[] {
  const isMoved = before.scope !== after.scope;
  const old = new Set(isMoved ? [] : before.terms);
  const kept = new Set(after.terms.filter((term) => old.has(term)));
  return [
    { scope: before.scope, terms: before.terms.filter((term) => !kept.has(term)), by: -1 },
    { scope: after.scope, terms: after.terms.filter((term) => !kept.has(term)), by: 1 },
  ];
}

/** As many as one long text has. More would block the embedded engine's only session for too long. */
const TERMS_PER_STATEMENT = 1_500;
/** What an update of a long text sends: all its old terms and all its new ones. */
const STATEMENTS_AT_COMMIT = 4;

/**
 * Updates the counts per scope. Scopes are sorted and each scope's row is locked first, so concurrent
 * updates wait and never deadlock. Sent with COMMIT unless there is very much, so the locks are short.
 */
export async function addTermCounts(
  { db, orgId }: OrgTransaction,
  changes: readonly TermChange[],
): Promise<void> {
  const statements = sumByScope(changes).flatMap((sum) => countStatements(orgId, sum));
  const isShort = statements.length <= STATEMENTS_AT_COMMIT;
  for (const { text, values } of statements) {
    if (isShort) {
      db.atCommit(text, values);
    } else {
      await db.query(text, values);
      await setImmediate();
    }
  }
}

interface ScopeSum {
  scope: string;
  memories: number;
  /** By how much each term's count changes. */
  terms: Map<number, number>;
}

function sumByScope(changes: readonly TermChange[]): ScopeSum[] {
  const sums = new Map<string, ScopeSum>();
  for (const { scope, terms, by } of changes) {
    const sum = sums.get(scope) ?? { scope, memories: 0, terms: new Map() };
    sums.set(scope, sum);
    sum.memories += by;
    for (const term of terms) sum.terms.set(term, (sum.terms.get(term) ?? 0) + by);
  }
  return [...sums.values()].toSorted((a, b) => (a.scope < b.scope ? -1 : 1));
}

function countStatements(
  orgId: string,
  { scope, memories, terms }: ScopeSum,
): { text: string; values: unknown[] }[] {
  const statements = [{ text: COUNT_SCOPE, values: [orgId, scope, memories] as unknown[] }];
  const entries = [...terms];
  for (let from = 0; from < entries.length; from += TERMS_PER_STATEMENT) {
    const some = entries.slice(from, from + TERMS_PER_STATEMENT);
    const columns = [some.map(([term]) => term), some.map(([, by]) => by)];
    statements.push({ text: COUNT_TERMS, values: [orgId, scope, ...columns] });
  }
  return statements;
}

const COUNT_SCOPE = `INSERT INTO memory_scopes AS s (org_id, scope, memories) VALUES ($1, $2, $3)
  ON CONFLICT (org_id, scope) DO UPDATE SET memories = s.memories + excluded.memories`;
const COUNT_TERMS = `INSERT INTO memory_terms AS t (org_id, scope, term, memories)
  SELECT $1, $2, term, memories FROM unnest($3::bigint[], $4::bigint[]) sums (term, memories)
  ON CONFLICT (org_id, scope, term) DO UPDATE SET memories = t.memories + excluded.memories`;
