import { webApi } from '../../data/web-api.ts';
import { toastError } from '../../ui/toast.tsx';
import { forget, listKept } from '../session/composer/kept.ts';

/**
 * A fresh page afterwards: nothing this person has loaded stays in memory, and no draft in the browser.
 * What still waits to be sent does stay: it goes out when the same person is back.
 */
export function signOut(): void {
  webApi.signOut().then(leave, toastError);
}

function leave(): void {
  for (const name of listKept('atrium.draft.')) forget(name);
  location.assign('/sign-in');
}
