import { useNavigate } from '@tanstack/react-router';
import { BookOpen, ChevronUp, Keyboard, LogOut, Smile, UserRound } from 'lucide-react';
import { usePeople } from '../data/queries.ts';
import { useWorkspace } from '../data/workspace.tsx';
import { Avatar } from '../ui/marks/avatar.tsx';
import { Menu, MenuItem, MenuRadios, MenuSeparator } from '../ui/controls/menu.tsx';
import { useShellActions } from '../shared/shell-actions.ts';
import { signOut } from '../shared/sign-out.ts';
import { setTheme, THEMES, useTheme } from '../data/device/theme.ts';

export function PersonMenu() {
  const { profile } = useWorkspace();
  const { openShortcuts, openStatus } = useShellActions();
  const { photo, status } = usePeople()(profile.userId);
  const navigate = useNavigate();
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          className="flex min-h-11 w-full items-center gap-2.5 rounded-md px-1.5 text-left hover:bg-hover"
        >
          <Avatar name={profile.name} seed={profile.userId} photo={photo} />
          <span className="flex min-w-0 flex-1 flex-col leading-tight">
            <bdi className="truncate text-sm font-medium">{profile.name}</bdi>
            <span dir="auto" className="truncate text-left text-xs text-muted">
              {status ? `${status.emoji ?? ''} ${status.text}` : profile.email}
            </span>
          </span>
          <ChevronUp aria-hidden className="size-4 shrink-0 text-muted" />
        </button>
      }
    >
      <MenuItem icon={Smile} onSelect={openStatus}>
        {status ? 'Change status' : 'Set a status'}
      </MenuItem>
      <MenuItem icon={UserRound} onSelect={() => void navigate({ to: '/settings/profile' })}>
        Profile
      </MenuItem>
      <MenuItem icon={Keyboard} onSelect={openShortcuts}>
        Keyboard shortcuts
      </MenuItem>
      <MenuItem icon={BookOpen} onSelect={() => void window.open('/docs', '_blank', 'noopener')}>
        API reference (new tab)
      </MenuItem>
      <MenuSeparator />
      <ThemeChoice />
      <MenuSeparator />
      <MenuItem icon={LogOut} onSelect={signOut}>
        Sign out
      </MenuItem>
    </Menu>
  );
}

function ThemeChoice() {
  const theme = useTheme();
  return <MenuRadios label="Theme" options={THEMES} value={theme} onChange={setTheme} staysOpen />;
}
