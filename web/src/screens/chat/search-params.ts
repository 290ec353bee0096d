import { readTexts } from '../../data/search-params.ts';

/** What the address of a new chat holds. */
export interface ChatSearch {
  /** The slug of the project that it is started from. */
  project?: string;
}

export const readChatSearch = (search: Record<string, unknown>): ChatSearch =>
  readTexts(search, ['project']);
