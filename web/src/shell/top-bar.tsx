import { Link } from '@tanstack/react-router';
import { Inbox, Menu as MenuIcon, Search } from 'lucide-react';
import { useWorkspace } from '../data/workspace.tsx';
import { AtriumMark } from '../ui/marks/atrium-mark.tsx';
import { buttonClass, IconButton } from '../ui/controls/button.tsx';
import { cx } from '../ui/text/cx.ts';
import { useShellActions } from '../shared/shell-actions.ts';
import { InboxCount } from './inbox-count.tsx';

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
        icon={MenuIcon}
        iconClass="size-5"
        aria-haspopup="dialog"
        aria-expanded={isDrawerOpen}
        onClick={onOpenDrawer}
      />
      <Link
        to="/"
        className="flex min-h-9 min-w-0 flex-1 items-center gap-2 rounded-md px-1 font-semibold"
      >
        <AtriumMark className="size-6 shrink-0" />
        <bdi className="truncate">{org.name}</bdi>
      </Link>
      <Link to="/inbox" className={cx(buttonClass('quiet'), 'gap-1! px-2!')}>
        <Inbox aria-hidden className="size-5" />
        <span className="sr-only">Inbox</span>
        <InboxCount />
      </Link>
      <IconButton
        label="Search or jump to"
        icon={Search}
        iconClass="size-5"
        onClick={openPalette}
      />
    </header>
  );
}
