import type { Memory, Visibility } from '@atrium/sdk';
import { safePage } from '../../ui/safe-link.ts';

/** A memory as it stands in the form. */
export interface MemoryDraft {
  content: string;
  visibility: Visibility;
  /** Empty for none. */
  projectId: string;
  tags: string[];
  /** Empty for none. */
  sourceUrl: string;
}

export const CONTENT_LENGTH = 10_000;
export const TAG_LENGTH = 50;
export const TAG_COUNT = 20;
const URL_LENGTH = 2_048;

export const EMPTY_DRAFT: MemoryDraft = {
  content: '',
  visibility: 'PRIVATE',
  projectId: '',
  tags: [],
  sourceUrl: '',
};

export function draftOf({ content, visibility, projectId, tags, sourceUrl }: Memory): MemoryDraft {
  return { content, visibility, projectId: projectId ?? '', tags, sourceUrl: sourceUrl ?? '' };
}

/** As the API counts: an emoji outside the basic plane is one. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** What is wrong, by the field's name; the API has the last word. */
export function checkDraft(draft: MemoryDraft): Record<string, string> {
  const problems: Record<string, string> = {};
  if (draft.content.trim() === '') problems['content'] = 'Write what should be remembered.';
  else if (countCharacters(draft.content) > CONTENT_LENGTH) {
    problems['content'] = `A memory has at most ${CONTENT_LENGTH.toLocaleString()} characters.`;
  }
  if (draft.visibility === 'PROJECT' && draft.projectId === '') {
    problems['projectId'] = 'Choose the Project whose members should see it.';
  }
  const url = draft.sourceUrl.trim();
  if (url !== '' && (safePage(url) === undefined || url.length > URL_LENGTH)) {
    problems['sourceUrl'] = 'Give an address that begins with http:// or https://, or none.';
  }
  return problems;
}
