import { useQueryClient } from '@tanstack/react-query';
import { CloudOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useIsConnected } from '../../data/live.ts';
import { PROFILE_KEY } from '../../data/workspace.tsx';

const ASK_AGAIN_MS = 10_000;
/** A connection that is back at once is not worth a word. */
const PATIENCE_MS = 1_500;

export function OfflineBanner() {
  const isConnected = useIsConnected();
  const [isShown, setShown] = useState(false);
  const queryClient = useQueryClient();
  useEffect(() => {
    if (isConnected) {
      setShown(false);
      return undefined;
    }
    const timer = setTimeout(() => setShown(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isConnected]);
  useEffect(() => {
    if (!isShown) return undefined;
    // The stream does not say why it ended; where the sign-in has, this finds out and the shell goes there.
    const ask = () => void queryClient.invalidateQueries({ queryKey: PROFILE_KEY });
    ask();
    const timer = setInterval(ask, ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isShown, queryClient]);
  return (
    <div role="status">
      {isShown && (
        <p className="flex items-start gap-2 border-b border-line bg-warn-soft px-4 py-2 text-sm text-ink">
          <CloudOff aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
          Not connected. Messages you send wait here and are sent once we are back.
        </p>
      )}
    </div>
  );
}
