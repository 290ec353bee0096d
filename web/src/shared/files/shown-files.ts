import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Attachment } from '@atrium/sdk';
import { createStore } from '../../data/store.ts';

/** The files among which the arrow keys go from one to the next: those of the same message, task or page. */
export const neighbours = createStore<readonly Pick<Attachment, 'fileId'>[]>([]);

/** Opens a file in the viewer, which is part of the address. */
export function useOpenFile(): (
  fileId: string,
  among?: readonly Pick<Attachment, 'fileId'>[],
  page?: number,
) => void {
  const navigate = useNavigate();
  return useCallback(
    (fileId, among = [], page) => {
      neighbours.setState(among);
      void navigate({
        to: '.',
        search: (before) => ({ ...before, file: fileId, page }),
        resetScroll: false,
      });
    },
    [navigate],
  );
}

/** What every address may hold. */
export interface FileSearch {
  /** The file that is open in the viewer. */
  file?: string | undefined;
  /** The page of it. */
  page?: number | undefined;
}

export function readFileSearch({ file, page }: Record<string, unknown>): FileSearch {
  if (typeof file !== 'string' || file === '') return {};
  const number = Number(page);
  return { file, ...(Number.isInteger(number) && number > 0 && { page: number }) };
}
