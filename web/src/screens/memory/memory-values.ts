import type { Memory, Visibility } from '@atrium/sdk';
import { countCharacters } from '../../ui/text/count-characters.ts';
import { safePage } from '../../ui/text/safe-link.ts';

/** A memory while it is edited in the form. */
export interface MemoryValues {
  content: string;
  /** Null until the person has chosen. */
  visibility: Visibility | null;
  /** Empty for none. */
  projectId: string;
  tags: string[];
  /** Empty for none. */
  sourceUrl: string;
}

/** One that can be saved. */
export type WholeValues = MemoryValues & { visibility: Visibility };

export const CONTENT_LENGTH = 10_000;
const URL_LENGTH = 2_048;

export const EMPTY_VALUES: MemoryValues = {
  content: '',
  visibility: null,
  projectId: '',
  tags: [],
  sourceUrl: '',
};

export function valuesOf(memory: Memory): MemoryValues {
  return { ...memory, projectId: memory.projectId ?? '', sourceUrl: memory.sourceUrl ?? '' };
}

/** What is wrong with each field. The API has the last word. */
export function checkValues(values: MemoryValues): Record<string, string> {
  const problems: Record<string, string> = {};
  if (values.content.trim() === '') problems['content'] = 'Write what to remember.';
  else if (countCharacters(values.content) > CONTENT_LENGTH) {
    problems['content'] =
      `A memory can have at most ${CONTENT_LENGTH.toLocaleString()} characters.`;
  }
  if (values.visibility === null) problems['visibility'] = 'Choose who can see it.';
  if (values.visibility === 'PROJECT' && values.projectId === '') {
    problems['projectId'] = 'Choose the project whose members should see it.';
  }
  const url = values.sourceUrl.trim();
  if (url !== '' && (safePage(url) === undefined || url.length > URL_LENGTH)) {
    problems['sourceUrl'] =
      'Enter an address that begins with http:// or https://, or leave this empty.';
  }
  return problems;
}
