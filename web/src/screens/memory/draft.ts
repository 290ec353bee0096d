import type { Memory, Visibility } from '@atrium/sdk';
import { safePage } from '../../ui/safe-link.ts';

/** A memory while it is edited in the form. */
export interface MemoryDraft {
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
export type WholeDraft = MemoryDraft & { visibility: Visibility };

export const CONTENT_LENGTH = 10_000;
export const TAG_LENGTH = 50;
export const TAG_COUNT = 20;
const URL_LENGTH = 2_048;

export const EMPTY_DRAFT: MemoryDraft = {
  content: '',
  visibility: null,
  projectId: '',
  tags: [],
  sourceUrl: '',
};

export function draftOf({ content, visibility, projectId, tags, sourceUrl }: Memory): MemoryDraft {
  return { content, visibility, projectId: projectId ?? '', tags, sourceUrl: sourceUrl ?? '' };
}

/** Counts code points, as the API does. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** What is wrong with each field. The API has the last word. */
export function checkDraft(draft: MemoryDraft): Record<string, string> {
  const problems: Record<string, string> = {};
  if (draft.content.trim() === '') problems['content'] = 'Write what to remember.';
  else if (countCharacters(draft.content) > CONTENT_LENGTH) {
    problems['content'] =
      `A memory can have at most ${CONTENT_LENGTH.toLocaleString()} characters.`;
  }
  if (draft.visibility === null) problems['visibility'] = 'Choose who can see it.';
  if (draft.visibility === 'PROJECT' && draft.projectId === '') {
    problems['projectId'] = 'Choose the project whose members should see it.';
  }
  const url = draft.sourceUrl.trim();
  if (url !== '' && (safePage(url) === undefined || url.length > URL_LENGTH)) {
    problems['sourceUrl'] =
      'Enter an address that begins with http:// or https://, or leave this empty.';
  }
  return problems;
}
