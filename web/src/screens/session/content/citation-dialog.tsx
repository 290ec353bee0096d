import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { MemoryRecord, MemoryRecordLoading } from '../../memory/memory-record.tsx';
import { useMemory } from '../../memory/use-memory.ts';

interface CitationDialogProps {
  memoryId: string;
  number: number;
  onClose: () => void;
}

/** The memory that an answer cites. */
export function CitationDialog({ memoryId, number, onClose }: CitationDialogProps) {
  const { data: memory, error, refetch } = useMemory(memoryId);
  return (
    <Dialog title={`Source ${number}`} onClose={onClose} width="wide">
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {!error && memory === undefined && <MemoryRecordLoading />}
      {memory === null && (
        <p className="text-muted">
          This memory was deleted, or you can no longer see it. The answer may still quote it.
        </p>
      )}
      {memory && (
        <>
          <MemoryRecord memory={memory} />
          <DialogActions>
            <Link to="/memory" search={{ id: memory.id }} className={buttonClass('plain')}>
              Open in Memory
            </Link>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}
