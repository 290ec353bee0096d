import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { titleWithoutCounts } from '../ui/pages/page.tsx';

const SETTLE_MS = 400;

/** Announces the new page to screen readers, because without a page load the browser doesn't. */
export function Announcer() {
  const { pathname } = useLocation();
  const [first] = useState(pathname);
  const [text, setText] = useState('');
  useEffect(() => {
    if (pathname === first && text === '') return undefined;
    const timer = setTimeout(() => setText(titleWithoutCounts()), SETTLE_MS);
    return () => clearTimeout(timer);
    // A change of the text alone is not announced again.
    // oxlint-disable-next-line exhaustive-deps
  }, [pathname]);
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {text}
    </div>
  );
}
