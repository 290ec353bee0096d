import { useNavigate } from '@tanstack/react-router';
import { Check, ChevronsUpDown, Plus } from 'lucide-react';
import { useWorkspace } from '../data/workspace.tsx';
import { Avatar } from '../ui/marks/avatar.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../ui/controls/menu.tsx';
import { ROLE_NAMES } from '../shared/roles.ts';
import { useShellActions } from '../shared/shell-actions.ts';

export function OrgSwitcher() {
  const { profile, org } = useWorkspace();
  const { openNewOrg } = useShellActions();
  const switchTo = useSwitchOrg();
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          className="flex min-h-11 w-full items-center gap-2.5 rounded-md px-1.5 text-left hover:bg-hover"
        >
          <Avatar name={org.name} seed={org.id} />
          <span className="flex min-w-0 flex-1 flex-col leading-tight">
            <bdi className="truncate font-semibold">{org.name}</bdi>
            <span className="text-xs text-muted">
              <span className="sr-only">Your role: </span>
              {ROLE_NAMES[org.role]}
            </span>
          </span>
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted" />
          <span className="sr-only">Switch organisation</span>
        </button>
      }
    >
      <MenuLabel>Organisations</MenuLabel>
      {profile.orgs.map(({ id, name, role }) => (
        <MenuItem key={id} onSelect={() => switchTo(id)}>
          <Avatar name={name} seed={id} size="small" />
          <span className="flex min-w-0 flex-1 flex-col py-1 leading-tight">
            <bdi className="truncate">{name}</bdi>
            <span className="text-xs text-muted">{ROLE_NAMES[role]}</span>
          </span>
          {id === org.id && (
            <>
              <Check aria-hidden className="size-4 shrink-0 text-accent" />
              <span className="sr-only">(current)</span>
            </>
          )}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem icon={Plus} onSelect={openNewOrg}>
        Create organisation
      </MenuItem>
    </Menu>
  );
}

/** An address in one org means nothing in another, so switching starts at the home page. */
export function useSwitchOrg(): (orgId: string) => void {
  const { org, switchOrg } = useWorkspace();
  const navigate = useNavigate();
  return (orgId) => {
    if (orgId === org.id) return;
    void navigate({ to: '/' }).then(() => switchOrg(orgId));
  };
}
