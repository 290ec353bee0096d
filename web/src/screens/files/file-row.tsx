import type { File as StoredFile } from '@atrium/sdk';
import { Ellipsis, Pencil, Share2, Trash2, Users } from 'lucide-react';
import { useState } from 'react';
import { keys } from '../../data/query-keys.ts';
import { usePeople } from '../../data/queries.ts';
import { useChange } from '../../data/use-change.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { DownloadLink, FileName } from '../../shared/files/file-card.tsx';
import { FileMark } from '../../shared/files/file-mark.tsx';
import { sizeInWords, statusInWords, typeInWords } from '../../shared/files/file-words.ts';
import { useOpenFile } from '../../shared/files/shown-files.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { Menu, MenuItem } from '../../ui/controls/menu.tsx';
import { toast, toastError } from '../../ui/layers/toast.tsx';
import { Badge } from '../../ui/marks/badge.tsx';
import { Day } from '../../ui/marks/time.tsx';
import { cx } from '../../ui/text/cx.ts';
import { DeleteFile, RenameFile } from './file-dialogs.tsx';

interface FileRowProps {
  file: StoredFile;
  among: readonly { fileId: string }[];
  canWrite: boolean;
  onGone: () => void;
}

export function FileRow({ file, among, canWrite, onGone }: FileRowProps) {
  const { profile, isAdmin } = useWorkspace();
  const person = usePeople();
  const open = useOpenFile();
  const problem = statusInWords(file);
  const isLost = file.status === 'REFUSED' || file.status === 'FAILED';
  const by = file.uploadedByAgent ?? person(file.uploadedById).name;
  const mayChange = canWrite && (isAdmin || file.uploadedById === profile.userId);
  return (
    <li className="relative flex min-w-0 items-center gap-3 px-3 py-2 first:rounded-t-xl last:rounded-b-xl hover:bg-hover sm:px-4">
      <FileMark file={{ ...file, fileId: file.id }} />
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="flex min-w-0 items-center gap-2">
          <button
            type="button"
            disabled={isLost}
            onClick={() => open(file.id, among)}
            className="flex min-h-6 min-w-0 text-start text-sm font-medium after:absolute after:inset-0 after:content-[''] hover:underline disabled:hover:no-underline"
          >
            <FileName name={file.name} />
          </button>
          {file.isShared && (
            <span data-tooltip="Everyone in the project can open it" className="z-1 shrink-0">
              <Badge>Shared</Badge>
            </span>
          )}
        </div>
        <p className={cx('text-note', isLost ? 'text-danger' : 'truncate text-muted')}>
          {problem ?? `${typeInWords(file)} · ${sizeInWords(file.size)}`} · <bdi>{by}</bdi>,{' '}
          <Day at={file.createdAt} />
        </p>
      </div>
      <div className="relative z-1 flex shrink-0 items-center">
        {!problem && <DownloadLink file={{ fileId: file.id, name: file.name }} />}
        {mayChange && <FileMenu file={file} onGone={onGone} />}
      </div>
    </li>
  );
}

function FileMenu({ file, onGone }: { file: StoredFile; onGone: () => void }) {
  const [isOpen, setOpen] = useState<'rename' | 'delete'>();
  const close = () => setOpen(undefined);
  const share = useChange({
    send: async ({ client }, isShared: boolean) => client.files.update(file.id, { isShared }),
    refetch: keys.files,
    onDone: ({ isShared }) =>
      toast(isShared ? 'Shared with everyone in the project' : 'No longer shared'),
    onError: toastError,
  });
  return (
    <>
      <Menu trigger={<IconButton label={`Actions for ${file.name}`} icon={Ellipsis} />}>
        <MenuItem
          icon={file.isShared ? Users : Share2}
          onSelect={() => share.mutate(!file.isShared)}
        >
          {file.isShared ? 'Stop sharing with the project' : 'Share with the project'}
        </MenuItem>
        <MenuItem icon={Pencil} onSelect={() => setOpen('rename')}>
          Rename
        </MenuItem>
        <MenuItem icon={Trash2} tone="danger" onSelect={() => setOpen('delete')}>
          Delete
        </MenuItem>
      </Menu>
      {isOpen === 'rename' && <RenameFile file={file} onClose={close} />}
      {isOpen === 'delete' && <DeleteFile file={file} onGone={onGone} onClose={close} />}
    </>
  );
}
