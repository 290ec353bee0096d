import { fold } from '../../ui/text/fold.ts';
import type { SearchChanges } from '../../data/search-params.ts';
import type { MessageSearch } from './search-params.ts';

const NAMES = ['from', 'in', 'before', 'after', 'has'] as const;

/** `from:ana`, or `in:"Our prices"`, among the words of a search. */
export interface Operator {
  name: (typeof NAMES)[number];
  value: string;
  /** As it was typed. */
  text: string;
  /** Something follows it, or its quotes are closed. */
  isFinished: boolean;
}

/** What an operator can stand for: a filter. */
export interface Meaning {
  label: string;
  /** Other ways to write it, such as a handle. */
  aliases: readonly string[];
  changes: Partial<SearchChanges<MessageSearch>>;
}

/** The meanings of an operator as far as it is typed, the likeliest first. */
export type FindMeanings = (operator: Operator) => Meaning[];

const OPERATOR = new RegExp(`(?<!\\S)(${NAMES.join('|')}):(?:"([^"]*)("?)|(\\S*))`, 'gi');

export function splitQuery(typed: string): { words: string; operators: Operator[] } {
  const operators = [...typed.matchAll(OPERATOR)].map((found): Operator => {
    const [text, name = '', quoted, closing, plain = ''] = found;
    const isLast = found.index + text.length === typed.length;
    return {
      name: name.toLowerCase() as Operator['name'],
      value: (quoted ?? plain).trim(),
      text,
      isFinished: closing === '"' || (quoted === undefined && !isLast),
    };
  });
  const words = typed.replaceAll(OPERATOR, ' ').replaceAll(/\s+/g, ' ').trim();
  return { words, operators };
}

/** Turns the finished operators that have one meaning into filters. Undefined if there are none. */
export function takeOperators(
  typed: string,
  findMeanings: FindMeanings,
): SearchChanges<MessageSearch> | undefined {
  let rest = typed;
  const changes: SearchChanges<MessageSearch> = {};
  for (const operator of splitQuery(typed).operators) {
    const meaning = operator.isFinished ? onlyMeaning(operator, findMeanings) : undefined;
    if (!meaning) continue;
    rest = withoutOperator(rest, operator);
    Object.assign(changes, meaning.changes);
  }
  return rest === typed ? undefined : { ...changes, q: rest || undefined };
}

/** One that is written exactly so is meant, even if others begin like it. */
function onlyMeaning(operator: Operator, findMeanings: FindMeanings): Meaning | undefined {
  const meanings = findMeanings(operator);
  const written = fold(operator.value);
  const exact = meanings.filter(({ label, aliases }) =>
    [label, ...aliases].some((name) => fold(name) === written),
  );
  const [first, second] = exact.length > 0 ? exact : meanings;
  return second ? undefined : first;
}

export function withoutOperator(typed: string, { text }: Operator): string {
  return typed.replace(text, '').replaceAll(/\s+/g, ' ').trimStart();
}
