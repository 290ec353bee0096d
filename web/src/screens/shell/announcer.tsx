import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

const SETTLE_MS = 400;

/** Says the new page's name to a screen reader: without a page load the browser does not. */
export function Announcer() {
  const { pathname } = useLocation();
  const [first] = useState(pathname);
  const [text, setText] = useState('');
  useEffect(() => {
    if (pathname === first && text === '') return undefined;
    const timer = setTimeout(() => setText(document.title.replace(/^\(\d+\+?\) /, '')), SETTLE_MS);
    return () => clearTimeout(timer);
    // The text itself is no reason to say it again.
    // oxlint-disable-next-line exhaustive-deps
  }, [pathname]);
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {text}
    </div>
  );
}
