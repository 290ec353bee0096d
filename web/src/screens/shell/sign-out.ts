import { webApi } from '../../data/web-api.ts';
import { toastError } from '../../ui/toast.tsx';
import { forget, listKept } from '../session/composer/kept.ts';

/**
 * Reloads the page, so that nothing this person loaded stays in memory, and erases their drafts.
 * Messages still waiting to be sent stay. They go out when the same person signs in again.
 */
export function signOut(): void {
  webApi.signOut().then(leaveApp, toastError);
}

/** For someone who is signed out already. */
export function leaveApp(): void {
  for (const name of listKept('atrium.draft.')) forget(name);
  location.assign('/sign-in');
}
