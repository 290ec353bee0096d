import { webApi } from '../data/web-api.ts';
import { toastError } from '../ui/layers/toast.tsx';
import { forget, listKept } from '../data/device/kept.ts';
import { RECENT } from '../data/device/recent-places.ts';

/**
 * Reloads the page, so that nothing this person loaded stays in memory, and erases their drafts and recent places.
 * Messages still waiting to be sent stay. They go out when the same person signs in again.
 */
export function signOut(): void {
  webApi.signOut().then(leaveApp, toastError);
}

/** For someone who is signed out already. */
export function leaveApp(): void {
  for (const prefix of ['atrium.draft.', RECENT]) listKept(prefix).forEach(forget);
  location.assign('/sign-in');
}
