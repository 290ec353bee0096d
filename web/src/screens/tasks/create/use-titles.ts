import { useRef, useState } from 'react';
import { fieldErrors } from '../../../ui/forms/field-errors.ts';
import { useCreateTasks, type NewTasks } from '../changes/mutations.ts';

/** How many one paste may make. */
const MOST_LINES = 100;

/**
 * A text in which each line is the title of a new task. `fields` is where they go and what they have in common.
 * What is created leaves the text, so that nothing is created twice if it stops in between.
 */
export function useTitles(fields: Omit<NewTasks, 'titles'> | undefined, initial = '') {
  const [text, setText] = useState(initial);
  const titles = linesOf(text);
  const left = useRef<string[]>([]);
  const create = useCreateTasks(() => {
    left.current = left.current.slice(1);
    setText(left.current.join('\n'));
  });
  const isTooMany = titles.length > MOST_LINES;
  const canCreate = fields !== undefined && titles.length > 0 && !isTooMany && !create.isPending;
  const problem = isTooMany
    ? `That’s ${titles.length} lines. Create at most ${MOST_LINES} tasks at once.`
    : fieldErrors(create.error)['title'];
  function submit(onCreated?: (numbers: number[]) => void) {
    if (!canCreate) return;
    left.current = titles;
    create.mutate(
      { ...fields, titles },
      { onSuccess: (created) => onCreated?.(created.map(({ number }) => number)) },
    );
  }
  return {
    text,
    setText,
    count: titles.length,
    canCreate,
    isPending: create.isPending,
    problem,
    /** What is wrong with anything but the title. */
    error: problem ? null : create.error,
    submit,
  };
}

function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
