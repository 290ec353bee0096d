import { useEffect, useLayoutEffect, useState } from 'react';

/**
 * The secret part of a link is in its fragment, which servers and proxies never see. It is removed from
 * the address bar at once, so that it is not in the history, a bookmark or a screenshot.
 */
export function useFragment(): URLSearchParams {
  const [fragment, setFragment] = useState(readFragment);
  useLayoutEffect(hideToken, [fragment]);
  useEffect(() => {
    // Another link opened in the same tab only changes the fragment.
    const read = () => {
      const next = readFragment();
      if (next.has('token')) setFragment(next);
    };
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return fragment;
}

function readFragment(): URLSearchParams {
  return new URLSearchParams(location.hash.slice(1));
}

function hideToken(): void {
  if (!readFragment().has('token')) return;
  history.replaceState(history.state, '', location.pathname + location.search);
}
