import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { useWorkspace } from '../../data/workspace.tsx';
import { SelectField } from '../../ui/forms/select-field.tsx';
import { SETTINGS_PAGES, settingsPages } from './pages.ts';

/** The current settings page next to the list of pages. On a phone, the list is a select above it. */
export function Settings() {
  return (
    <div className="flex w-full max-w-6xl flex-col gap-6 p-4 sm:p-6 lg:flex-row lg:gap-10">
      <PageSelect />
      <PageList />
      <div className="flex min-w-0 flex-1 flex-col gap-6 pb-10">
        <Outlet />
      </div>
    </div>
  );
}

function PageList() {
  const { org, isAdmin } = useWorkspace();
  const all = settingsPages(isAdmin);
  const groups = [
    { title: 'You', pages: all.filter((page) => 'isPersonal' in page) },
    { title: org.name, pages: all.filter((page) => !('isPersonal' in page)) },
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
  const pages = settingsPages(useWorkspace().isAdmin);
  const here = pages.find(({ to }) => pathname.startsWith(to))?.to ?? SETTINGS_PAGES[0].to;
  return (
    <nav aria-label="Settings" className="lg:hidden">
      <SelectField
        label="Settings page"
        value={here}
        onChange={(to) => void navigate({ to })}
        options={pages.map(({ to, label, icon: Icon }) => ({
          value: to,
          name: label,
          icon: <Icon aria-hidden className="size-4 shrink-0 text-muted" />,
        }))}
      />
    </nav>
  );
}
