import { useNavigate } from '@tanstack/react-router';
import { BookOpen, Check, ChevronUp, Keyboard, LogOut, UserRound } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useWorkspace } from '../../data/workspace.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../ui/menu.tsx';
import { useShellActions } from './shell-actions.ts';
import { signOut } from './sign-out.ts';
import { setTheme, useTheme, type Theme } from './theme.ts';

export function PersonMenu() {
  const { profile } = useWorkspace();
  const { openShortcuts } = useShellActions();
  const navigate = useNavigate();
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          className="flex min-h-11 w-full items-center gap-2.5 rounded-md px-1.5 text-left hover:bg-hover"
        >
          <Avatar name={profile.name} seed={profile.userId} />
          <span className="flex min-w-0 flex-1 flex-col leading-tight">
            <span className="truncate text-sm font-medium" dir="auto">
              {profile.name}
            </span>
            <span className="truncate text-xs text-muted">{profile.email}</span>
          </span>
          <ChevronUp aria-hidden className="size-4 shrink-0 text-muted" />
        </button>
      }
    >
      <MenuItem
        icon={<UserRound aria-hidden className="size-4" />}
        onSelect={() => void navigate({ to: '/settings/profile' })}
      >
        Profile
      </MenuItem>
      <MenuItem icon={<Keyboard aria-hidden className="size-4" />} onSelect={openShortcuts}>
        Keyboard shortcuts
      </MenuItem>
      <MenuItem
        icon={<BookOpen aria-hidden className="size-4" />}
        onSelect={() => void window.open('/docs', '_blank', 'noopener')}
      >
        API reference (new tab)
      </MenuItem>
      <MenuSeparator />
      <ThemeChoice />
      <MenuSeparator />
      <MenuItem icon={<LogOut aria-hidden className="size-4" />} onSelect={signOut}>
        Sign out
      </MenuItem>
    </Menu>
  );
}

const THEMES: [Theme, string][] = [
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['system', 'Match system'],
];

function ThemeChoice() {
  const theme = useTheme();
  return (
    <DropdownMenu.RadioGroup
      aria-label="Theme"
      value={theme}
      onValueChange={(value) => setTheme(value as Theme)}
    >
      <MenuLabel>Theme</MenuLabel>
      {THEMES.map(([value, label]) => (
        <DropdownMenu.RadioItem
          key={value}
          value={value}
          // Keeps the menu open, so that people can compare the themes.
          onSelect={(event) => event.preventDefault()}
          className="flex min-h-9 cursor-pointer items-center gap-2 rounded-md px-2 text-sm outline-none data-highlighted:bg-hover"
        >
          <span className="flex size-4 items-center">
            <DropdownMenu.ItemIndicator>
              <Check aria-hidden className="size-4 text-accent" />
            </DropdownMenu.ItemIndicator>
          </span>
          {label}
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}
