import { useNavigate } from '@tanstack/react-router';
import { BookOpen, Check, ChevronUp, Keyboard, LogOut, UserRound } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useWorkspace } from '../data/workspace.tsx';
import { Avatar } from '../ui/marks/avatar.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../ui/controls/menu.tsx';
import { useShellActions } from '../shared/shell-actions.ts';
import { signOut } from '../shared/sign-out.ts';
import { setTheme, THEMES, useTheme, type Theme } from '../data/device/theme.ts';

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
            <bdi className="truncate text-sm font-medium">{profile.name}</bdi>
            <span className="truncate text-xs text-muted">{profile.email}</span>
          </span>
          <ChevronUp aria-hidden className="size-4 shrink-0 text-muted" />
        </button>
      }
    >
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
