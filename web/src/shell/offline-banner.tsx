import { useQueryClient } from '@tanstack/react-query';
import { CloudOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useIsConnected } from '../data/live.ts';
import { PROFILE_KEY } from '../data/workspace.tsx';

const ASK_AGAIN_MS = 10_000;
/** A connection that comes right back isn't worth a banner. */
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
    // The stream doesn't say why it ended. If the sign-in expired, this finds out and the shell goes to sign-in.
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
          Not connected. Messages you send are kept here and go out once the connection is back.
        </p>
      )}
    </div>
  );
}
