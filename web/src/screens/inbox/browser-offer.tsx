import { BellRing } from 'lucide-react';
import { Button } from '../../ui/controls/button.tsx';
import {
  turnBrowserOff,
  turnBrowserOn,
  useBrowserState,
} from '../../data/device/browser-notifications.ts';

/** Offered once, when there is something in the inbox: by then people know what it is about. */
export function BrowserOffer() {
  if (useBrowserState() !== 'undecided') return null;
  return (
    <section
      aria-label="Browser notifications"
      className="flex flex-wrap items-center gap-3 rounded-xl border border-line bg-surface px-4 py-3"
    >
      <BellRing aria-hidden className="size-5 shrink-0 text-accent" />
      <p className="min-w-0 flex-1 basis-60 text-sm">
        Your browser can tell you when something arrives here while Atrium is in the background.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="small" look="primary" onClick={() => void turnBrowserOn()}>
          Turn on notifications
        </Button>
        <Button size="small" onClick={turnBrowserOff}>
          Not now
        </Button>
      </div>
    </section>
  );
}
