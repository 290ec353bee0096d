import { useEffect, type ReactNode } from 'react';

const shown = { title: '', unread: 0, inInbox: 0 };

/** Sets the tab's title, so that history and screen readers can tell pages apart. */
export function usePageTitle(title: string): void {
  useInTitle('title', title);
}

/** Shows the number of unread messages in the tab's title: "(3) Pricing · Atrium". */
export function useUnreadInTitle(count: number): void {
  useInTitle('unread', count);
}

/** Shows before it how much is in the inbox: "@2 (3) Pricing · Atrium". */
export function useInboxInTitle(count: number): void {
  useInTitle('inInbox', count);
}

function useInTitle<Name extends keyof typeof shown>(name: Name, value: (typeof shown)[Name]) {
  useEffect(() => {
    shown[name] = value;
    const { title, unread, inInbox } = shown;
    const counts = [inInbox > 0 && `@${shorten(inInbox)}`, unread > 0 && `(${shorten(unread)})`];
    document.title = [...counts, title && `${title} ·`, 'Atrium'].filter(Boolean).join(' ');
  }, [name, value]);
}

/** The title as people call the page, without the counts. */
export function titleWithoutCounts(): string {
  return document.title.replace(/^(@\d+\+? )?(\(\d+\+?\) )?/, '');
}

function shorten(count: number): string {
  return count > 99 ? '99+' : String(count);
}

interface HeadingProps {
  children?: ReactNode;
  actions?: ReactNode;
}

/** A screen's heading, its purpose and its main action. */
export function PageHeader({ title, actions, children }: HeadingProps & { title: string }) {
  usePageTitle(title);
  return (
    <header className="flex flex-wrap items-start justify-between gap-3">
      <div className="flex min-w-0 flex-col gap-1">
        <h1 className="text-xl font-semibold wrap-anywhere">{title}</h1>
        {children && <div className="max-w-prose text-sm text-muted">{children}</div>}
      </div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </header>
  );
}

interface CardProps extends HeadingProps {
  title?: string;
  /** Before the title. */
  icon?: ReactNode;
  description?: ReactNode;
}

export function Card({ title, icon, description, actions, children }: CardProps) {
  return (
    <section className="flex flex-col gap-4 rounded-xl border border-line bg-surface p-4 sm:p-5">
      {(title ?? actions) && (
        <div className="flex flex-wrap items-start justify-between gap-3">
          {icon}
          <div className="flex min-w-0 flex-1 basis-40 flex-col gap-0.5">
            {title && <h2 className="font-semibold wrap-anywhere">{title}</h2>}
            {description && <div className="max-w-prose text-sm text-muted">{description}</div>}
          </div>
          {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
        </div>
      )}
      {children}
    </section>
  );
}

/** Says what the person's role doesn't allow, instead of hiding it. */
export function RoleNote({ children }: { children: ReactNode }) {
  return <p className="rounded-md bg-hover px-3 py-2 text-sm text-muted">{children}</p>;
}
