import { readTexts } from '../../data/search-params.ts';

/** Beginnings of media types, as the API filters them. */
export const TYPES = [
  { value: 'image/', name: 'Pictures' },
  { value: 'application/pdf', name: 'PDF' },
  { value: 'application/vnd.', name: 'Office documents' },
  { value: 'text/', name: 'Text' },
  { value: 'video/', name: 'Video' },
  { value: 'audio/', name: 'Audio' },
] as const;

/** What the address of a Project's files holds: part of a name, and a type. */
export interface ProjectFilesSearch {
  q?: string | undefined;
  type?: (typeof TYPES)[number]['value'] | undefined;
}

export function readProjectFilesSearch(search: Record<string, unknown>): ProjectFilesSearch {
  const type = TYPES.find(({ value }) => value === search['type'])?.value;
  return { ...readTexts(search, ['q']), ...(type && { type }) };
}
