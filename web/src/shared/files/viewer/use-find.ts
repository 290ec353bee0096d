import type { File as StoredFile, FileMatches } from '@atrium/sdk';
import { useState } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { useFetched } from '../../../data/use-fetched.ts';
import { useSettled } from '../../../ui/forms/use-settled.ts';
import { firstFrom, matchAt, type Match } from './match-at.ts';

const PAUSE_MS = 250;

/** A search in a file. */
export interface Find {
  typed: string;
  change: (typed: string) => void;
  /** What is searched. Empty if nothing is. */
  query: string;
  total: number | undefined;
  /** Whether a page has it. */
  isOn: (page: number) => boolean;
  /** Where the search is. */
  current: Match | undefined;
  /** To the next match (1) or the one before (-1), and round at the end. */
  step: (by: 1 | -1) => void;
  isBusy: boolean;
  error: unknown;
}

/** `page` is the one that is shown: a search begins there. */
export function useFind(file: StoredFile, page: number): Find {
  const [typed, setTyped] = useState('');
  const [from, setFrom] = useState(1);
  const [chosen, setChosen] = useState<number>();
  const wanted = typed.trim().replaceAll(/\s+/g, ' ');
  const settled = useSettled(wanted, PAUSE_MS);
  const query = wanted === '' || file.text !== 'READY' ? '' : settled;
  const { data, isFetching, error } = useMatches(file.id, query, from);
  const total = data?.total;
  const index = data && (chosen ?? firstFrom(data.pages, from));
  const current = data && index !== undefined ? matchAt(data.pages, index) : undefined;
  return {
    typed,
    change(next) {
      setTyped(next);
      setFrom(page);
      setChosen(undefined);
    },
    query,
    total,
    isOn: (on) => data?.pages.some((one) => one.page === on) ?? false,
    current,
    step(by) {
      if (current && total) setChosen((current.index + by + total) % total);
    },
    isBusy: wanted !== settled || isFetching,
    error,
  };
}

/** How often words are in a file, and where they are on one page of it. */
export function useMatches(fileId: string, query: string, page: number) {
  return useFetched<FileMatches>(
    (orgId) => [...keys.file(orgId, fileId), 'matches', query, page],
    ({ client }, options) => client.files.find(fileId, { query, page }, options),
    { enabled: query !== '', staleTime: Infinity },
  );
}
