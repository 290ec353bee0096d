import type { Memory } from '@atrium/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Badge } from '../../../ui/badge.tsx';
import { buttonClass } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Day } from '../../../ui/time.tsx';
import { useAudience } from '../../memory/audience.tsx';
import { OutsideLink } from './inline-view.tsx';
import { useMemoryRecord } from './memory-record.ts';
import { safePage } from './safe-link.ts';

/** The memory that an answer quotes: what it says, whose it is and who else can see it. */
export function MemoryDialog({
  memoryId,
  number,
  onClose,
}: {
  memoryId: string;
  number: number;
  onClose: () => void;
}) {
  const { data: memory, error, refetch } = useMemoryRecord(memoryId);
  return (
    <Dialog title={`Source ${number}`} onClose={onClose} width="wide">
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {!error && memory === undefined && <Skeleton className="h-40 w-full" />}
      {memory === null && (
        <p className="text-muted">
          This memory was deleted, or is no longer visible to you. The answer may still quote it.
        </p>
      )}
      {memory && <Record memory={memory} />}
    </Dialog>
  );
}

function Record({ memory }: { memory: Memory }) {
  const { whoSees, whose } = useAudience();
  const { sourceUrl } = memory;
  const source = safePage(sourceUrl);
  return (
    <>
      <p
        dir="auto"
        className="max-h-[50dvh] overflow-y-auto rounded-md bg-hover p-3 whitespace-pre-wrap wrap-anywhere"
        tabIndex={0}
        role="group"
        aria-label="What it says"
      >
        {memory.content}
      </p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm">
        <Fact name="Written by">{whose(memory)}</Fact>
        <Fact name="Who sees it">{whoSees(memory)}</Fact>
        <Fact name="Written">
          <Day at={memory.createdAt} />
        </Fact>
        {memory.tags.length > 0 && (
          <Fact name="Tags">
            <span className="flex flex-wrap gap-1">
              {memory.tags.map((tag) => (
                <Badge key={tag}>{tag}</Badge>
              ))}
            </span>
          </Fact>
        )}
        {sourceUrl && (
          <Fact name="From">
            {source ? <OutsideLink address={source}>{sourceUrl}</OutsideLink> : sourceUrl}
          </Fact>
        )}
      </dl>
      <DialogActions>
        <Link to="/memory" search={{ id: memory.id }} className={buttonClass('plain')}>
          Open in Memory
        </Link>
      </DialogActions>
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd dir="auto" className="min-w-0 wrap-anywhere">
        {children}
      </dd>
    </>
  );
}
