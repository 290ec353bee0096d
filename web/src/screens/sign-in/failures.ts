import { AtriumError } from '@atrium/sdk';
import { inWords } from '../../ui/error-note.tsx';

/** Why signing in or a link did not work, and what to do now. */
export function explainFailure(error: unknown): string {
  if (!(error instanceof AtriumError)) return inWords(error);
  if (error.reason === 'link_used') {
    return 'This link was used already: each works once. Ask for a new one.';
  }
  if (error.reason === 'link_expired') {
    return 'This link is too old: it works for 15 minutes. Ask for a new one.';
  }
  if (error.status === 404) {
    return 'This link is not known here. It may be cut short, or from another server. Ask for a new one.';
  }
  if (error.status === 429) {
    return `Too many attempts. Wait ${inUnits(error.retryAfter ?? 60)}, then try again.`;
  }
  return inWords(error);
}

/** Whether a new link is what helps. */
export function isDeadLink(error: unknown): boolean {
  return error instanceof AtriumError && (error.status === 404 || error.status === 409);
}

function inUnits(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  if (seconds < 2 * 60 * 60) return `${Math.ceil(seconds / 60)} minutes`;
  return `${Math.ceil(seconds / 3600)} hours`;
}
