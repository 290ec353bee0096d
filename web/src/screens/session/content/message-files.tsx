import type { Message } from '@atrium/sdk';
import { CatchBoundary } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyPart } from '../../../data/parts.ts';
import { heightOfFiles } from '../list/rows.ts';

// Not part of the first page: most messages have none.
const Attachments = lazyPart(() => import('../../../shared/files/attachments.tsx'), 'Attachments');

/** A message's files. Their space is reserved until their code is there. If it can't be loaded, they are named. */
export function MessageFiles({ files }: { files: Message['attachments'] }) {
  return (
    <CatchBoundary
      getResetKey={() => 'same'}
      errorComponent={() => (
        <p className="text-sm wrap-anywhere">{files.map(({ name }) => name).join(', ')}</p>
      )}
    >
      <Suspense fallback={<div style={{ height: heightOfFiles(files) }} />}>
        <Attachments files={files} />
      </Suspense>
    </CatchBoundary>
  );
}
