import { refused } from '../failure.ts';

export type FormValue = string | FormValue[] | { [key: string]: FormValue };

const MOST_PAIRS = 1_000;
const MOST_LEVELS = 8;

/** Reads `a[b][0]=c` as Stripe's SDK writes it: keys nest, and those that count from 0 make a list. */
export function parseForm(text: string): { [key: string]: FormValue } {
  const root = new Map<string, Node>();
  const pairs = [...new URLSearchParams(text)];
  if (pairs.length > MOST_PAIRS) throw refused('Too many parameters.');
  for (const [name, value] of pairs) {
    // The database keeps no NUL in JSON.
    if (/\0/.test(name + value)) throw refused('Invalid string: it has a NUL.', undefined, name);
    put(root, keysOf(name), value, name);
  }
  return Object.fromEntries([...root].map(([key, node]) => [key, plain(node)]));
}

type Node = string | Map<string, Node>;

function keysOf(name: string): string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name);
  const inner = [...(match?.[2] ?? '').matchAll(/\[([^[\]]*)\]/g)].map((found) => found[1] ?? '');
  if (!match?.[1] || inner.length >= MOST_LEVELS) {
    throw refused(`Invalid parameter name: ${name}`, 'parameter_unknown', name);
  }
  return [match[1], ...inner];
}

function put(into: Map<string, Node>, keys: string[], value: string, name: string): void {
  const [first = '', ...rest] = keys;
  const key = first === '' ? String(into.size) : first; // `a[]=b` adds to the list.
  if (rest.length === 0) {
    into.set(key, value);
    return;
  }
  const next = into.get(key) ?? new Map<string, Node>();
  if (typeof next === 'string') throw refused(`Invalid object: ${name}`, undefined, name);
  into.set(key, next);
  put(next, rest, value, name);
}

function plain(node: Node): FormValue {
  if (typeof node === 'string') return node;
  const isList = [...node.keys()].every((key, at) => key === String(at));
  if (isList) return [...node.values()].map(plain);
  return Object.fromEntries([...node].map(([key, value]) => [key, plain(value)]));
}
