import { useCallback } from 'react';
import { MOST_FILES, nameOfPasted, type Upload } from '../../data/uploads/upload.ts';
import { addUploads, uploadsAt } from '../../data/uploads/uploads.ts';
import { useOwner } from '../../data/workspace.tsx';
import { toast } from '../../ui/layers/toast.tsx';

/** Adds files to what is being written, as many as fit. */
export function useAdding({ place, projectId }: Pick<Upload, 'place' | 'projectId'>) {
  const owner = useOwner();
  return useCallback(
    (files: readonly File[]) => {
      const room = MOST_FILES - uploadsAt(owner, place).length;
      if (files.length > room) toast(`A message can have up to ${MOST_FILES} files.`);
      addUploads(owner, { place, projectId }, files.slice(0, Math.max(0, room)).map(named));
    },
    [owner, place, projectId],
  );
}

function named(file: File): File {
  const name = nameOfPasted(file.name, new Date());
  if (name === file.name) return file;
  return new File([file], name, { type: file.type, lastModified: file.lastModified });
}
