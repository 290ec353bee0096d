import type { ReactNode } from 'react';
import { useEffect } from 'react';

/** Sets the tab's title, so that history and screen readers can tell pages apart. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    pageTitle = title;
    writeTitle();
  }, [title]);
}

/** Shows the number of unread messages in the tab's title: "(3) Pricing · Atrium". */
export function useUnreadInTitle(count: number): void {
  useEffect(() => {
    unread = count;
    writeTitle();
  }, [count]);
}

/** Shows before it how much is in the inbox: "@2 (3) Pricing · Atrium". */
export function useInboxInTitle(count: number): void {
  useEffect(() => {
    inInbox = count;
    writeTitle();
  }, [count]);
}

let pageTitle = '';
let unread = 0;
let inInbox = 0;

function writeTitle(): void {
  const name = pageTitle ? `${pageTitle} · Atrium` : 'Atrium';
  const counts = [inInbox > 0 && `@${shorten(inInbox)}`, unread > 0 && `(${shorten(unread)})`];
  document.title = [...counts, name].filter(Boolean).join(' ');
}

/** The title as people call the page, without the counts. */
export function titleWithoutCounts(): string {
  return document.title.replace(/^(@\d+\+? )?(\(\d+\+?\) )?/, '');
}

function shorten(count: number): string {
  return count > 99 ? '99+' : String(count);
}

/** A screen's heading, its purpose and its main action. */
export function PageHeader({
  title,
  children,
  actions,
}: {
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
}) {
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

export function Card({
  title,
  description,
  actions,
  children,
}: {
  title?: string;
  description?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <section className="flex flex-col gap-4 rounded-xl border border-line bg-surface p-4 sm:p-5">
      {(title ?? actions) && (
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div className="flex min-w-0 flex-col gap-0.5">
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
