import type { ReactNode } from 'react';
import { scoreMatch } from '../text/fuzzy-match.ts';

/** One of the values that a picker offers. */
export interface PickerOption<Value extends string = string> {
  value: Value;
  /** What people call it: shown, searched and read aloud. */
  name: string;
  /** Decoration before the name, such as an avatar. */
  icon?: ReactNode;
  /** Said after the name, and searched too. */
  about?: string | undefined;
  /** The heading that it is listed under. Options of one group follow each other. */
  group?: string | undefined;
  /** Shown, but can't be chosen. `about` says why. */
  isDisabled?: boolean | undefined;
}

/** The options of a record that says what each value is called. */
export function optionsOf<Value extends string>(
  names: Readonly<Record<Value, string>>,
): PickerOption<Value>[] {
  return Object.entries<string>(names).map(([value, name]) => ({ value: value as Value, name }));
}

/** Those that match what was typed, the best first. Without a query, all of them as they are. */
export function findOptions<Option extends PickerOption>(
  options: readonly Option[],
  query: string,
): readonly Option[] {
  if (query.trim() === '') return options;
  return options
    .map((option) => ({ option, score: scoreMatch(query, option.name, option.about) }))
    .filter(({ score }) => score > 0)
    .toSorted((left, right) => right.score - left.score)
    .map(({ option }) => option);
}
