import { ownState, type PageState } from './presence.ts';
import { isInBackground } from './visible-tabs.ts';

const AWAY_AFTER_MS = 5 * 60_000;
/** Longer than it takes to look something up in another window. */
const HIDDEN_AFTER_MS = 30_000;
const LOOK_EVERY_MS = 15_000;
const NOTE_EVERY_MS = 15_000;
const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;
/** When the person last did something, in any tab of this browser. */
const ACTIVE_AT = 'atrium.active-at';

export function stateOf({ idleMs, hiddenMs }: { idleMs: number; hiddenMs: number }): PageState {
  return idleMs >= AWAY_AFTER_MS || hiddenMs >= HIDDEN_AFTER_MS ? 'AWAY' : 'ACTIVE';
}

/** Follows what the person does, until aborted. It costs a write to this browser's storage every 15 seconds. */
export function followOwnState(signal: AbortSignal): void {
  let notedAt = 0;
  let hiddenSince: number | undefined;
  const note = () => {
    const now = Date.now();
    if (now - notedAt < NOTE_EVERY_MS && ownState.getState() === 'ACTIVE') return;
    notedAt = now;
    localStorage.setItem(ACTIVE_AT, String(now));
    void look();
  };
  const look = async () => {
    // Without locks, as on plain http, nobody knows whether another tab can be seen.
    const isHidden = 'locks' in navigator && (await isInBackground());
    const now = Date.now();
    hiddenSince = isHidden ? (hiddenSince ?? now) : undefined;
    const idleMs = now - Number(localStorage.getItem(ACTIVE_AT) ?? 0);
    if (!signal.aborted)
      ownState.setState(stateOf({ idleMs, hiddenMs: now - (hiddenSince ?? now) }));
  };
  for (const type of INPUTS) {
    addEventListener(type, note, { signal, passive: true, capture: true });
  }
  // Another tab has noted something.
  addEventListener('storage', ({ key }) => key === ACTIVE_AT && void look(), { signal });
  document.addEventListener('visibilitychange', () => void (document.hidden ? look() : note()), {
    signal,
  });
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
  if (!document.hidden) note();
}
