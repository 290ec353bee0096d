import type { Memory } from '@atrium/sdk';
import { Ellipsis, Link as LinkIcon, Pencil, Trash2 } from 'lucide-react';
import { useWorkspace } from '../../data/workspace.tsx';
import { IconButton } from '../../ui/controls/button.tsx';
import { copyText } from '../../ui/controls/copy-text.ts';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../ui/controls/menu.tsx';
import { useKeeper } from './audience.tsx';

/** What is being done, in a dialog. */
export type OpenDialog = { what: 'add' } | { what: 'edit' | 'delete'; memory: Memory };

interface MemoryMenuProps {
  memory: Memory;
  onOpen: (dialog: OpenDialog) => void;
}

export function MemoryMenu({ memory, onOpen }: MemoryMenuProps) {
  const { mayChange, why } = useKeeper(memory);
  const link = useLinkTo(memory.id);
  return (
    <Menu
      trigger={<IconButton label="Memory actions" icon={Ellipsis} className="-mt-1.5 -mr-1.5" />}
    >
      <MenuItem icon={LinkIcon} onSelect={() => void copyText(link, 'Link copied')}>
        Copy link
      </MenuItem>
      <MenuSeparator />
      {!mayChange && <MenuLabel>{why}</MenuLabel>}
      <MenuItem
        icon={Pencil}
        disabled={!mayChange}
        onSelect={() => onOpen({ what: 'edit', memory })}
      >
        Edit
      </MenuItem>
      <MenuItem
        icon={Trash2}
        tone="danger"
        disabled={!mayChange}
        onSelect={() => onOpen({ what: 'delete', memory })}
      >
        Delete
      </MenuItem>
    </Menu>
  );
}

/** Names the org too, because whoever opens the link may be in another one. */
export function useLinkTo(memoryId: string): string {
  const { org } = useWorkspace();
  const query = new URLSearchParams({ id: memoryId, org: org.id });
  return `${location.origin}/memory?${query}`;
}
