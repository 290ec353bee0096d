import { TABLE_PLACES } from '../../../src/db/citus/table-places.ts';
import type { Database, OuterTransaction } from '../../../src/db/types.ts';

/** A statement that is for every org says so: a chore, or an operator's command. */
const FOR_ALL_ORGS = '/* all orgs */';

const DISTRIBUTED: ReadonlySet<string> = new Set(TABLE_PLACES.distributed);
/** What can follow a table that has no alias. */
const NO_ALIAS = new Set(
  'where set on join left cross inner order group limit using values select for returning union offset'.split(
    ' ',
  ),
);

/**
 * What keeps a statement from running on one shard of Citus, and with that on the org's own rows only: a
 * tenant table that does not say by itself which org it is about, and forms that Citus refuses.
 */
export function problemsOf(text: string): string[] {
  if (text.includes(FOR_ALL_ORGS)) return [];
  const queries = queriesIn(tokensOf(text));
  return [...withoutOrg(queries), ...queries.flatMap((query, at) => refusedIn(query, at > 0))];
}

function withoutOrg(queries: readonly Token[][]): string[] {
  return queries.flatMap((query) =>
    tablesIn(query)
      .filter(({ table, alias }) => !saysOrg(query, table, alias))
      .map(({ table, alias }) => `${table} ${alias} has no org_id = $n of its own`),
  );
}

/** Words, numbers and signs in lower case, without texts and comments. A sub-query is an array of them. */
type Token = string | Token[];

function tokensOf(text: string): string[] {
  const plain = text.replaceAll(/'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\//g, ' ').toLowerCase();
  return plain.match(/\$\d+|[\w."]+|\S/g) ?? [];
}

/** The query and all that are in it, each without those inside; the branches of a UNION one by one. */
function queriesIn(tokens: readonly string[]): Token[][] {
  const found: Token[][] = [];
  const open: Token[][] = [[]];
  const closes: boolean[] = [];
  for (const [at, token] of tokens.entries()) {
    const current = open.at(-1) as Token[];
    if (token === '(' && isQuery(tokens.slice(at).find((next) => next !== '('))) {
      const inner: Token[] = [];
      current.push(inner);
      open.push(inner);
      closes.push(true);
    } else if (token === '(') {
      current.push(token);
      closes.push(false);
    } else if (token === ')' && closes.pop()) {
      found.push(...branchesOf(open.pop() as Token[]));
    } else {
      current.push(token);
    }
  }
  return [...branchesOf(open[0] as Token[]), ...found];
}

function isQuery(word: string | undefined): boolean {
  return word !== undefined && /^(select|with|insert|update|delete|values)$/.test(word);
}

function branchesOf(query: Token[]): Token[][] {
  const branches: Token[][] = [[]];
  for (const token of query) {
    if (token === 'union' || token === 'except' || token === 'intersect') branches.push([]);
    else branches.at(-1)?.push(token);
  }
  return branches;
}

interface TableUse {
  table: string;
  alias: string;
}

function tablesIn(query: readonly Token[]): TableUse[] {
  return query.flatMap((token, at) => {
    const before = query[at - 1];
    const isTable = typeof before === 'string' && /^(from|join|update|into|using)$/.test(before);
    if (!isTable || typeof token !== 'string' || !DISTRIBUTED.has(token)) return [];
    const next = query[at + 1] === 'as' ? query[at + 2] : query[at + 1];
    const hasAlias = typeof next === 'string' && /^\w+$/.test(next) && !NO_ALIAS.has(next);
    return [{ table: token, alias: hasAlias ? next : token }];
  });
}

function saysOrg(query: readonly Token[], table: string, alias: string): boolean {
  if (query[query.indexOf(table) - 1] === 'into') return query.includes('org_id');
  const names = alias === table ? ['org_id', `${table}.org_id`] : [`${alias}.org_id`];
  return query.some(
    (token, at) =>
      names.includes(token as string) &&
      query[at + 1] === '=' &&
      /^\$\d+$/.test(String(query[at + 2])),
  );
}

function refusedIn(query: readonly Token[], isInner: boolean): string[] {
  const [first] = query;
  const isWrite = first === 'insert' || first === 'update' || first === 'delete';
  const after = (word: string) =>
    query.includes(word) ? query.slice(query.lastIndexOf(word) + 1) : [];
  const isSub = (token: Token) => Array.isArray(token);
  const set = query.includes('conflict') ? after('set') : [];
  const setEnd = set.indexOf('returning');
  return [
    ...(isWrite && isInner ? ['changes rows in a WITH'] : []),
    ...(isWrite && after('returning').some((token) => isSub(token) || token === 'now')
      ? ['computes in RETURNING']
      : []),
    ...((setEnd === -1 ? set : set.slice(0, setEnd)).includes('now')
      ? ['has now() in DO UPDATE SET']
      : []),
    ...(first === 'insert' && query.includes('for') && !query.includes('values')
      ? ['locks in an INSERT']
      : []),
    ...(first === 'insert' && after('values').some(isSub) ? ['has a sub-query in VALUES'] : []),
    ...(query.includes('ctid') ? ['uses ctid'] : []),
    ...(isWrite && timeInCase(query) ? ['computes a time in a CASE'] : []),
    ...(first === 'insert' && takesOrgFromJoin(query)
      ? ['takes the org from a row of a join']
      : []),
    ...(first === 'insert' && hasLooseSubquery(query) ? ['has a sub-query beside its table'] : []),
  ];
}

/** Which shard the rows are for is known only from `$1`. Otherwise the statement goes to all of them. */
function takesOrgFromJoin(query: readonly Token[]): boolean {
  const first = query[query.indexOf('select') + 1];
  return query.includes('join') && typeof first === 'string' && /(^|\.)org_id$/.test(first);
}

/** What is selected from a table beside a sub-query needs to be of the same org by itself, not only of `$1`. */
function hasLooseSubquery(query: readonly Token[]): boolean {
  const from = query.indexOf('from');
  const outer = tablesIn(query.slice(from, from + 4)).map(({ alias }) => `${alias}.org_id`);
  const listed = query.slice(query.indexOf('select'), Math.max(0, from)).filter(Array.isArray);
  const isBound = (inner: Token[], alias: string) =>
    inner.some((token, at) => {
      const bound = inner[at + 2];
      return token === `${alias}.org_id` && typeof bound === 'string' && outer.includes(bound);
    });
  return (
    outer.length > 0 &&
    listed.some((inner) => tablesIn(inner).some(({ alias }) => !isBound(inner, alias)))
  );
}

/** A time that depends on the row would differ from node to node. Adding an interval counts: it needs a time zone. */
function timeInCase(query: readonly Token[]): boolean {
  let depth = 0;
  return query.some((token) => {
    if (token === 'case') depth++;
    if (token === 'end') depth--;
    return (token === 'now' || token === 'interval') && depth > 0;
  });
}

const problems = new Map<string, string[]>();
const seen = new Set<string>();

/** Those of the statements that were sent since the last call. */
export function takeProblems(): string[] {
  const found = [...problems].map(([text, list]) => `${list.join(', ')}: ${text}`);
  problems.clear();
  return found;
}

function look(text: string, find = problemsOf): void {
  if (seen.has(text)) return;
  seen.add(text);
  const found = find(text);
  if (found.length > 0) problems.set(text, found);
}

/** A statement that says it waits for no lock must not take one that others wait for. */
export function lockProblemsOf(text: string, lock: string | undefined): string[] {
  const isLocking = tokensOf(text).some((token) =>
    /^(update|delete|share|pg_advisory_\w+|merge)$/.test(token),
  );
  return lock === '' && isLocking ? ["says lock: '' and may wait for one"] : [];
}

/** Of a statement that Citus never gets. */
const tenantProblemsOf = (text: string) => withoutOrg(queriesIn(tokensOf(text)));

/** The same database, for the server under test: every statement is looked at when it is first sent. */
export function lookingAtStatements(db: Database): Database {
  return {
    ...db,
    query: (text, values) => {
      look(text);
      return db.query(text, values);
    },
    sharedRead: (text, values) => {
      look(text);
      return db.sharedRead(text, values);
    },
    transaction: (work) =>
      db.transaction((tx) => {
        lookAt(tx);
        return work(tx);
      }),
  };
}

function lookAt(tx: OuterTransaction): void {
  const query = tx.query.bind(tx);
  const sharedRead = tx.sharedRead.bind(tx);
  const atCommit = tx.atCommit.bind(tx);
  const atBegin = tx.atBegin.bind(tx);
  tx.query = (text, values) => {
    look(text);
    return query(text, values);
  };
  tx.sharedRead = (text, values) => {
    look(text);
    return sharedRead(text, values);
  };
  tx.atCommit = (text, values, options) => {
    const find = options?.onCitus ? tenantProblemsOf : problemsOf;
    look(text, (sent) => [...find(sent), ...lockProblemsOf(sent, options?.lock)]);
    for (const part of options?.onCitus ?? []) look(part.text);
    atCommit(text, values, options);
  };
  tx.atBegin = (text, values, options) => {
    look(text);
    atBegin(text, values, options);
  };
}
