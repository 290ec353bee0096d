import { Link } from '@tanstack/react-router';
import { Menu as MenuIcon, Search } from 'lucide-react';
import { useWorkspace } from '../../data/workspace.tsx';
import { AtriumMark } from '../../ui/atrium-mark.tsx';
import { IconButton } from '../../ui/button.tsx';
import { useShellActions } from './shell-actions.ts';

interface TopBarProps {
  isDrawerOpen: boolean;
  onOpenDrawer: () => void;
}

/** Replaces the sidebar on a phone. */
export function TopBar({ isDrawerOpen, onOpenDrawer }: TopBarProps) {
  const { org } = useWorkspace();
  const { openPalette } = useShellActions();
  return (
    <header className="flex h-13 shrink-0 items-center gap-2 border-b border-line bg-surface px-2 md:hidden print:hidden">
      <IconButton
        label="Menu"
        icon={<MenuIcon aria-hidden className="size-5" />}
        aria-haspopup="dialog"
        aria-expanded={isDrawerOpen}
        onClick={onOpenDrawer}
      />
      <Link
        to="/"
        className="flex min-h-9 min-w-0 flex-1 items-center gap-2 rounded-md px-1 font-semibold"
      >
        <AtriumMark className="size-6 shrink-0" />
        <span className="truncate" dir="auto">
          {org.name}
        </span>
      </Link>
      <IconButton
        label="Search or jump to"
        icon={<Search aria-hidden className="size-5" />}
        onClick={openPalette}
      />
    </header>
  );
}
