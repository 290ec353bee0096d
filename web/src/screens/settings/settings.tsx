import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import {
  Boxes,
  ChartColumn,
  CircleUser,
  CreditCard,
  KeyRound,
  Plug,
  ScrollText,
  Users,
  type LucideIcon,
} from 'lucide-react';
import { useWorkspace } from '../../data/workspace.tsx';
import { SelectField } from '../../ui/field.tsx';

const PAGES = [
  { to: '/settings/profile', label: 'Profile', icon: CircleUser, group: 'You' },
  { to: '/settings/keys', label: 'API keys', icon: KeyRound, group: 'You' },
  { to: '/settings/members', label: 'Members', icon: Users, group: 'Organisation' },
  { to: '/settings/billing', label: 'Billing', icon: CreditCard, group: 'Organisation' },
  { to: '/settings/usage', label: 'Usage', icon: ChartColumn, group: 'Organisation' },
  { to: '/settings/integrations', label: 'Integrations', icon: Plug, group: 'Organisation' },
  { to: '/settings/models', label: 'Models', icon: Boxes, group: 'Organisation' },
  { to: '/settings/audit', label: 'Audit log', icon: ScrollText, group: 'Organisation' },
] as const satisfies { to: string; label: string; icon: LucideIcon; group: string }[];

/** The settings pages beside their list; on a phone the list is a select above them. */
export function Settings() {
  return (
    <div className="mx-auto flex w-full max-w-6xl flex-col gap-6 px-4 py-6 sm:px-6 lg:flex-row lg:gap-10">
      <PageSelect />
      <PageList />
      <div className="flex min-w-0 flex-1 flex-col gap-6 pb-10">
        <Outlet />
      </div>
    </div>
  );
}

function PageList() {
  const { org } = useWorkspace();
  const groups = [
    { title: 'You', pages: PAGES.filter(({ group }) => group === 'You') },
    { title: org.name, pages: PAGES.filter(({ group }) => group === 'Organisation') },
  ];
  return (
    <nav aria-label="Settings" className="hidden w-48 shrink-0 flex-col gap-5 lg:flex">
      {groups.map(({ title, pages }, at) => (
        <div key={at} className="flex flex-col gap-1">
          <p dir="auto" className="truncate px-3 text-xs font-semibold text-muted" title={title}>
            {title}
          </p>
          <ul className="flex flex-col gap-0.5">
            {pages.map(({ to, label, icon: Icon }) => (
              <li key={to}>
                <Link
                  to={to}
                  className="flex min-h-9 items-center gap-2.5 rounded-md px-3 text-sm text-ink hover:bg-hover aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent"
                >
                  <Icon aria-hidden className="size-4 shrink-0" />
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function PageSelect() {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const here = PAGES.find(({ to }) => pathname.startsWith(to))?.to ?? PAGES[0].to;
  return (
    <nav aria-label="Settings" className="lg:hidden">
      <SelectField
        label="Settings page"
        value={here}
        onChange={({ target }) => {
          const page = PAGES.find(({ to }) => to === target.value);
          if (page) void navigate({ to: page.to });
        }}
      >
        {PAGES.map(({ to, label }) => (
          <option key={to} value={to}>
            {label}
          </option>
        ))}
      </SelectField>
    </nav>
  );
}
