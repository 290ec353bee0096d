import type { Memory } from '@atrium/sdk';
import { Pencil, Trash2 } from 'lucide-react';
import { Button } from '../../ui/controls/button.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Dialog, DialogActions } from '../../ui/layers/dialog.tsx';
import { Loading } from '../../ui/states/loading.tsx';
import { RoleNote } from '../../ui/pages/page.tsx';
import { useKeeper } from './audience.tsx';
import { useLinkTo, type OpenDialog } from './memory-menu.tsx';
import { MemoryRecord, MemoryRecordLoading } from './memory-record.tsx';
import type { MemorySearch } from './search-params.ts';
import { useMemory } from './use-memory.ts';

interface MemoryViewProps {
  memoryId: string;
  search: MemorySearch;
  onClose: () => void;
  onOpen: (dialog: OpenDialog) => void;
}

/** One memory with what can be done to it. It has its own address, so people can share a link to it. */
export function MemoryView({ memoryId, search, onClose, onOpen }: MemoryViewProps) {
  const query = useMemory(memoryId);
  const memory = query.data;
  return (
    <Dialog title="Memory" width="wide" onClose={onClose}>
      <Loading of={query}>
        <MemoryRecordLoading />
      </Loading>
      {memory === null && <Missing onClose={onClose} />}
      {memory && (
        <>
          <MemoryRecord memory={memory} search={search} />
          <Actions memory={memory} onOpen={onOpen} />
        </>
      )}
    </Dialog>
  );
}

function Actions({ memory, onOpen }: { memory: Memory; onOpen: (dialog: OpenDialog) => void }) {
  const { mayChange, why } = useKeeper(memory);
  const link = useLinkTo(memory.id);
  return (
    <>
      {!mayChange && <RoleNote>{why}</RoleNote>}
      <DialogActions>
        <CopyButton text={link} label="Copy link" size="medium" />
        <Button
          disabled={!mayChange}
          onClick={() => onOpen({ what: 'delete', memory })}
          icon={Trash2}
        >
          Delete
        </Button>
        <Button
          disabled={!mayChange}
          onClick={() => onOpen({ what: 'edit', memory })}
          icon={Pencil}
        >
          Edit
        </Button>
      </DialogActions>
    </>
  );
}

function Missing({ onClose }: { onClose: () => void }) {
  return (
    <>
      <p>Memory not found. One of these may be why:</p>
      <ul className="list-disc pl-5 text-sm text-muted">
        <li>It was deleted.</li>
        <li>It’s private to someone else, or to a project you’re not in.</li>
        <li>It belongs to another organisation. Switch to it and open the link again.</li>
      </ul>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          Show all memories
        </Button>
      </DialogActions>
    </>
  );
}
